import { type CollectContext, SourceFault } from '../contract.ts'
import { ActorNotes } from './actor-notes.ts'
import { type ActorPlace, ActorRuns } from './actor-runs.ts'
import type { ActorTask, RunActor } from './actor-task.ts'
import { RunStarter } from './run-starter.ts'

export const APIFY_HOST = 'api.apify.com'
const API = `https://${APIFY_HOST}/v2`

export interface ApifyOptions {
  token: string
  actor: string
  dailyMicroUsd: number
}

/**
 * A run costs money and its reply may be lost, so the runs of the last hour are reused or awaited first. Neither a
 * repeated poll nor a restart pays twice, and a failed run is not repeated within the hour.
 */
export function apify({ token, actor, dailyMicroUsd }: ApifyOptions): RunActor {
  const place: ActorPlace = {
    actor,
    apiUrl: API,
    actorUrl: `${API}/acts/${encodeURIComponent(actor.replace('/', '~'))}`,
    headers: { authorization: `Bearer ${token}` },
  }
  const runs = new ActorRuns(place)
  const starter = new RunStarter(place, dailyMicroUsd)
  return (context, task) => runActor(runs, starter, context, task)
}

async function* runActor(
  runs: ActorRuns,
  starter: RunStarter,
  context: CollectContext,
  task: ActorTask,
): AsyncIterable<unknown[]> {
  const open = new Set(task.wanted)
  const notes = new ActorNotes(context.log)
  let trouble: SourceFault | null = null
  for (const earlier of await runs.recent(context)) {
    if (open.size === 0) break
    const answered = await runs.answered(context, earlier, task, open)
    if (answered.length === 0) continue
    for (const entry of answered) open.delete(entry)
    try {
      yield notes.without(await runs.results(context, earlier))
    } catch (error) {
      if (!(error instanceof SourceFault && error.onlyThis)) throw error
      trouble ??= error
    }
  }
  if (open.size > 0) yield notes.without(await starter.start(context, { ...task, wanted: [...open] }))
  if (trouble) throw trouble
  notes.judge()
}
