import { canParse } from '../../kernel/can-parse.ts'
import type { Platform } from '../platform/platforms.ts'

/** The native id in the link of a post; null where the link holds none, as links of GitHub and short links do. */
export function nativeIdInLink(platform: Platform, link: string): string | null {
  const address = /^https?:\/\//i.test(link) ? link : `https://${link.replace(/^\/\//, '')}`
  if (!canParse(address)) return null
  const url = new URL(address)
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  return READERS[platform]?.(url, segments) ?? null
}

type Reader = (url: URL, segments: readonly string[]) => string | null | undefined

/** What stands most deeply in a link is meant: the comment, not the post that it is on. */
const READERS: { readonly [On in Platform]?: Reader } = {
  hackernews: ({ searchParams }) => searchParams.get('id'),
  stackoverflow: readStackOverflow,
  reddit: readReddit,
  x: (_, segments) => numberIn(segments[segments.findIndex((segment) => /^status(?:es)?$/i.test(segment)) + 1]),
  youtube: ({ hostname, searchParams }, [first, second]) =>
    searchParams.get('lc') ?? searchParams.get('v') ?? (hostname.toLowerCase().endsWith('youtu.be') ? first : second),
  linkedin: ({ pathname }) => pathname.replace(/%3A/gi, ':').match(/urn:li:activity:(\d{1,20})/i)?.[1],
  instagram: (_, [first = '', second]) => (/^(?:p|reel|reels|tv)$/i.test(first) ? second : null),
  trustpilot: (_, [, id]) => id?.toLowerCase(),
}

function readStackOverflow({ hash }: URL, [, first, , answer]: readonly string[]): string | null {
  const comment = hash.match(/^#comment(\d{1,20})_/)?.[1]
  return comment === undefined
    ? (hash.match(/^#(\d{1,20})$/)?.[1] ?? numberIn(answer) ?? numberIn(first))
    : `c:${comment}`
}

function readReddit({ hostname }: URL, segments: readonly string[]): string | null {
  const after = segments.findIndex((segment) => /^(?:comments|gallery|tb)$/i.test(segment)) + 1
  if (hostname.toLowerCase() === 'redd.it') return thing('t3', segments[0])
  if (after === 0) return null
  const comment = segments[after + 2]
  return comment === undefined ? thing('t3', segments[after]) : thing('t1', comment)
}

function thing(kind: 't1' | 't3', id: string | undefined): string | null {
  return id !== undefined && /^[0-9a-z]{1,13}$/i.test(id) ? `${kind}_${id.toLowerCase()}` : null
}

function numberIn(segment: string | undefined): string | null {
  return segment !== undefined && /^\d{1,20}$/.test(segment) ? segment : null
}
