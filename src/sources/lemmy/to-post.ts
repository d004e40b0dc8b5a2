import { bareHost } from '../../domain/platform/links.ts'
import type { Author, Post, ReplyTo } from '../../domain/post/post.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { markdownToText } from '../markdown-text.ts'
import { normalPost } from '../normal-post.ts'
import type { CommentView, Creator, Dated, PostView } from './wire.ts'

/** Null for a removed post. */
export function fromPostView({ post, creator, counts }: PostView, at: Date): Post | null {
  if (post.removed || post.deleted) return null
  const { text, links, images } = markdownToText(post.body ?? '')
  return normalPost(
    {
      platform: 'lemmy',
      nativeId: post.ap_id,
      url: post.ap_id,
      title: post.name,
      text,
      links: [post.url, ...links],
      imageUrl: post.thumbnail_url ?? images[0],
      publishedAt: timeOf(post),
      engagement: { likes: counts?.upvotes, replies: counts?.comments },
      author: authorOf(creator),
    },
    at,
  )
}

/** Null for a removed or empty comment. `server` knows the comment that it answers by a number of its own. */
export function fromCommentView(
  { comment, post, creator, counts }: CommentView,
  server: string,
  at: Date,
): Post | null {
  if (comment.removed || comment.deleted) return null
  const { text, links, images } = markdownToText(comment.content)
  if (text === '') return null
  return normalPost(
    {
      platform: 'lemmy',
      nativeId: comment.ap_id,
      url: comment.ap_id,
      text,
      links,
      imageUrl: images[0] ?? null,
      publishedAt: timeOf(comment),
      engagement: { likes: counts?.upvotes, replies: counts?.child_count },
      replyTo: parentOf(comment.path, post, server),
      author: authorOf(creator),
    },
    at,
  )
}

/** In whole seconds; null if it is none. */
export function secondsOf(item: Dated): number | null {
  const ms = timeOf(item).getTime()
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000)
}

function parentOf(path: string | null | undefined, post: CommentView['post'], server: string): Partial<ReplyTo> {
  const ids = (path ?? '').split('.')
  const parent = ids.at(-2) ?? ''
  return ids.length > 2 && /^[1-9]\d{0,14}$/.test(parent)
    ? { url: commentAddress(server, parent), text: post.name }
    : { url: post.ap_id, text: post.name }
}

export function commentAddress(server: string, id: string): string {
  return `https://${server}/comment/${id}`
}

/** Versions before 0.19 leave out the zone, which is UTC. */
function timeOf(item: Dated): Date {
  const time = item.published ?? item.published_at ?? ''
  return new Date(/(?:Z|[+-]\d\d:?\d\d)$/i.test(time) ? time : `${time}Z`)
}

function authorOf(creator: Creator): Partial<Author> | null {
  const id = creator?.actor_id ?? creator?.ap_id ?? null
  if (!creator?.name || id === null || !canParse(id)) return null
  return {
    id,
    name: creator.display_name || creator.name,
    handle: `${creator.name}@${bareHost(new URL(id))}`,
    url: id,
    avatarUrl: creator.avatar ?? null,
    automated: creator.bot_account ?? null,
  }
}
