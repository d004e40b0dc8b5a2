import type { ReviewPage } from '../../domain/keyword/review-source.ts'
import { parseReviewLink, reviewSourceFromId } from '../../domain/keyword/review-source.ts'
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { type BoundedCache, boundedCache } from '../../kernel/concurrency/bounded-cache.ts'
import { type CollectContext, type PageSource, type ReviewPageQuery, SourceFault } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { readJson } from '../reply-fault.ts'
import { toPost } from './to-post.ts'
import { businessUnit, review, reviewOwner, reviewsReply, type TrustpilotReview } from './wire.ts'

const HOST = 'api.trustpilot.com'
const PAGE_SIZE = 100
/** Ten thousand reviews: more than nearly any company gets in thirty days. */
const MAX_PAGES = 100
/** A new lookup costs one request. */
const CACHED_UNITS = 1000

export interface TrustpilotOptions {
  key: string
}

export function trustpilot(options: TrustpilotOptions): PageSource {
  const units = boundedCache<string>({ most: CACHED_UNITS })
  return {
    platform: 'trustpilot',
    hosts: [HOST],
    // As documented; also below the 10,000 an hour.
    limits: [{ quota: 'requests', kind: 'paced', most: 833, perSeconds: 300, burst: 20 }],
    mode: 'page',
    pollSeconds: PLATFORM_FACTS.trustpilot.pollSeconds,
    // Moderated reviews appear later with their original time.
    overlapSeconds: 172_800,
    read: (context, page, since) => read(context, options.key, { units, page, since }),
    resolveLink: (context, link) => resolveLink(context, options.key, link),
  }
}

interface Reading {
  units: BoundedCache<string>
  page: ReviewPageQuery
  since: Date
}

async function* read(context: CollectContext, key: string, { units, page, since }: Reading): AsyncIterable<Post[]> {
  for (let number = 1; number <= MAX_PAGES; number += 1) {
    const { reviews, more } = await pageOfCompany(context, key, { units, domain: page.id, number })
    const posts = reviews
      .filter((review) => changedAt(review) >= since)
      .flatMap((review) => toPost(review, context.at) ?? [])
    if (posts.length > 0) yield posts
    if (!more || reviews.some((review) => new Date(review.createdAt) < since)) return
  }
  context.log.warn(
    { event: 'source.reviews_cut', platform: 'trustpilot', page: page.id },
    'There are more new reviews than were read',
  )
}

/** The latest change. Pages are sorted by creation. */
function changedAt({ createdAt, updatedAt, companyReply }: TrustpilotReview): Date {
  const instants = [createdAt, updatedAt, companyReply?.createdAt, companyReply?.updatedAt].flatMap((instant) =>
    instant ? Date.parse(instant) : [],
  )
  return new Date(Math.max(...instants))
}

interface CompanyPage {
  units: BoundedCache<string>
  domain: string
  number: number
}

/** Companies merge and move. */
async function pageOfCompany(
  context: CollectContext,
  key: string,
  { units, domain, number }: CompanyPage,
): Promise<{ reviews: TrustpilotReview[]; more: boolean }> {
  const remembered = units.get(domain)
  try {
    return await reviewsOf(context, key, remembered ?? (await findUnit(context, key, units, domain)), number)
  } catch (error) {
    if (remembered === undefined || !isGone(error)) throw error
    units.delete(domain)
    return await reviewsOf(context, key, await findUnit(context, key, units, domain), number)
  }
}

async function reviewsOf(
  context: CollectContext,
  key: string,
  unit: string,
  number: number,
): Promise<{ reviews: TrustpilotReview[]; more: boolean }> {
  const url = apiUrl(`business-units/${unit}/reviews`, {
    orderBy: 'createdat.desc',
    perPage: String(PAGE_SIZE),
    page: String(number),
  })
  const reply = readJson(await ask(context, key, url), reviewsReply, context.at)
  const announced = reply.links?.some(({ rel }) => rel === 'next-page') ?? false
  return {
    reviews: readItems(reply.reviews, review, context, 'trustpilot'),
    more: announced || reply.reviews.length >= PAGE_SIZE,
  }
}

/** 'gone' if unknown with and without `www.`. */
async function findUnit(
  context: CollectContext,
  key: string,
  units: BoundedCache<string>,
  domain: string,
): Promise<string> {
  const known = units.get(domain)
  if (known !== undefined) return known
  const other = domain.startsWith('www.') ? domain.slice(4) : `www.${domain}`
  const unit = (await unitNamed(context, key, domain)) ?? (await unitNamed(context, key, other))
  if (unit === null) throw new SourceFault('gone', 'Trustpilot knows no such company')
  units.set(domain, unit)
  return unit
}

async function unitNamed(context: CollectContext, key: string, name: string): Promise<string | null> {
  const reply = await ask(context, key, apiUrl('business-units/find', { name }))
  return reply.status === 404 ? null : readJson(reply, businessUnit, context.at).id
}

async function resolveLink(context: CollectContext, key: string, link: string): Promise<ReviewPage | null> {
  const found = parseReviewLink(link)
  if (found?.platform !== 'trustpilot') return null
  if ('id' in found) return found
  const number = link.match(/\/reviews\/([0-9a-f]{24})(?![0-9a-f])/i)?.[1]
  if (number === undefined) return null
  const reply = await ask(context, key, apiUrl(`reviews/${number.toLowerCase()}`))
  if (reply.status === 404) return null
  const { businessUnit: unit } = readJson(reply, reviewOwner, context.at)
  const domain =
    unit.identifyingName ??
    readJson(await ask(context, key, apiUrl(`business-units/${unit.id}`)), businessUnit, context.at).name.identifying
  const source = reviewSourceFromId('trustpilot', domain)
  return source === null ? null : { ...source, country: null, language: null }
}

function apiUrl(path: string, query: Record<string, string> = {}): string {
  const url = new URL(`https://${HOST}/v1/${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

function ask(context: CollectContext, key: string, url: string) {
  return context.fetch(url, { headers: { apikey: key, accept: 'application/json' }, cost: { requests: 1 } })
}

function isGone(error: unknown): boolean {
  return error instanceof SourceFault && error.kind === 'gone'
}
