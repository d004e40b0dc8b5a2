import type { Post } from '../../domain/post/post.ts'
import { normalPost } from '../normal-post.ts'
import { publicationAmong, timeFrom } from '../providers/candidates.ts'
import type { ActorVideo, FoundVideo } from './wire.ts'

const SITE = 'https://www.tiktok.com'

/** Null without words or a time. */
export function fromFound(found: FoundVideo, at: Date): Post | null {
  if (found.desc.trim() === '') return null
  const { aweme_id: nativeId, statistics: counts, author } = found
  const publishedAt = publicationAmong(at, secondsFrom(found.create_time), timeIn(nativeId))
  if (publishedAt === null) return null
  const profile = profileOf(author.unique_id)
  return normalPost(
    {
      platform: 'tiktok',
      nativeId,
      url: `${profile}/video/${nativeId}`,
      text: found.desc,
      imageUrl: found.video?.cover?.url_list[0],
      publishedAt,
      languageTag: languageIn(found.desc_language),
      engagement: counts
        ? {
            likes: counts.digg_count,
            reposts: shares(counts.share_count, counts.repost_count),
            replies: counts.comment_count,
            views: counts.play_count,
            bookmarks: counts.collect_count,
          }
        : null,
      author: {
        id: author.uid ?? null,
        name: author.nickname ?? null,
        handle: author.unique_id,
        url: profile,
        avatarUrl: author.avatar_thumb?.url_list[0] ?? null,
        followers: author.follower_count ?? null,
      },
    },
    at,
  )
}

export function fromActor(found: ActorVideo, at: Date): Post | null {
  if (found.text.trim() === '') return null
  const { authorMeta: author } = found
  const publishedAt = publicationAmong(
    at,
    secondsFrom(found.createTime),
    timeFrom(found.createTimeISO),
    timeIn(found.id),
  )
  if (publishedAt === null) return null
  const profile = profileOf(author.name)
  return normalPost(
    {
      platform: 'tiktok',
      nativeId: found.id,
      url: `${profile}/video/${found.id}`,
      text: found.text,
      imageUrl: found.videoMeta?.coverUrl,
      publishedAt,
      languageTag: languageIn(found.textLanguage),
      engagement: {
        likes: found.diggCount,
        reposts: found.shareCount,
        replies: found.commentCount,
        views: found.playCount,
        bookmarks: found.collectCount,
      },
      author: {
        id: author.id ?? null,
        name: author.nickName ?? null,
        handle: author.name,
        url: profile,
        avatarUrl: author.avatar ?? null,
        followers: author.fans ?? null,
      },
    },
    at,
  )
}

function profileOf(handle: string): string {
  return `${SITE}/@${encodeURIComponent(handle)}`
}

function secondsFrom(seconds: number | null | undefined): Date | null {
  return seconds ? new Date(seconds * 1000) : null
}

/** The upper half of an id is seconds, about a minute before publication. */
function timeIn(id: string): Date {
  return new Date(Number(BigInt(id) >> 32n) * 1000)
}

/** `un` means unknown. */
function languageIn(code: string | null | undefined): string | null {
  return code && !/^un(?:k|d)?$/i.test(code) ? code : null
}

function shares(shared: number | null | undefined, reposted: number | null | undefined): number | null {
  if (shared == null || shared < 0) return reposted ?? null
  return shared + Math.max(0, reposted ?? 0)
}
