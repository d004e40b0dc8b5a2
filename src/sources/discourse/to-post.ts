import { load } from 'cheerio'
import type { Post } from '../../domain/post/post.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { htmlToText } from '../html-text.ts'
import { normalPost } from '../normal-post.ts'
import type { ForumPost } from './wire.ts'

/** Of `actions_summary`. */
const LIKE = 2
const AVATAR_PIXELS = '90'
/** Longer than the text of any post. */
const COOKED_UNITS = 65_536

/** What is kept of a post while pages are read, since raw ones may be long. */
export interface Shown {
  id: number
  createdMs: number
  /** Null for a post that was taken back or is known. */
  post: Post | null
}

/** The text of a known post is not read, which takes the most time. */
export function toShown(item: ForumPost, { forum, isKnown, at }: { forum: string; isKnown: boolean; at: Date }): Shown {
  return { id: item.id, createdMs: Date.parse(item.created_at), post: isKnown ? null : toPost(item, forum, at) }
}

/** Null for a post that its author or the forum took back. */
function toPost(post: ForumPost, forum: string, at: Date): Post | null {
  if (post.hidden || post.user_deleted) return null
  const { host, pathname } = new URL(forum)
  const place = `${host}${pathname.replace(/\/+$/, '')}`
  const topic = `${forum}/t/${post.topic_slug || 'topic'}/${post.topic_id}`
  const isTopic = post.post_number === 1
  const html = htmlToText(withoutQuotes(post.cooked))
  const on = (address: string) => (canParse(address, `${forum}/`) ? new URL(address, `${forum}/`).href : null)
  const answered = post.reply_to_post_number ?? 1
  return normalPost(
    {
      platform: 'discourse',
      nativeId: `${place}:${post.id}`,
      url: isTopic ? topic : `${topic}/${post.post_number}`,
      title: isTopic ? post.topic_title : null,
      text: html.text,
      imageUrl:
        html.images.map(on).find((address) => address !== null && !/\/(?:emoji|user_avatar)\//.test(address)) ?? null,
      links: html.links.map(on),
      publishedAt: new Date(post.created_at),
      engagement: {
        likes: post.actions_summary?.find(({ id }) => id === LIKE)?.count ?? 0,
        replies: post.reply_count ?? null,
        views: post.reads ?? null,
      },
      replyTo: isTopic ? null : { url: answered === 1 ? topic : `${topic}/${answered}`, text: post.topic_title },
      author: {
        id: `${place}:${post.user_id}`,
        name: post.name || post.username,
        handle: post.username,
        url: `${forum}/u/${encodeURIComponent(post.username)}`,
        avatarUrl: post.avatar_template ? on(post.avatar_template.replace('{size}', AVATAR_PIXELS)) : null,
        // The system and its bots have ids below zero.
        automated: post.user_id < 0,
      },
    },
    at,
  )
}

/** A quotation is somebody else's words. */
function withoutQuotes(cooked: string): string {
  if (!cooked.includes('quote')) return cooked
  const page = load(cooked.slice(0, COOKED_UNITS), null, false)
  page('aside.quote').remove()
  return page.html()
}
