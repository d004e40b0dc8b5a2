import type { Author, Post } from '../../domain/post/post.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'
import { boundedAddress, normalPost } from '../normal-post.ts'
import type { XPost, XUrl, XUser } from './wire.ts'

const SITE = 'https://x.com'
const NAME_CHARACTERS = 200
/** The platform adds these for a post's own media. */
const OWN_MEDIA =
  /^https?:\/\/(?:www\.|mobile\.)?(?:x|twitter)\.com\/[^/]{1,50}\/status\/\d{1,19}\/(?:photo|video)\/\d{1,3}$/i
/** Ids hold milliseconds since this instant above their lowest 22 bits. */
const FIRST_ID_MS = 1_288_834_974_657n
const ESCAPED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

/** The author is known by id only. `pictures` is by media key. */
export function toPost(found: XPost, pictures: ReadonlyMap<string, string>, at: Date): Post | null {
  const note = found.note_tweet ?? found.note_post ?? null
  const urls = [...(note?.entities?.urls ?? []), ...(found.entities?.urls ?? [])]
  const metrics = found.public_metrics
  return normalPost(
    {
      platform: 'x',
      nativeId: found.id,
      url: postUrl('i', found.id),
      text: readable(note?.text ?? found.text, urls),
      imageUrl: found.attachments?.media_keys?.map((key) => pictures.get(key)).find((picture) => picture !== undefined),
      links: urls.filter((url) => !isOwnMedia(url)).map((url) => url.unwound_url ?? url.expanded_url),
      publishedAt: writtenAt(found),
      languageTag: found.lang,
      engagement: metrics
        ? {
            likes: metrics.like_count,
            reposts: metrics.retweet_count ?? metrics.repost_count,
            replies: metrics.reply_count,
            quotes: metrics.quote_count,
            views: metrics.impression_count,
            bookmarks: metrics.bookmark_count,
          }
        : null,
      replyTo: replyToOf(found),
      author: { id: found.author_id, url: `${SITE}/i/user/${found.author_id}` },
    },
    at,
  )
}

export function toAuthor(found: XUser): Author {
  return {
    id: found.id,
    name: excerpt(cleanLine(found.name ?? ''), NAME_CHARACTERS) || null,
    handle: found.username,
    url: `${SITE}/${found.username}`,
    avatarUrl: boundedAddress(found.profile_image_url),
    followers: found.public_metrics?.followers_count ?? null,
    automated: null,
  }
}

/** The address works with any name. */
export function postUrl(name: string, id: string): string {
  return `${SITE}/${name}/status/${id}`
}

/** Three characters are escaped and addresses shortened. */
function readable(text: string, urls: readonly XUrl[]): string {
  const targets = new Map(urls.map((url) => [url.url, isOwnMedia(url) ? '' : (url.expanded_url ?? url.url)]))
  return text
    .replace(/&(amp|lt|gt);/g, (escaped, name: string) => ESCAPED[name] ?? escaped)
    .replace(/https?:\/\/t\.co\/[A-Za-z0-9]{1,40}/g, (short) => targets.get(short) ?? short)
}

function isOwnMedia(url: XUrl): boolean {
  return OWN_MEDIA.test(url.expanded_url ?? '')
}

function writtenAt(found: XPost): Date {
  const ms = Date.parse(found.created_at ?? '')
  return new Date(Number.isNaN(ms) ? Number((BigInt(found.id) >> 22n) + FIRST_ID_MS) : ms)
}

/** The text usually names the parent's author; otherwise only the id is known. */
function replyToOf(found: XPost): { author: string | null; url: string } | null {
  const parent = (found.referenced_tweets ?? found.referenced_posts)?.find(({ type }) => type === 'replied_to')
  if (!parent) return null
  const person = found.in_reply_to_user_id ?? null
  const named = found.entities?.mentions?.find((mention) => mention.id === person)
  return { author: named?.username ?? person, url: postUrl('i', parent.id) }
}
