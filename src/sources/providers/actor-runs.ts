import { z } from 'zod'
import { boundedCache } from '../../kernel/concurrency/bounded-cache.ts'
import { type CollectContext, SourceFault } from '../contract.ts'
import type { ActorTask } from './actor-task.ts'
import { itemList, MOST_ITEMS, readReply } from './apify-reply.ts'

export interface ActorPlace {
  /** As the operator wrote it, for messages. */
  actor: string
  apiUrl: string
  actorUrl: string
  headers: Readonly<Record<string, string>>
}

/** A failed poll repeats sooner, and paid polls are hours apart. */
const RUN_SERVES_MS = 3_600_000
const STILL_RUNNING_WAIT_SECONDS = 60
/** An hour of full polls has far fewer. */
const MOST_RUNS = 200
const CACHED_INPUTS = 1000

const runShape = z.object({
  id: z.string().regex(/^\w{1,64}$/),
  status: z.string(),
  startedAt: z.iso.datetime(),
  defaultDatasetId: z.string().regex(/^\w{1,64}$/),
  defaultKeyValueStoreId: z.string().regex(/^\w{1,64}$/),
})
const runList = z.object({ data: z.object({ items: z.array(runShape).max(MOST_RUNS) }) })
const inputShape = z.record(z.string(), z.unknown()).catch({})

type Run = z.infer<typeof runShape>
type Input = z.infer<typeof inputShape>
const UNDER_WAY = new Set(['READY', 'RUNNING', 'TIMING-OUT', 'ABORTING'])

/** Their results are paid and free to read. */
export class ActorRuns {
  private readonly place: ActorPlace
  private readonly inputs = boundedCache<Input>({ most: CACHED_INPUTS })

  constructor(place: ActorPlace) {
    this.place = place
  }

  /** A missing actor has no runs; starting it reports the fault. */
  async recent(context: CollectContext): Promise<Run[]> {
    const { actor, actorUrl, headers } = this.place
    const sinceMs = context.at.getTime() - RUN_SERVES_MS
    const query = new URLSearchParams({
      desc: '1',
      limit: String(MOST_RUNS),
      startedAfter: new Date(sinceMs).toISOString(),
    })
    const reply = await context.fetch(`${actorUrl}/runs?${query}`, { headers })
    if (reply.status === 404) return []
    const { data } = readReply(reply, runList, { actor, at: context.at })
    return data.items.filter((run) => Date.parse(run.startedAt) >= sinceMs)
  }

  /** The open entries that the run was asked for, with the task's other input. */
  async answered(context: CollectContext, run: Run, task: ActorTask, open: ReadonlySet<string>): Promise<string[]> {
    return answeredBy(await this.inputOf(context, run), task, open)
  }

  async results(context: CollectContext, { id, status, startedAt, defaultDatasetId }: Run): Promise<unknown[]> {
    if (UNDER_WAY.has(status)) throw troubleOf(`run ${id} at Apify is still going on`, STILL_RUNNING_WAIT_SECONDS)
    const { actor, apiUrl, headers } = this.place
    const query = new URLSearchParams({ clean: 'true', format: 'json', limit: String(MOST_ITEMS) })
    const reply = await context.fetch(`${apiUrl}/datasets/${defaultDatasetId}/items?${query}`, { headers })
    if (reply.status === 404) throw troubleOf(`the results of run ${id} at Apify are not there`, null)
    const items = readReply(reply, itemList, { actor, at: context.at })
    context.log.info(
      { event: 'apify.run_resumed', run: id, status, items: items.length },
      'Results of an earlier Apify run were taken',
    )
    if (status === 'SUCCEEDED' || items.length > 0) return items
    const waitMs = Date.parse(startedAt) + RUN_SERVES_MS - context.at.getTime()
    throw troubleOf(`run ${id} at Apify ended as ${status} without results`, Math.max(1, Math.ceil(waitMs / 1000)))
  }

  private async inputOf(context: CollectContext, { id, defaultKeyValueStoreId }: Run): Promise<Input> {
    const known = this.inputs.get(id)
    if (known) return known
    const { actor, apiUrl, headers } = this.place
    const url = `${apiUrl}/key-value-stores/${defaultKeyValueStoreId}/records/INPUT`
    const reply = await context.fetch(url, { headers })
    const input = reply.status === 404 ? {} : readReply(reply, inputShape, { actor, at: context.at })
    this.inputs.set(id, input)
    return input
  }
}

function troubleOf(message: string, retryAfterSeconds: number | null): SourceFault {
  return new SourceFault('unavailable', message, { retryAfterSeconds, onlyThis: true })
}

/** Apify adds defaults to the input, so additional fields are ignored. */
function answeredBy(input: Input, task: ActorTask, open: ReadonlySet<string>): string[] {
  const list = input[task.list]
  if (!Array.isArray(list) || !Object.entries(task.input).every(([field, value]) => input[field] === value)) return []
  return [...new Set(list)].filter((entry): entry is string => open.has(entry as string))
}
