import { z } from 'zod'
import { boundedMemory } from '../bounded-memory.ts'
import { type CollectContext, MONEY, QuotaReached, SourceFault, type SourceReply } from '../contract.ts'
import { faultOfStatus, readJson, saidIn } from '../reply-fault.ts'

export const APIFY_HOST = 'api.apify.com'
const API = `https://${APIFY_HOST}/v2`
/**
 * A run is ended by Apify after this time. The wait for the reply is a little longer, so that a run seldom outlives it.
 */
const RUN_SECONDS = 110
const RUN_TIMEOUT_MS = 125_000
/**
 * A run answers for what it was asked for during this time: a poll that fails comes back well within it, and polls that
 * cost money are hours apart.
 */
const RUN_SERVES_MS = 3_600_000
const STILL_RUNNING_WAIT_SECONDS = 60
/** Newest runs that are looked at; an hour of packed polls stays far below it. */
const MOST_RUNS = 200
const REMEMBERED_INPUTS = 1000
const MOST_ITEMS = 10_000
/** Actors that charge by the item also charge for their start, up to a cent. */
export const START_MICRO_USD = 10_000
/** With money for fewer items a run is not worth its start: the day is over. */
const FEWEST_ITEMS = 10
/** Some actors refuse a charge below a minimum of their own; one above this is not agreed to without the operator. */
const HIGHEST_MINIMUM_MICRO_USD = 1_000_000

/** What an actor is to look for. */
export interface ActorTask {
  /** The field of the actor's input that holds the list of what is looked for, such as `searchQueries`. */
  list: string
  /** The entries of that list. */
  wanted: readonly string[]
  /** The other fields of the input. */
  input: Readonly<Record<string, string | number | boolean>>
  /** Most items that an entry may bring. */
  itemsPerEntry: number
  /** The highest price that the actor asks for an item. */
  itemMicroUsd: number
}

/**
 * The items that the actor found, in its own order and form, in a portion for each run that they come from. What one
 * run brought was paid for, so it is handed over before the trouble with another run is thrown.
 */
export type RunActor = (context: CollectContext, task: ActorTask) => AsyncIterable<unknown[]>

const runShape = z.object({
  id: z.string().regex(/^\w{1,64}$/),
  status: z.string(),
  startedAt: z.iso.datetime(),
  defaultDatasetId: z.string().regex(/^\w{1,64}$/),
  defaultKeyValueStoreId: z.string().regex(/^\w{1,64}$/),
})
const runList = z.object({ data: z.object({ items: z.array(runShape).max(MOST_RUNS) }) })
const itemList = z.array(z.unknown()).max(MOST_ITEMS)
const refusal = z.object({ error: z.object({ type: z.string(), message: z.string().catch('') }) })
const inputShape = z.record(z.string(), z.unknown()).catch({})
/** How actors say inside their results that something was not found, or did not work. */
const complaint = z.union([
  z.object({ noResults: z.literal(true) }),
  z.object({ error: z.string().min(1), errorDescription: z.string().nullish().catch(null) }),
])

type Run = z.infer<typeof runShape>
type Input = z.infer<typeof inputShape>
const UNDER_WAY = new Set(['READY', 'RUNNING', 'TIMING-OUT', 'ABORTING'])

/**
 * An actor of Apify, run while the request waits. Starting a run costs money and cannot be undone, and its reply can
 * get lost, so a run is never started before the actor's runs of the last hour were looked through: what one of them
 * was asked for is read from its results, or waited for while it is still going on. So neither a repeated poll nor a
 * process that starts anew pays twice for the same. A run that failed is not started again within that hour either.
 */
