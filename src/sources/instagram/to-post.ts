import type { Post } from '../../domain/post/post.ts'
import { normalPost } from '../normal-post.ts'
import { publicationAmong, timeFrom } from '../providers/candidates.ts'
import type { ActorMedia, FoundMedia } from './wire.ts'

const SITE = 'https://www.instagram.com'
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** Ids count milliseconds from here. */
const EPOCH_MS = 1_314_220_021_721
/** Longer shortcodes, of private posts, carry more than the id. */
const CODE_CHARACTERS = 11

/** Null without a caption or a time. */
export function fromFound(found: FoundMedia, at: Date): Post | null {
  if (!found.caption?.trim()) return null
  const { owner } = found
  const publishedAt = publicationAmong(at, timeFrom(found.taken_at), timeIn(found.shortcode))
  if (publishedAt === null) return null
  return normalPost(
    {
      platform: 'instagram',
      nativeId: found.shortcode,
      url: `${SITE}/p/${found.shortcode}/`,
      text: found.caption,
      imageUrl: found.display_url ?? found.thumbnail_src,
      publishedAt,
      engagement: {
        likes: found.like_count,
        replies: found.comment_count,
        views: found.video_play_count ?? found.video_view_count,
      },
      author: {
        id: owner.id ?? null,
        name: owner.full_name ?? null,
        handle: owner.username,
        url: profileOf(owner.username),
        avatarUrl: owner.profile_pic_url ?? null,
        followers: owner.follower_count ?? null,
      },
    },
    at,
  )
}

export function fromActor(found: ActorMedia, at: Date): Post | null {
  if (!found.caption?.trim()) return null
  const publishedAt = publicationAmong(at, timeFrom(found.timestamp), timeIn(found.shortCode))
  if (publishedAt === null) return null
  return normalPost(
    {
      platform: 'instagram',
      nativeId: found.shortCode,
      url: `${SITE}/p/${found.shortCode}/`,
      text: found.caption,
      imageUrl: found.displayUrl,
      publishedAt,
      engagement: { likes: found.likesCount, replies: found.commentsCount, views: found.videoPlayCount },
      author: {
        id: found.ownerId ?? null,
        name: found.ownerFullName ?? null,
        handle: found.ownerUsername,
        url: profileOf(found.ownerUsername),
      },
    },
    at,
  )
}

function profileOf(username: string): string {
  return `${SITE}/${encodeURIComponent(username)}/`
}

/** A shortcode encodes the id, whose upper bits are milliseconds. */
function timeIn(shortcode: string): Date | null {
  if (shortcode.length !== CODE_CHARACTERS) return null
  let id = 0n
  for (const character of shortcode) id = id * 64n + BigInt(ALPHABET.indexOf(character))
  return new Date(Number(id >> 23n) + EPOCH_MS)
}
