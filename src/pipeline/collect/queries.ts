import { HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import { underAny } from '../../kernel/under-any.ts'
import { QuotaReached, SourceFault } from '../../sources/contract.ts'
import { LeaseLost, type SourceLease } from '../../store/source/source-leases.ts'
import {
  type DueQuery,
  noteUnpolled,
  readDueQueries,
  readNextDue,
  setAside,
} from '../../store/source/source-queries.ts'
import { pauseSource } from '../../store/source/source-quotas.ts'
import { backOffMs, type CollectOptions, CREDENTIALS_MS, reportFailure } from './collect.ts'
import { baseMs } from './intervals.ts'
import { type AskedSource, pollQueries } from './query-poll.ts'

/** Polls of one platform at once: nobody keeps more connections to one host. */
const AT_ONCE = 2
/** What no running keyword asks for is looked at again after this long; whoever runs again has its turn before. */
const ASIDE_MS = 6 * HOUR_MS
/** The database is asked for due queries this often although nothing was heard: a notification may be lost. */
const LONGEST_SLEEP_MS = 30 * SECOND_MS
/**
 * Asks one platform for everything that is due, as long as `signal` is not aborted and the lease holds. `wakes` is told
 * when something may be due before its time.
 */
export async function runQueries(
  source: AskedSource,
  lease: SourceLease,
  options: CollectOptions,
  wakes: (ring: () => void) => void,
  signal: AbortSignal,
): Promise<void> {
  const lost = new AbortController()
  await underAny([signal, lost.signal], (ending) => askWhatIsDue(source, lease, options, wakes, { lost, ending }))
}

async function askWhatIsDue(
  source: AskedSource,
  lease: SourceLease,
  options: CollectOptions,
  wakes: (ring: () => void) => void,
  { lost, ending }: { lost: AbortController; ending: AbortSignal },
): Promise<void> {
  const { db, clock } = options
  const { platform } = source
  const wakeUp = new WakeUp(clock)
  wakes(wakeUp.wake)
  const asking = new Map<readonly DueQuery[], Promise<void>>()
  const askedFor = () => [...asking.keys()].flat().map(({ key }) => key)
  let restUntilMs = 0
  let failures = 0

  const poll = async (queries: readonly DueQuery[]) => {
    try {
      const { made, fault, settled } = await pollQueries(source, queries, lease, options, ending)
      options.metrics.queriesPolled.inc({ platform, outcome: made > 0 ? 'found' : 'empty' }, queries.length)
      options.log.info({ platform, queries: queries.length, mentions: made }, 'asked')
      if (fault) await rest(queries, fault, settled)
      else failures = 0
    } catch (error) {
      if (error instanceof LeaseLost) return lost.abort()
      if (ending.aborted) return
      options.metrics.queriesPolled.inc({ platform, outcome: 'failed' }, queries.length)
      await rest(queries, error, false)
    } finally {
      asking.delete(queries)
      wakeUp.wake()
    }
  }
  const rest = async (queries: readonly DueQuery[], error: unknown, settled: boolean) => {
    const trouble = troubleOf(source, queries, error, failures + 1)
    if (trouble.counts) failures += 1
    const noted = await note(
      { source, queries, error, trouble: settled ? { ...trouble, query: null } : trouble },
      lease,
      options,
    )
    const restMs = noted ? trouble.restMs : Math.max(trouble.restMs, backOffMs(error, failures))
    restUntilMs = Math.max(restUntilMs, clock.monotonicMs() + restMs)
  }
  /** Begins with what is due longest; answers how long there is nothing else to do. */
  const look = async (): Promise<number> => {
    const restMs = restUntilMs - clock.monotonicMs()
    if (restMs > 0) return restMs
    if (asking.size >= AT_ONCE) return LONGEST_SLEEP_MS
    const at = clock.now()
    const due = await readDueQueries(db, { platform, at, except: askedFor(), limit: portionOf(source) })
    const unwanted = due.filter(({ since }) => since === null).map(({ key }) => key)
    if (unwanted.length > 0) await setAside(db, platform, unwanted, plus(at, ASIDE_MS))
    const queries = firstPack(
      source,
      due.filter(({ since }) => since !== null),
    )
    if (queries.length > 0) asking.set(queries, poll(queries))
    if (due.length > 0) return 0
    const next = await readNextDue(db, platform, askedFor())
    return next === null ? LONGEST_SLEEP_MS : Math.min(LONGEST_SLEEP_MS, Math.max(1, next.getTime() - at.getTime()))
  }
  while (!ending.aborted) {
    wakeUp.clear()
    const sleepMs = await look().catch((error: unknown) => {
      options.log.warn({ err: error, platform }, 'could not look for what is due; trying again')
      return backOffMs(error, 3)
    })
    if (sleepMs > 0) await wakeUp.sleep(sleepMs, ending)
  }
  await Promise.all(asking.values())
}

function portionOf(source: AskedSource): number {
  return source.mode === 'page' ? 8 : Math.max(8, 2 * source.searching.termsPerSearch)
}

/**
 * What is asked together with the query that is due longest: queries that reach back alike, as many as fit one request.
 * The more often one was asked in vain, the fewer others it is asked with: it may be the reason, or have too much to
 * tell.
 */
function firstPack(source: AskedSource, due: readonly DueQuery[]): readonly DueQuery[] {
  const [first, ...others] = due
  if (first === undefined) return []
  if (source.mode === 'page') return [first]
  const { termsPerSearch, fits } = source.searching
  const most = ({ failures }: DueQuery) => Math.max(1, Math.floor(termsPerSearch / 2 ** Math.min(failures, 10)))
  const pack = [first]
  let room = most(first)
  for (const query of others) {
    if (pack.length >= room) break
    if (query.lookBack !== first.lookBack || most(query) <= pack.length) continue
    const terms = [...pack, query].map(({ term }) => term ?? '')
    if (!(fits?.(terms) ?? true)) continue
    pack.push(query)
    room = Math.min(room, most(query))
  }
  return pack
}

/** What follows from a failure. */
interface Trouble {
  /** For how long the platform is left alone by this process. */
  restMs: number
  /** Whether the failures of the platform in a row grow by it, and with them the next rest. */
  counts: boolean
  /** Whether people are to be told that the platform fares badly. */
  told: boolean
  /** For how long every process leaves the platform alone. */
  pauseMs: number
  /**
   * When what was asked for has its turn again, and how many failures that adds to it; null to leave its turn as it is.
   */
  query: { afterMs: number; failures: number } | null
}

/** So many failures at once that a query is asked alone from then on. */
const ALONE = 10
/** After any failure the platform is left alone for a moment, whatever it was about. */
const LEAST_REST_MS = SECOND_MS

function troubleOf(source: AskedSource, queries: readonly DueQuery[], error: unknown, failures: number): Trouble {
  const backOff = backOffMs(error, failures)
  const asked = error instanceof SourceFault ? (error.retryAfterSeconds ?? 0) * SECOND_MS : 0
  const base = { restMs: backOff, counts: true, told: true, pauseMs: 0, query: { afterMs: backOff, failures: 0 } }
  if (!(error instanceof SourceFault)) return { ...base, query: { afterMs: backOff, failures: 1 } }
  // The platform fares well; it is ours to wait.
  if (error instanceof QuotaReached) {
    const afterMs = Math.max(LEAST_REST_MS, asked)
    return { restMs: afterMs, counts: false, told: error.daily, pauseMs: 0, query: { afterMs, failures: 0 } }
  }
  // Nothing is asked for under an address of its own but a page.
  if (error.onlyThis && (error.kind !== 'gone' || source.mode === 'page')) {
    const afterMs = Math.max(asked, error.kind === 'gone' ? baseMs(source) : backOff)
    return { restMs: LEAST_REST_MS, counts: false, told: false, pauseMs: 0, query: { afterMs, failures: ALONE } }
  }
  if (error.kind === 'throttled') return { ...base, pauseMs: backOff }
  if (error.kind === 'credentials')
    return { ...base, restMs: CREDENTIALS_MS, query: { afterMs: CREDENTIALS_MS, failures: 0 } }
  if (error.kind === 'unavailable') return { ...base, query: { afterMs: backOff, failures: 1 } }
  // Where one answer has another form, that of another question may not: only what was asked for waits.
  const inVain = Math.max(...queries.map((query) => query.failures))
  const afterMs = Math.min(baseMs(source), MINUTE_MS * 2 ** Math.min(Math.floor(inVain / ALONE), 10))
  return { ...base, restMs: LEAST_REST_MS, query: { afterMs, failures: ALONE } }
}

/** Writes down what went wrong; false when that could not be done either. */
async function note(
  {
    source,
    queries,
    error,
    trouble,
  }: { source: AskedSource; queries: readonly DueQuery[]; error: unknown; trouble: Trouble },
  lease: SourceLease,
  options: CollectOptions,
): Promise<boolean> {
  const { db, clock, log } = options
  const { platform } = source
  if (trouble.pauseMs > 0)
    await pauseSource(db, platform, plus(clock.now(), trouble.pauseMs)).catch((failure: unknown) =>
      log.warn({ err: failure, platform }, 'the pause could not be noted'),
    )
  const keys = queries.map(({ key }) => key)
  return await reportFailure(source, lease, { ...options, told: trouble.told }, error, async (tx, message) => {
    if (trouble.query === null) return
    const { afterMs, failures } = trouble.query
    await noteUnpolled(tx, platform, { keys, error: message, dueAt: plus(clock.now(), afterMs), failures })
  })
}
