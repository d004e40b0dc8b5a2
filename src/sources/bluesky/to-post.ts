import type { Post } from '../../domain/post/post.ts'
import { normalPost, type PostDraft } from '../normal-post.ts'
import { POST_COLLECTION, type PostRecord, type PostView, type PostWritten } from './wire.ts'

const SITE = 'https://bsky.app'
const THUMBNAILS = 'https://cdn.bsky.app/img/feed_thumbnail/plain'
const NO_HANDLE = 'handle.invalid'
const DAY_MS = 86_400_000
const LINK = 'app.bsky.richtext.facet#link'

export interface PostPlace {
  did: string
  rkey: string
}

/** Permanent, unlike a handle. */
export function nativeIdOf(did: string, rkey: string): string {
  return `${did}/${rkey}`
}

/** Null if the post has no valid id. */
export function toPost(event: PostWritten): Post | null {
  const { did, time_us: timeUs, commit } = event
  const seenAt = new Date(Math.floor(timeUs / 1000))
  return normalPost(draftOf({ did, rkey: commit.rkey }, commit.record, seenAt), seenAt)
}

export function viewToPost(view: PostView): Post | null {
  const place = placeFrom(view.uri)
  const seenAt = new Date(view.indexedAt)
  if (place === null || Number.isNaN(seenAt.getTime())) return null
  const draft = draftOf(place, view.record, seenAt)
  return normalPost(
    { ...draft, author: { ...draft.author, ...personOf(view.author) }, engagement: engagementOf(view) },
    seenAt,
  )
}

/** `handle.invalid` counts as no handle. */
export function personOf({ displayName, handle, avatar }: PostView['author']): {
  name: string | null
  handle: string | null
  avatarUrl: string | null
} {
  return { name: displayName ?? null, handle: handle === NO_HANDLE ? null : handle, avatarUrl: avatar ?? null }
}

export function engagementOf({
  likeCount,
  repostCount,
  replyCount,
  quoteCount,
  bookmarkCount,
}: PostView): NonNullable<PostDraft['engagement']> {
  return { likes: likeCount, reposts: repostCount, replies: replyCount, quotes: quoteCount, bookmarks: bookmarkCount }
}

/** Null for other records and for addresses by handle. */
export function placeFrom(uri: string): PostPlace | null {
  const [, did, rkey] =
    uri.match(/^at:\/\/(did:[a-z]+:[A-Za-z0-9._:%-]{1,250})\/app\.bsky\.feed\.post\/([A-Za-z0-9._~:-]{1,512})$/) ?? []
  return did && rkey ? { did, rkey } : null
}

export function placeFromPage(url: string): PostPlace | null {
  const [, did, rkey] =
    url.match(
      /^https:\/\/bsky\.app\/profile\/(did:[a-z]+:[A-Za-z0-9._:%-]{1,250})\/post\/([A-Za-z0-9._~:-]{1,512})$/,
    ) ?? []
  return did && rkey ? { did, rkey } : null
}

export function uriOf({ did, rkey }: PostPlace): string {
  return `at://${did}/${POST_COLLECTION}/${rkey}`
}

function draftOf({ did, rkey }: PostPlace, record: PostRecord, seenAt: Date): PostDraft {
  return {
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
  }
}

/**
 * Shown links are often shortened; the facet has the whole address. Cards, tags and descriptions of pictures are not
 * the author's text.
 */
function linksOf(record: PostRecord): (string | undefined)[] {
  const facets = (record.facets ?? []).flatMap((facet) =>
    facet.features.filter((feature) => feature.$type === LINK).map((feature) => feature.uri),
  )
  return [...facets, record.embed?.external?.uri, record.embed?.media?.external?.uri]
}

function imageOf(did: string, record: PostRecord): string | null {
  for (const media of [record.embed, record.embed?.media]) {
    const cid = media?.images?.[0]?.image.ref.$link ?? media?.external?.thumb?.ref.$link
    if (cid && /^[a-z0-9]{1,128}$/i.test(cid)) return `${THUMBNAILS}/${did}/${cid}`
  }
  return null
}

/** The author's clock counts within a day; imported posts carry times of years ago. */
function writtenAt(createdAt: string | null | undefined, seenAt: Date): Date {
  const ms = createdAt ? Date.parse(createdAt) : Number.NaN
  return ms <= seenAt.getTime() && ms >= seenAt.getTime() - DAY_MS ? new Date(ms) : seenAt
}

/** Null for other records. */
function addressOf(uri: string): string | null {
  const [, author, key] = uri.match(/^at:\/\/([^/\s]{1,300})\/app\.bsky\.feed\.post\/([^/\s]{1,512})$/) ?? []
  return author && key ? `${SITE}/profile/${author}/post/${key}` : null
}
