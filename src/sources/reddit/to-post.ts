import type { Post } from '../../domain/post/post.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { htmlToText } from '../html-text.ts'
import { normalPost } from '../normal-post.ts'
import type { Comment, Entry, Submission } from './wire.ts'

const SITE = 'https://www.reddit.com'
/** What stands in the place of a name or text that is gone. */
const GONE = new Set(['[deleted]', '[removed]', '[removed by reddit]', '[deleted by user]'])
/** Reddit sets these around the text of a post or comment, and takes them out of texts that people write. */
const TEXT_BEGINS = '<!-- SC_OFF -->'
const TEXT_ENDS = '<!-- SC_ON -->'

/**
 * A post as a `Post`; null when it was deleted or removed, or cannot be one. `maybeEscaped`: whoever hands it on may
 * have left <, > and & escaped. The field that is HTML tells; without it an escaped text is the likelier one.
 */
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

/** What a comment answers to. */
export type Parent = { author: string | null; url: string; text: string | null }

/** A comment below the post at `thread` as a `Post`; null when it was deleted or removed, or cannot be one. */
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

/** An entry of an Atom feed as a `Post`; null when it is no post, was deleted or removed, or cannot be one. */
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
  // The last two links of the frame lead to what the post links to and to its comments; for a text both are the post.
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

/** The five entities of XML and characters by number, each once: what comes out is not read again. */
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

/** Text and everything around it. A post that only links has no text. */
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

/** The page of the post. Shortened replies do not name it; its address without the title leads there as well. */
function addressOf(post: Submission): string {
  return onSite(post.permalink) ?? `${SITE}/r/${post.subreddit}/comments/${post.id}/`
}

/**
 * A path or address on Reddit in its canonical form: on the main host, without query and fragment. Null for any other.
 */
function onSite(address: string | null | undefined): string | null {
  if (!address || !canParse(address, SITE)) return null
  const url = new URL(address, SITE)
  return /^https?:$/.test(url.protocol) && /(?:^|\.)reddit\.com$/.test(url.hostname) ? `${SITE}${url.pathname}` : null
}

/** What the post links to; null for a text, whose address is its own page. */
function outgoing(post: Submission, plain: (text: string) => string): string | null {
  const address = plain(post.url ?? '')
  if (post.is_self || address === '' || !canParse(address, SITE)) return null
  const target = new URL(address, SITE).href
  return target.includes(`/comments/${post.id}/`) ? null : target
}

/** Thumbnails of posts without a picture are words such as `self`; they are no addresses and fall out. */
function pictureOf(post: Submission, plain: (text: string) => string): string | null {
  const picture = post.preview?.images[0]?.source.url ?? post.thumbnail
  return picture && /^https?:\/\//i.test(picture) ? plain(picture) : null
}
