import type { CollectContext, ReviewPageQuery } from '../contract.ts'
import type { ActorTask, RunActor } from '../providers/actor-task.ts'
import { START_MICRO_USD } from '../providers/run-starter.ts'
import { actorPlace } from './wire.ts'

/** Listed at 500 micro-dollars per review, less on larger plans; the margin covers a price change. */
const REVIEW_MICRO_USD = 600
/** More than most places get in the thirty days of a first read. */
const MOST_REVIEWS = 500

/** Newest first. */
export async function askActor(
  context: CollectContext,
  run: RunActor,
  asked: { page: ReviewPageQuery; since: Date; dailyMicroUsd: number },
): Promise<unknown[]> {
  const task = taskFor(asked)
  const rows: unknown[] = []
  for await (const portion of run(context, task)) rows.push(...portion)
  const reviews = reviewsAmong(rows)
  if (reviews.length >= task.itemsPerEntry)
    context.log.warn(
      { event: 'source.reviews_cut', platform: 'googlemaps', page: asked.page.id },
      'There are more new reviews than were read',
    )
  return reviews
}

function taskFor({
  page,
  since,
  dailyMicroUsd,
}: {
  page: ReviewPageQuery
  since: Date
  dailyMicroUsd: number
}): ActorTask {
  const most = Math.max(1, Math.min(MOST_REVIEWS, Math.floor((dailyMicroUsd - START_MICRO_USD) / REVIEW_MICRO_USD)))
  return {
    list: 'placeIds',
    wanted: [page.id],
    itemsPerEntry: most,
    itemMicroUsd: REVIEW_MICRO_USD,
    input: {
      maxReviews: most,
      reviewsSort: 'newest',
      // A day only, so that a repeated poll reuses the paid run.
      reviewsStartDate: since.toISOString().slice(0, 10),
      reviewsOrigin: 'google',
      language: page.language ?? 'en',
      personalData: true,
    },
  }
}

/** The actor adds a row about the place and reviews of other sites, whose stars and ids are not Google's. */
function reviewsAmong(rows: readonly unknown[]): unknown[] {
  let places = 0
  return rows.filter((row) => {
    if (isOfAnotherSite(row)) return false
    if (!actorPlace.safeParse(row).success) return true
    places += 1
    // Reviews that lost their fields must not pass for the row about the place.
    return places > 1
  })
}

function isOfAnotherSite(row: unknown): boolean {
  const origin = typeof row === 'object' && row !== null && 'reviewOrigin' in row ? row.reviewOrigin : null
  return typeof origin === 'string' && origin !== '' && origin.toLowerCase() !== 'google'
}
