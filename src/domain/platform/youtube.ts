import type { AuthorInLink, SearchFacts, WithHandles } from './facts.ts'
import { NEEDS_RESOLVING, nobody, oneOf, segmentsOf } from './links.ts'
import { foldAuthorName } from './names.ts'

export const youtube: SearchFacts & WithHandles = {
  number: 7,
  name: 'YouTube',
  glyph: { letters: 'yt', colour: '#c8102e' },
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 7200,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'social', venue: 'video', mostlyEnglish: false },
  links: {
    owns: oneOf(
      'youtube.com',
      'm.youtube.com',
      'music.youtube.com',
      'gaming.youtube.com',
      'youtube-nocookie.com',
      'youtu.be',
    ),
    authorIn,
    profileOfHandle: (handle) => `https://www.youtube.com/@${handle}`,
    profileOfId,
    postIdIn: ({ hostname, searchParams }, [first, second]) =>
      searchParams.get('lc') ?? searchParams.get('v') ?? (hostname.toLowerCase().endsWith('youtu.be') ? first : second),
  },
  handles: {
    isHandle: (name) => /^[\p{L}\p{M}\p{N}_.\u00b7-]{3,30}$/u.test(name),
    profile: 'https://www.youtube.com/@',
    byId: 'https://www.youtube.com/channel/',
  },
}

const NOBODY = nobody('this link of YouTube')
const VIDEOS = new Set(['shorts', 'live', 'embed', 'v', 'clip', 'post'])

function authorIn(url: URL, host: string): AuthorInLink {
  const [first = '', second = ''] = segmentsOf(url)
  if (host === 'youtu.be') return first === '' ? NOBODY : NEEDS_RESOLVING
  if (/^@[^\s@]{1,60}$/u.test(first)) return `https://www.youtube.com/${foldAuthorName(first)}`
  if (first === 'channel') return /^UC[\w-]{22}$/.test(second) ? profileOfId(second) : NOBODY
  if (first === 'watch') return url.searchParams.get('v') ? NEEDS_RESOLVING : NOBODY
  if (VIDEOS.has(first) && second !== '') return NEEDS_RESOLVING
  if ((first === 'c' || first === 'user') && /^[^\s/]{1,100}$/.test(second))
    return `https://www.youtube.com/${first}/${foldAuthorName(second)}`
  return NOBODY
}

function profileOfId(id: string): string {
  return `https://www.youtube.com/channel/${id}`
}
