import type { Post } from '../../domain/post/post.ts'
import { DAY_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { TimeUp, withinTime } from '../../kernel/concurrency/time-limit.ts'
import {
  type CollectContext,
  QuotaReached,
  quotaPlatform,
  type Searching,
  type SearchQuery,
  type Source,
  SourceFault,
  type SourceFaultKind,
  type SourceSetup,
} from '../../sources/contract.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import { pauseSource } from '../../store/source/source-quotas.ts'
import type { Services } from '../writing.ts'

export const SEARCH_STATUSES = ['ok', 'unavailable', 'timeout', 'not_configured'] as const
export type SearchStatus = (typeof SEARCH_STATUSES)[number]

export interface PlatformAnswer {
  setup: SourceSetup
  status: SearchStatus
  /** May be non-empty after a failure. */
  posts: Post[]
  tookMs: number
  /** Null after a timeout. `spent`: the day's quota is used up. `slow`: longer than a caller waits. */
  trouble: SourceFaultKind | 'not_configured' | 'spent' | 'slow' | null
  retryAfterSeconds: number | null
}

const DEADLINE_MS = 10 * SECOND_MS
/** For platforms without their own limit. */
const LOOK_BACK_DAYS = 30
/** When the platform gives no time. */
const PAUSE_SECONDS = 30

export function isSearchable({ source }: SourceSetup): boolean {
  const searching = searchingOf(source)
  return searching !== undefined && !searching.slow
}

/** Failures of the platform are part of the answer; database failures are thrown. */
export async function askPlatform(
  services: Services,
  setup: SourceSetup,
  wanted: { term: string; limit: number },
  signal: AbortSignal,
): Promise<PlatformAnswer> {
  const { source } = setup
  const searching = searchingOf(source)
  if (!source || !searching || searching.slow)
    return {
      setup,
      status: 'not_configured',
      posts: [],
      tookMs: 0,
      trouble: searching?.slow ? 'slow' : 'not_configured',
      retryAfterSeconds: null,
    }
  const { clock, sources } = services
  const beganMs = clock.monotonicMs()
  const posts = new Map<string, Post>()
  const query = { terms: [wanted.term], since: plus(clock.now(), -lookBackDays(source) * DAY_MS), limit: wanted.limit }
  const outcome = await withinTime({ clock, limitMs: DEADLINE_MS, signal }, (ending) =>
    gather(services, { source, searching, context: sources.contextFor(source, clock.now(), ending) }, query, posts),
  ).catch((error: unknown) => brokenOff(error, signal))
  return { setup, ...outcome, posts: [...posts.values()], tookMs: Math.round(clock.monotonicMs() - beganMs) }
}

function searchingOf(source: Source | null): Searching | undefined {
  return source && 'searching' in source ? source.searching : undefined
}

function lookBackDays(source: Source): number {
  return source.mode === 'search' ? source.lookBackDays : LOOK_BACK_DAYS
}

type Outcome = Pick<PlatformAnswer, 'status' | 'trouble' | 'retryAfterSeconds'>

interface Asked {
  source: Source
  searching: Searching
  context: CollectContext
}

async function gather(
  services: Services,
  asked: Asked,
  query: SearchQuery,
  posts: Map<string, Post>,
): Promise<Outcome> {
  const { searching, context } = asked
  try {
    for await (const batch of searching.search(context, query)) {
      context.signal.throwIfAborted()
      for (const post of batch) if (posts.size < query.limit) posts.set(post.nativeId, post)
      if (posts.size >= query.limit) break
    }
    return { status: 'ok', trouble: null, retryAfterSeconds: null }
  } catch (error) {
    if (context.signal.aborted || error instanceof DatabaseUnavailable) throw error
    return await failed(services, asked, error)
  }
}

/** Other errors are our defects, and must not fail the other platforms' answers. */
async function failed(services: Services, { source, context: { log } }: Asked, error: unknown): Promise<Outcome> {
  if (!(error instanceof SourceFault)) {
    log.error({ event: 'search.failed', err: error }, 'A live search failed')
    return { status: 'unavailable', trouble: 'unavailable', retryAfterSeconds: null }
  }
  log.warn(
    { event: 'search.platform_failed', err: error, fault: error.kind },
    'A platform did not answer a live search',
  )
  if (asksToBeLeftAlone(error)) await leaveAlone(services, source, error)
  return {
    status: 'unavailable',
    trouble: error.daily ? 'spent' : error.kind,
    retryAfterSeconds: error.retryAfterSeconds,
  }
}

/** Our own quotas are known to all processes. */
function asksToBeLeftAlone(error: SourceFault): boolean {
  return error.kind === 'throttled' && !(error instanceof QuotaReached) && !error.onlyThis
}

/** Polls and other callers wait too, at most a day. */
async function leaveAlone({ db, clock }: Services, source: Source, { retryAfterSeconds }: SourceFault): Promise<void> {
  const pauseMs = Math.min(DAY_MS, (retryAfterSeconds ?? PAUSE_SECONDS) * SECOND_MS)
  await pauseSource(db, quotaPlatform(source), plus(clock.now(), pauseMs))
}

function brokenOff(error: unknown, signal: AbortSignal): Outcome {
  if (error instanceof TimeUp) return { status: 'timeout', trouble: null, retryAfterSeconds: null }
  // Nobody waits for the answer any more.
  if (signal.aborted) return { status: 'unavailable', trouble: 'unavailable', retryAfterSeconds: null }
  throw error
}
