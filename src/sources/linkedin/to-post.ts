import type { Author, Post } from '../../domain/post/post.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { addressesIn } from '../addresses-in.ts'
import { normalPost } from '../normal-post.ts'
import { publicationAmong, timeFrom } from '../providers/candidates.ts'
import type { ActorPost, FoundPost } from './wire.ts'

const SITE = 'https://www.linkedin.com'
const ACTIVITY = /activity[-:](\d{19})(?!\d)/
const PROFILE = /^\/(?:in|company|school|showcase)\/([^/]+)/

/** Null for a foreign address, or without text or time. */
export function fromFound(found: FoundPost, at: Date): Post | null {
  const page = pageOf(found.url)
  if (page === null || !found.description?.trim()) return null
  const nativeId = nativeIdOf(page)
  const publishedAt = publicationAmong(at, timeFrom(found.datePublished), timeIn(nativeId))
  if (publishedAt === null) return null
  return normalPost(
    {
      platform: 'linkedin',
      nativeId,
      url: `${SITE}${page}`,
      title: page.startsWith('/pulse/') ? found.name : null,
      text: found.description,
      imageUrl: found.images?.[0] ?? found.image,
      publishedAt,
      engagement: { likes: found.likeCount, replies: found.commentCount },
      author: found.author ? authorFrom({ ...found.author, avatarUrl: found.author.image }) : null,
    },
    at,
  )
}

export function fromActor(found: ActorPost, at: Date): Post | null {
  const page = pageOf(found.linkedinUrl)
  if (page === null || !found.content?.trim()) return null
  const { postedAt, engagement, author } = found
  const nativeId = nativeIdOf(page, String(found.id ?? ''))
  const publishedAt = publicationAmong(
    at,
    postedAt?.timestamp ? new Date(postedAt.timestamp) : null,
    timeFrom(postedAt?.date),
    timeIn(nativeId),
  )
  if (publishedAt === null) return null
  return normalPost(
    {
      platform: 'linkedin',
      nativeId,
      url: `${SITE}${page}`,
      title: null,
      text: found.content,
      imageUrl: found.postImages?.[0]?.url,
      links: [found.article?.link, ...addressesIn(found.content)],
      publishedAt,
      engagement: engagement
        ? { likes: engagement.likes, reposts: engagement.shares, replies: engagement.comments }
        : null,
      author: author ? authorFrom({ name: author.name, url: author.linkedinUrl, avatarUrl: author.avatar?.url }) : null,
    },
    at,
  )
}

/** Null unless on LinkedIn. */
function pageOf(address: string | null | undefined): string | null {
  if (!address || !canParse(address)) return null
  const { hostname, pathname } = new URL(address)
  if (hostname !== 'linkedin.com' && !hostname.endsWith('.linkedin.com')) return null
  const page = pathname.replace(/\/$/, '')
  return page === '' ? null : page
}

/** Articles are known by path. */
function nativeIdOf(page: string, id = ''): string {
  return page.match(ACTIVITY)?.[1] ?? (/^\d{19}$/.test(id) ? id : page.slice(1))
}

/** The upper bits of an id are milliseconds. */
function timeIn(nativeId: string): Date | null {
  return /^\d{19}$/.test(nativeId) ? new Date(Number(BigInt(nativeId) >> 22n)) : null
}

type Found = {
  name?: string | null | undefined
  url?: string | null | undefined
  avatarUrl?: string | null | undefined
  followers?: number | null | undefined
}

/** Providers agree on no other id. */
function authorFrom({ name, url, avatarUrl, followers }: Found): Partial<Author> {
  const page = pageOf(url)
  const slug = page?.match(PROFILE)?.[1] ?? null
  return {
    id: slug,
    name: name ?? null,
    handle: slug === null ? null : decoded(slug),
    url: page === null ? null : `${SITE}${page}`,
    avatarUrl: avatarUrl ?? null,
    followers: followers ?? null,
  }
}

function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}
