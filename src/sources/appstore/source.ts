import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import { DEFAULT_REVIEW_COUNTRY } from '../../domain/platform/storefront.ts'
import type { Post } from '../../domain/post/post.ts'
import { type CollectContext, type PageSource, QuotaReached, type ReviewPageQuery, SourceFault } from '../contract.ts'
import { readJson } from '../reply-fault.ts'
import { type App, askRow, type FeedForm, FORMS, HOST, PAGE_SIZE, readRow, refuse, TooFast } from './forms.ts'
import { toPost } from './to-post.ts'
import { lookupReply, type StoreReview } from './wire.ts'

const DAY_SECONDS = 86_400
/** The store serves only the newest 500 reviews of a storefront. */
const MOST_PAGES = 10
const ROW_SIZE = 100
const MOST_WINDOWS = (MOST_PAGES * PAGE_SIZE) / ROW_SIZE

export function appstore(): PageSource {
  return {
    platform: 'appstore',
    hosts: [HOST],
    limits: [
      // Undocumented; two requests a second are known to work. A first read takes about 15.
      { quota: 'requests', kind: 'paced', most: 120, perSeconds: 60, burst: 10 },
      { quota: 'lookups', kind: 'paced', most: 20, perSeconds: 60, burst: 5 },
    ],
    mode: 'page',
    pollSeconds: PLATFORM_FACTS.appstore.pollSeconds,
    // The feeds are up to a day late; a second day covers a failed poll.
    overlapSeconds: 2 * DAY_SECONDS,
    read,
  }
}

async function* read(context: CollectContext, page: ReviewPageQuery, since: Date): AsyncIterable<Post[]> {
  const app = { id: page.id, country: page.country ?? DEFAULT_REVIEW_COUNTRY }
  const answered = answers(context, app)
  const seen = new Set<string>()
  for (let number = 1; number <= MOST_PAGES; number += 1) {
    const reviews = number === 1 ? await firstPage(context, app) : await pageOf(context, app, number)
    const fresh = reviews.filter(({ id }) => !seen.has(id))
    // Stops at a feed that starts again instead of ending.
    if (fresh.length === 0) return
    for (const { id } of fresh) seen.add(id)
    const whole = await answered(fresh, since)
    const posts = whole
      .filter((review) => changedAt(review) >= since)
      .flatMap((review) => toPost(review, app, context.at) ?? [])
    if (posts.length > 0) yield posts
    if (fresh.some(({ updated }) => updated < since)) return
  }
  context.log.warn(
    { event: 'source.reviews_cut', platform: 'appstore', app: app.id, country: app.country },
    'There are more new reviews than were read',
  )
}

/** A developer may answer after the review was read. */
function changedAt({ updated, response }: StoreReview): Date {
  return response?.at && response.at > updated ? response.at : updated
}

async function firstPage(context: CollectContext, app: App): Promise<StoreReview[]> {
  try {
    const reviews = await pageOf(context, app, 1)
    if (reviews.length === 0) await ensureApp(context, app)
    return reviews
  } catch (error) {
    if (error instanceof SourceFault && error.kind === 'shape_changed') await ensureApp(context, app)
    throw error
  }
}

/** The first form that has reviews. Fails if none has any and a dependable one had a fault. */
async function pageOf(context: CollectContext, app: App, number: number): Promise<StoreReview[]> {
  let trouble: SourceFault | null = null
  for (const form of FORMS) {
    const found = readForm(form, await form.ask(context, app, number), context)
    if (found instanceof SourceFault) {
      context.log.warn(
        { event: 'source.form_failed', err: found, platform: 'appstore', form: form.name, fault: found.kind },
        'One form of the review feed could not be read',
      )
      if (form.dependable) trouble ??= found
    } else if (found.length > 0) return found
  }
  if (trouble) throw trouble
  return []
}

/** A missing form says nothing of the app. Throttling must not lead to another form. */
function readForm(
  form: FeedForm,
  reply: Awaited<ReturnType<FeedForm['ask']>>,
  context: CollectContext,
): StoreReview[] | SourceFault {
  try {
    return form.read(reply, context)
  } catch (error) {
    if (!(error instanceof SourceFault) || error.kind === 'throttled' || error.kind === 'credentials') throw error
    return error.kind === 'gone'
      ? new SourceFault('shape_changed', `there is no ${form.name} feed of the app`, { cause: error })
      : error
  }
}

async function ensureApp(context: CollectContext, { id, country }: App): Promise<void> {
  const url = new URL(`https://${HOST}/lookup`)
  url.searchParams.set('id', id)
  url.searchParams.set('country', country)
  const reply = await context.fetch(url.href, { cost: { requests: 1, lookups: 1 } })
  if (reply.status === 400 && reply.body.includes('[country]'))
    throw new SourceFault('gone', `there is no storefront ${country}`)
  refuse(reply, context.at)
  if (readJson(reply, lookupReply, context.at).resultCount === 0)
    throw new SourceFault('gone', `the storefront ${country} has no app ${id}`)
}

// Answers of developers

/**
 * Developers' answers from the list of the store's program, back to `since`. The feeds lack them, and a stored review
 * would lose its answer. The list is undocumented, so its faults only cost the answers.
 */
function answers(
  context: CollectContext,
  app: App,
): (reviews: readonly StoreReview[], since: Date) => Promise<StoreReview[]> {
  const found = new Map<string, StoreReview['response']>()
  let windows = 0
  let passedMs = Number.POSITIVE_INFINITY
  let over = false
  return async (reviews, since) => {
    const untold = reviews.filter(({ response }) => response === undefined)
    const wanted = untold.filter(({ updated }) => updated >= since)
    while (!over && (windows === 0 ? untold.length > 0 : wanted.some(isAhead))) await readWindow()
    return reviews.map((review) => ({ ...review, response: review.response ?? found.get(review.id) }))
  }

  function isAhead({ id, updated }: StoreReview): boolean {
    return !found.has(id) && updated.getTime() <= passedMs
  }

  async function readWindow(): Promise<void> {
    try {
      const reviews = readRow(await askRow(context, app, windows * ROW_SIZE, (windows + 1) * ROW_SIZE), context)
      windows += 1
      for (const { id, updated, response } of reviews) {
        found.set(id, response)
        passedMs = Math.min(passedMs, updated.getTime())
      }
      over = reviews.length === 0 || windows === MOST_WINDOWS
    } catch (error) {
      if (!(error instanceof SourceFault) || error instanceof QuotaReached || error instanceof TooFast) throw error
      context.log.warn(
        { event: 'source.answers_missing', err: error, platform: 'appstore', app: app.id, fault: error.kind },
        'Answers of developers could not be read',
      )
      over = true
    }
  }
}
