import type { Post } from '../../domain/post/post.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { htmlToText } from '../html-text.ts'
import { normalPost } from '../normal-post.ts'
import type { Comment, Entry, Submission } from './wire.ts'

const SITE = 'https://www.reddit.com'
/** Placeholders for deleted names and texts. */
const GONE = new Set(['[deleted]', '[removed]', '[removed by reddit]', '[deleted by user]'])
/** People's own texts cannot contain these. */
const TEXT_BEGINS = '<!-- SC_OFF -->'
const TEXT_ENDS = '<!-- SC_ON -->'

/** `maybeEscaped`: <, > and & may be escaped. The HTML field tells; without it they probably are. */
export function fromSubmission(post: Submission, at: Date, { maybeEscaped }: { maybeEscaped: boolean }): Post | null {
  if (post.removed_by_category || isGone(post.author) || isGone(post.selftext) || isGone(post.title)) return null
  const escaped = maybeEscaped && !post.selftext_html?.startsWith('<')
  const plain = escaped ? unescaped : (text: string) => text
  const html = htmlToText(plain(post.selftext_html ?? ''))
  return normalPost(
    {
      platform: 'reddit',
      nativeId: `t3_${post.id}`,
      url: addressOf(post),
      title: plain(post.title),
      text: post.selftext_html ? html.text : plain(post.selftext ?? ''),
      imageUrl: pictureOf(post, plain),
      links: [outgoing(post, plain), ...html.links],
      publishedAt: new Date(post.created_utc * 1000),
      engagement: {
        likes: post.hide_score ? null : post.score,
        reposts: post.num_crossposts,
        replies: post.num_comments,
      },
      author: authorOf(post.author, post.author_fullname),
    },
    at,
  )
}

export type Parent = { author: string | null; url: string; text: string | null }

export function fromComment(
  comment: Comment,
  { thread, parent }: { thread: string; parent: Parent | null },
  at: Date,
): Post | null {
  if (isGone(comment.author) || isGone(comment.body)) return null
  const html = htmlToText(comment.body_html ?? '')
  const text = comment.body_html ? html.text : comment.body
  if (text.trim() === '') return null
  return normalPost(
    {
      platform: 'reddit',
      nativeId: `t1_${comment.id}`,
      url: onSite(comment.permalink) ?? `${thread}${comment.id}/`,
      text,
      links: html.links,
      publishedAt: new Date(comment.created_utc * 1000),
      engagement: { likes: comment.score_hidden ? null : comment.score },
      replyTo: parent,
      author: authorOf(comment.author, comment.author_fullname),
    },
    at,
  )
}

export function fromEntry(entry: Entry, at: Date): Post | null {
  const author = withoutPrefix(unescaped(entry.author?.name ?? ''))
  if (author === '' || isGone(author)) return null
  const content = unescaped(entry.content ?? '')
  const [text, frame] = splitContent(content)
  const html = htmlToText(text)
  if (isGone(html.text)) return null
  const nativeId = unescaped(entry.id)
  const url =
    onSite(unescaped(entry.link['@href'])) ?? `${SITE}/comments/${encodeURIComponent(nativeId.replace('t3_', ''))}/`
  // Target and comments; for a text post both are the post.
  const target = htmlToText(frame).links.at(-2) ?? null
  return normalPost(
    {
      platform: 'reddit',
      nativeId,
      url,
      title: unescaped(entry.title),
      text: html.text,
      imageUrl: entry['media:thumbnail'] ? unescaped(entry['media:thumbnail']['@url']) : null,
      links: [target !== null && onSite(target) !== url ? target : null, ...html.links],
      publishedAt: new Date(unescaped(entry.published)),
      author: authorOf(author, null),
    },
    at,
  )
}

/** Decodes once, without decoding the result. */
export function unescaped(text: string): string {
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (whole, name?: string, decimal?: string, hexadecimal?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
      const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function splitContent(content: string): [text: string, frame: string] {
  const begins = content.indexOf(TEXT_BEGINS)
  const ends = content.lastIndexOf(TEXT_ENDS)
  if (begins < 0 || ends < begins) return ['', content]
  return [content.slice(begins + TEXT_BEGINS.length, ends), content.slice(0, begins) + content.slice(ends)]
}

function isGone(text: string | null | undefined): boolean {
  return text != null && GONE.has(text.slice(0, 40).trim().toLowerCase())
}

function withoutPrefix(name: string): string {
  return name.trim().replace(/^\/?u\//i, '')
}

function authorOf(
  name: string,
  fullname: string | null | undefined,
): NonNullable<Parameters<typeof normalPost>[0]['author']> {
  return { id: fullname ?? null, name, handle: name, url: `${SITE}/user/${encodeURIComponent(name)}` }
}

/** The address works without the title. */
function addressOf(post: Submission): string {
  return onSite(post.permalink) ?? `${SITE}/r/${post.subreddit}/comments/${post.id}/`
}

/** Null unless on Reddit. */
function onSite(address: string | null | undefined): string | null {
  if (!address || !canParse(address, SITE)) return null
  const url = new URL(address, SITE)
  return /^https?:$/.test(url.protocol) && /(?:^|\.)reddit\.com$/.test(url.hostname) ? `${SITE}${url.pathname}` : null
}

function outgoing(post: Submission, plain: (text: string) => string): string | null {
  const address = plain(post.url ?? '')
  if (post.is_self || address === '' || !canParse(address, SITE)) return null
  const target = new URL(address, SITE).href
  return target.includes(`/comments/${post.id}/`) ? null : target
}

/** Posts without a picture have words such as `self`. */
function pictureOf(post: Submission, plain: (text: string) => string): string | null {
  const picture = post.preview?.images[0]?.source.url ?? post.thumbnail
  return picture && /^https?:\/\//i.test(picture) ? plain(picture) : null
}
