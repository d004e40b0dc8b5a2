import type { Post } from '../../domain/post/post.ts'
import { normalPost } from '../normal-post.ts'
import type { PostRecord, PostWritten } from './wire.ts'

const SITE = 'https://bsky.app'
const THUMBNAILS = 'https://cdn.bsky.app/img/feed_thumbnail/plain'
const DAY_MS = 86_400_000
const LINK = 'app.bsky.richtext.facet#link'

/** The id of a post for ever: handles change, the person's did and the record's key do not. */
export function nativeIdOf(did: string, rkey: string): string {
  return `${did}/${rkey}`
}

/** A written or rewritten post; null when it cannot be identified within the bounds of a post. */
export function toPost(event: PostWritten): Post | null {
  const { did, time_us: timeUs, commit } = event
  const { record, rkey } = commit
  const seenAt = new Date(Math.floor(timeUs / 1000))
  return normalPost(
    {
      platform: 'bluesky',
      nativeId: nativeIdOf(did, rkey),
      url: `${SITE}/profile/${did}/post/${rkey}`,
      text: record.text,
      imageUrl: imageOf(did, record),
      links: linksOf(record),
      publishedAt: writtenAt(record.createdAt, seenAt),
      languageTag: record.langs?.[0] ?? null,
      replyTo: record.reply ? { url: addressOf(record.reply.parent.uri) } : null,
      author: { id: did, url: `${SITE}/profile/${did}` },
    },
    seenAt,
  )
}

/**
 * Shown links are often shortened; the whole address stands in the facet. Title and description of a linked page, tags
 * and descriptions of pictures are left out of the post: they are not what its author says in the text.
 */
function linksOf(record: PostRecord): (string | undefined)[] {
  const facets = (record.facets ?? []).flatMap((facet) => facet.features.filter((feature) => feature.$type === LINK).map((feature) => feature.uri))
  return [...facets, record.embed?.external?.uri, record.embed?.media?.external?.uri]
}

function imageOf(did: string, record: PostRecord): string | null {
  for (const media of [record.embed, record.embed?.media]) {
    const cid = media?.images?.[0]?.image.ref.$link ?? media?.external?.thumb?.ref.$link
    if (cid && /^[a-z0-9]{1,128}$/i.test(cid)) return `${THUMBNAILS}/${did}/${cid}`
  }
  return null
}

/** The author's clock is believed within the day before the feed saw the post; imported posts carry times of years ago. */
function writtenAt(createdAt: string | null | undefined, seenAt: Date): Date {
  const ms = createdAt ? Date.parse(createdAt) : Number.NaN
  return ms <= seenAt.getTime() && ms >= seenAt.getTime() - DAY_MS ? new Date(ms) : seenAt
}

/** The page of a post named by an at:// address; null for other records. */
function addressOf(uri: string): string | null {
  const [, author, key] = uri.match(/^at:\/\/([^/\s]{1,300})\/app\.bsky\.feed\.post\/([^/\s]{1,512})$/) ?? []
  return author && key ? `${SITE}/profile/${author}/post/${key}` : null
}