export function apify({
  token,
  actor,
  dailyMicroUsd,
}: {
  token: string
  actor: string
  dailyMicroUsd: number
}): RunActor {
  const actorUrl = `${API}/acts/${encodeURIComponent(actor.replace('/', '~'))}`
  const headers = { authorization: `Bearer ${token}` }
  const inputs = boundedMemory<Input>({ most: REMEMBERED_INPUTS })
  let leastMicroUsd = 0

  return async function* run(context, task) {
    const open = new Set(task.wanted)
    const notes = actorNotes(context)
    let trouble: SourceFault | null = null
    for (const earlier of await recentRuns(context)) {
      if (open.size === 0) break
      const answered = answeredBy(await inputOf(context, earlier), task, open)
      if (answered.length === 0) continue
      for (const entry of answered) open.delete(entry)
      try {
        yield notes.without(await resultsOf(context, earlier))
      } catch (error) {
        if (!(error instanceof SourceFault && error.onlyThis)) throw error
        trouble ??= error
      }
    }
    if (open.size > 0) yield notes.without(await start(context, { ...task, wanted: [...open] }))
    if (trouble) throw trouble
    notes.judge()
  }

  /** Newest first. An actor that is not there has no runs; that it is not there is said when it is started. */
  async function recentRuns(context: CollectContext): Promise<Run[]> {
    const sinceMs = context.at.getTime() - RUN_SERVES_MS
    const query = new URLSearchParams({
      desc: '1',
      limit: String(MOST_RUNS),
      startedAfter: new Date(sinceMs).toISOString(),
    })
    const reply = await context.fetch(`${actorUrl}/runs?${query}`, { headers })
    if (reply.status === 404) return []
    return readReply(reply, runList, context).data.items.filter((run) => Date.parse(run.startedAt) >= sinceMs)
  }

  async function inputOf(context: CollectContext, { id, defaultKeyValueStoreId }: Run): Promise<Input> {
    const known = inputs.get(id)
    if (known) return known
    const reply = await context.fetch(`${API}/key-value-stores/${defaultKeyValueStoreId}/records/INPUT`, { headers })
    const input = reply.status === 404 ? {} : readReply(reply, inputShape, context)
    inputs.set(id, input)
    return input
  }

  async function resultsOf(
    context: CollectContext,
    { id, status, startedAt, defaultDatasetId }: Run,
  ): Promise<unknown[]> {
    if (UNDER_WAY.has(status)) throw troubleOf(`run ${id} at Apify is still going on`, STILL_RUNNING_WAIT_SECONDS)
    const query = new URLSearchParams({ clean: 'true', format: 'json', limit: String(MOST_ITEMS) })
    const reply = await context.fetch(`${API}/datasets/${defaultDatasetId}/items?${query}`, { headers })
    if (reply.status === 404) throw troubleOf(`the results of run ${id} at Apify are not there`, null)
    const items = readReply(reply, itemList, context)
    context.log.info(
      { run: id, status, items: items.length },
      'took the results of a run at Apify that was started before',
    )
    if (status === 'SUCCEEDED' || items.length > 0) return items
    const waitMs = Date.parse(startedAt) + RUN_SERVES_MS - context.at.getTime()
    throw troubleOf(`run ${id} at Apify ended as ${status} without results`, Math.max(1, Math.ceil(waitMs / 1000)))
  }

  /** Pays. Nothing but a refusal for too low a charge, by which Apify says that no run was started, is asked again. */
  async function start(context: CollectContext, task: ActorTask): Promise<unknown[]> {
    const expectedMicroUsd = START_MICRO_USD + task.wanted.length * task.itemsPerEntry * task.itemMicroUsd
    // A cap below a single item must not become a run without a limit: the budget refuses what it cannot pay for.
    const mostMicroUsd = Math.max(
      START_MICRO_USD + task.itemMicroUsd,
      Math.min(dailyMicroUsd, Math.max(leastMicroUsd, expectedMicroUsd)),
    )
    const { reply, takenMicroUsd } = await postWithin(context, task, mostMicroUsd)
    const demandedMicroUsd = demandedBy(reply)
    if (
      demandedMicroUsd === null ||
      demandedMicroUsd <= takenMicroUsd ||
      demandedMicroUsd > Math.min(dailyMicroUsd, HIGHEST_MINIMUM_MICRO_USD)
    ) {
      return bought(context, task, reply, takenMicroUsd)
    }
    leastMicroUsd = demandedMicroUsd
    return bought(context, task, await post(context, task, demandedMicroUsd), demandedMicroUsd)
  }

  /**
   * Starts the run with what is left of the day when that is less than it may cost: halved until it fits, because how
   * much is left is not told. The actor ends where the charge ends.
   */
  async function postWithin(
    context: CollectContext,
    task: ActorTask,
    mostMicroUsd: number,
  ): Promise<{ reply: SourceReply; takenMicroUsd: number }> {
    const floorMicroUsd = Math.min(
      mostMicroUsd,
      Math.max(leastMicroUsd, START_MICRO_USD + FEWEST_ITEMS * task.itemMicroUsd),
    )
    for (let takenMicroUsd = mostMicroUsd; ; takenMicroUsd = Math.max(floorMicroUsd, Math.floor(takenMicroUsd / 2))) {
      try {
        const reply = await post(context, task, takenMicroUsd)
        if (takenMicroUsd < mostMicroUsd)
          context.log.info({ takenMicroUsd, mostMicroUsd }, 'a run at Apify has less money than it may need')
        return { reply, takenMicroUsd }
      } catch (error) {
        if (!(error instanceof QuotaReached && error.daily) || takenMicroUsd <= floorMicroUsd) throw error
      }
    }
  }

  /**
   * The reply does not say what the run cost: what it brought is counted at the highest price, and the rest of what was
   * taken is given back.
   */
  function bought(
    context: CollectContext,
    { itemMicroUsd }: ActorTask,
    reply: SourceReply,
    takenMicroUsd: number,
  ): unknown[] {
    const items = readReply(reply, itemList, context)
    context.spend({ [MONEY]: Math.min(0, START_MICRO_USD + items.length * itemMicroUsd - takenMicroUsd) })
    return items
  }

  async function post(
    context: CollectContext,
    { list, wanted, input, itemsPerEntry }: ActorTask,
    mostMicroUsd: number,
  ): Promise<SourceReply> {
    const query = new URLSearchParams({
      timeout: String(RUN_SECONDS),
      clean: 'true',
      format: 'json',
      maxItems: String(wanted.length * itemsPerEntry),
      maxTotalChargeUsd: (mostMicroUsd / 1_000_000).toFixed(6),
    })
    const reply = await context.fetch(`${actorUrl}/run-sync-get-dataset-items?${query}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...input, [list]: wanted }),
      cost: { [MONEY]: mostMicroUsd },
      timeoutMs: RUN_TIMEOUT_MS,
    })
    if (neverStarted(reply)) context.spend({ [MONEY]: -mostMicroUsd })
    return reply
  }

  function readReply<Shape extends z.ZodType>(
    reply: SourceReply,
    shape: Shape,
    context: CollectContext,
  ): z.infer<Shape> {
    const fault = faultOf(reply, actor, context.at)
    if (fault) throw fault
    return readJson(reply, shape, context.at)
  }
}

/** What is wrong with one run says nothing about others. */
function troubleOf(message: string, retryAfterSeconds: number | null): SourceFault {
  return new SourceFault('unavailable', message, { retryAfterSeconds, onlyThis: true })
}

/**
 * Which of the open entries a run with this input was asked for, in the same way. Apify adds the actor's defaults to
 * what was sent.
 */
function answeredBy(input: Input, task: ActorTask, open: ReadonlySet<string>): string[] {
  const list = input[task.list]
  if (!Array.isArray(list) || !Object.entries(task.input).every(([field, value]) => input[field] === value)) return []
  return [...new Set(list)].filter((entry): entry is string => open.has(entry as string))
}

/**
 * True when Apify refused to start a run, so that it costs nothing. After a timeout or an error of Apify's own a run
 * may be going on.
 */
function neverStarted(reply: SourceReply): boolean {
  return reply.status >= 400 && reply.status < 500 && reply.status !== 408 && !refusedAs(reply)?.type.startsWith('run-')
}

/**
 * The least charge that the actor demands, in millionths of a dollar; null when that is not what the reply is about.
 */
function demandedBy(reply: SourceReply): number | null {
  const error = reply.status === 400 ? refusedAs(reply) : null
  if (error?.type !== 'max-total-charge-usd-below-minimum') return null
  const [, dollars] = error.message.slice(0, 500).match(/\$\s?(\d{1,4}(?:\.\d{1,6})?)/) ?? []
  return dollars === undefined ? null : Math.ceil(Number(dollars) * 1_000_000)
}

function refusedAs(reply: SourceReply): { type: string; message: string } | null {
  return saidIn(reply, refusal)?.error ?? null
}

function faultOf(reply: SourceReply, actor: string, at: Date): SourceFault | null {
  const { status, headers } = reply
  if (status < 400) return faultOfStatus(status, headers, at)
  const error = refusedAs(reply)
  const words = `Apify: ${(error?.message || `status ${status}`).slice(0, 200)}`
  if (
    error &&
    /^(?:concurrent-runs-limit-exceeded|actor-memory-limit-exceeded|rate-limit-exceeded)$/.test(error.type)
  ) {
    return new SourceFault('throttled', words, {
      retryAfterSeconds: faultOfStatus(429, headers, at)?.retryAfterSeconds ?? null,
    })
  }
  if (error?.type === 'max-total-charge-usd-below-minimum')
    return new SourceFault('credentials', `${words} (more than a run, or the daily cap, allows)`)
  if (error?.type.startsWith('run-')) return new SourceFault('unavailable', words)
  if (status === 402) return new SourceFault('credentials', `${words} (nothing can be charged to this account)`)
  if (status === 404)
    return new SourceFault('credentials', `${words} (is ${actor} the name of an actor that this token may run?)`)
  if (status === 400 || status === 401 || status === 403)
    return new SourceFault(status === 400 ? 'shape_changed' : 'credentials', words)
  return faultOfStatus(status, headers, at)
}

/** What an actor says among its results about what it did not find. */
function actorNotes({ log }: CollectContext) {
  let found = 0
  let notes = 0
  const errors: string[] = []
  return {
    /** The results alone. */
    without(items: readonly unknown[]): unknown[] {
      const good = items.filter((item) => {
        const note = complaint.safeParse(item).data
        if (note === undefined) return true
        notes += 1
        if ('error' in note && !isNothing(note.error))
          errors.push(`${note.error} ${note.errorDescription ?? ''}`.trim().slice(0, 200))
        return false
      })
      found += good.length
      return good
    },
    /** When there was nothing but errors, the run has not worked. */
    judge(): void {
      if (notes > 0)
        log.warn(
          { notes, errors: errors.length, first: errors[0] ?? null },
          'an actor at Apify says that it has not found everything',
        )
      if (found === 0 && errors.length > 0 && errors.length === notes)
        throw new SourceFault('unavailable', `the actor at Apify found nothing but errors: ${errors[0]}`)
    },
  }
}

function isNothing(error: string): boolean {
  return /no[ _-]?(?:items|results|posts|videos|data)|not[ _-]?found|empty/i.test(error.slice(0, 200))
}
