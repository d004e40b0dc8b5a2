import { z } from 'zod'
import { KEYWORD_LIMITS } from '../../domain/keyword/keyword.ts'
import { canonicalReviewUrl, reviewSourceFromId } from '../../domain/keyword/review-source.ts'
import {
  NAMED_PLATFORMS,
  type NamedPlatform,
  PLATFORMS,
  platformNumber,
  REVIEW_PLATFORMS,
  SEARCH_PLATFORMS,
} from '../../domain/platform/platforms.ts'
import { reviewCountry, reviewLanguage } from '../../domain/platform/storefront.ts'
import { POST_LIMITS } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { canParse } from '../../kernel/can-parse.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Sources } from '../../sources/contract.ts'
import type { ArchiveRow } from '../../store/archive/archive-rows.ts'
import type { StoredPost } from '../../store/mention/posts.ts'
import { postFromRow } from '../../store/model/unscored.ts'
import { termFrom } from '../keywords/term.ts'
import { misfit, type RowPlace, rowProblem } from './archive-problem.ts'
import { instant, uuid } from './read-archive.ts'

// What an archive says of rows that all workspaces share is held to the rules by which they come about here.

const PLATFORM = z.int().refine((number) => PLATFORMS.some((known) => platformNumber(known) === number), 'is unknown')
const TEXT = z.string()
const COUNT = z.int().min(0).nullable()

const AUTHOR = z.object({
  id: TEXT.nullable(),
  name: TEXT.nullable(),
  handle: TEXT.nullable(),
  url: TEXT.nullable(),
  avatarUrl: TEXT.nullable(),
  followers: COUNT,
  automated: z.boolean().nullable(),
})

const ENGAGEMENT = z.object({
  likes: COUNT,
  reposts: COUNT,
  replies: COUNT,
  quotes: COUNT,
  views: COUNT,
  bookmarks: COUNT,
})

const REVIEW = z.object({
  rating: z.number(),
  ratingMax: z.number(),
  title: TEXT.nullable(),
  version: TEXT.nullable(),
  country: TEXT.nullable(),
  verified: z.boolean().nullable(),
  response: TEXT.nullable(),
  responseAt: instant.nullable(),
  app: z.object({ platform: z.enum(['appstore', 'googleplay']), id: TEXT, url: TEXT }).nullable(),
})

const POST = z.object({
  id: uuid,
  platform: PLATFORM,
  native_id: TEXT,
  url: TEXT,
  title: TEXT.nullable(),
  body: TEXT,
  image_url: TEXT.nullable(),
  links: z.array(TEXT).max(POST_LIMITS.links),
  published_at: instant.transform((time) => new Date(time)),
  language_hint: TEXT.nullable(),
  author: AUTHOR.nullable(),
  engagement: ENGAGEMENT.nullable(),
  reply_to: z.object({ author: TEXT.nullable(), url: TEXT.nullable(), text: TEXT.nullable() }).nullable(),
  review: REVIEW.nullable(),
})

const MENTION = z.looseObject({ post_id: uuid, post: POST })

/** The post of a mention, with the id that it has everywhere. Throws ArchiveProblem. */
export function postOfMention(
  row: ArchiveRow,
  place: RowPlace,
  { normalPost, at }: Pick<Sources, 'normalPost'> & { at: Date },
): StoredPost {
  const { post_id, post: given } = checked(MENTION, row, place)
  const draft = postFromRow(given)
  const post = normalPost({ ...draft, languageTag: draft.languageHint }, at)
  if (post === null) throw rowProblem(place, 'post', 'has no valid address or id of its platform')
  const id = postId(post.platform, post.nativeId)
  if (given.id !== id || post_id !== id)
    throw rowProblem(place, 'post', 'has another id than follows from its platform and the id there')
  return [id, post]
}

const REVIEW_SOURCE = z.looseObject({
  platform: z.enum(REVIEW_PLATFORMS),
  id: TEXT,
  countries: z
    .array(z.string().refine((country) => reviewCountry(country) === country))
    .max(KEYWORD_LIMITS.storefronts),
  language: z
    .string()
    .refine((language) => reviewLanguage(language) === language)
    .nullable(),
  connectedAt: instant,
})

const TERMS = z.array(z.string().max(KEYWORD_LIMITS.authorEntryMax * 2))

const KEYWORD = z.looseObject({
  term: z.string().max(1000),
  platforms: z.array(z.enum(SEARCH_PLATFORMS)).nullable(),
  required_terms: TERMS.max(KEYWORD_LIMITS.terms),
  excluded_terms: TERMS.max(KEYWORD_LIMITS.terms),
  excluded_authors: TERMS.max(KEYWORD_LIMITS.authors),
  review_sources: z.array(REVIEW_SOURCE).max(KEYWORD_LIMITS.reviewSources),
})

/** A keyword as its term and pages are asked of platforms, together with those of others. Throws ArchiveProblem. */
export function keywordWithQueries(row: ArchiveRow, place: RowPlace): ArchiveRow {
  const keyword = checked(KEYWORD, row, place)
  const term = termFrom(keyword.term)
  if (isRefusal(term)) throw rowProblem(place, 'term', term.details?.[0]?.reason ?? term.message)
  const pages = keyword.review_sources.map((source) => {
    const page = reviewSourceFromId(source.platform, source.id)
    if (page?.id !== source.id) throw rowProblem(place, 'review_sources', `has no id of ${source.platform}`)
    return { ...source, url: canonicalReviewUrl(source.platform, page.id, source.countries[0] ?? null) }
  })
  return { ...row, term: term.term, term_folded: term.folded, review_sources: pages }
}

const PLACE = z.looseObject({ id: uuid, platform: PLATFORM, address: TEXT, created_at: instant })

export interface ArchivedPlace {
  id: Uuid
  platform: NamedPlatform
  address: string
  at: Date
}

/** A feed or forum that may be asked from here. Throws ArchiveProblem. */
export function placeToName(
  row: ArchiveRow,
  place: RowPlace,
  { checkAddress }: Pick<Sources, 'checkAddress'>,
): ArchivedPlace {
  const { id, platform: number, address, created_at } = checked(PLACE, row, place)
  const platform = NAMED_PLATFORMS.find((known) => platformNumber(known) === number)
  if (platform === undefined) throw rowProblem(place, 'platform', 'has no places that workspaces name')
  const banned = checkAddress(address)
  if (banned !== null) throw rowProblem(place, 'address', banned.reason)
  if (!isCanonical(address)) throw rowProblem(place, 'address', 'is not in canonical form')
  return { id, platform, address, at: new Date(created_at) }
}

/** As addresses are stored: without a fragment; forums also without a final slash. */
function isCanonical(address: string): boolean {
  if (!canParse(address)) return false
  const { href, hash } = new URL(address)
  return hash === '' && (address === href || `${address}/` === href)
}

const CONFIG = z.looseObject({ recipients: z.array(z.looseObject({})).optional() })
const SHAPES: Partial<Record<RowPlace['table'], z.ZodType>> = {
  channel: z.looseObject({ config: CONFIG }),
  usage_day: z.looseObject({ day: z.iso.date() }),
}

/** Columns that the import changes. Throws ArchiveProblem. */
export function checkShape(row: ArchiveRow, place: RowPlace): void {
  const shape = SHAPES[place.table]
  if (shape !== undefined) checked(shape, row, place)
}

function checked<Shape extends z.ZodType>(shape: Shape, row: ArchiveRow, place: RowPlace): z.output<Shape> {
  const { success, data, error } = shape.safeParse(row)
  if (success) return data
  const { column, says } = misfit(error)
  throw rowProblem(place, column, says)
}
