import type { Post } from '../../domain/post/post.ts'
import { htmlToText } from '../html-text.ts'
import { normalPost } from '../normal-post.ts'
import type { Hit } from './wire.ts'

const SITE = 'https://news.ycombinator.com'

export function itemUrl(id: string | number): string {
  return `${SITE}/item?id=${id}`
}

/** Null for a removed or empty hit. */
export function toPost(hit: Hit, at: Date): Post | null {
  const comment = hit._tags.includes('comment')
  const html = htmlToText((comment ? hit.comment_text : hit.story_text) ?? '')
  if (comment ? html.text === '' : !hit.title?.trim()) return null
  return normalPost(
    {
      platform: 'hackernews',
      nativeId: hit.objectID,
      url: itemUrl(hit.objectID),
      title: comment ? null : hit.title,
      text: html.text,
      links: comment ? html.links : [hit.url, ...html.links],
      publishedAt: new Date(hit.created_at_i * 1000),
      engagement: comment ? { replies: hit.children?.length } : { likes: hit.points, replies: hit.num_comments },
      replyTo: comment ? parentOf(hit) : null,
      author: {
        id: hit.author,
        name: hit.author,
        handle: hit.author,
        url: `${SITE}/user?id=${encodeURIComponent(hit.author)}`,
      },
    },
    at,
  )
}

/** Of other parents only the address is known. */
function parentOf(hit: Hit): { url: string; text: string | null } | null {
  if (hit.parent_id == null) return null
  return { url: itemUrl(hit.parent_id), text: hit.parent_id === hit.story_id ? (hit.story_title ?? null) : null }
}
