import { timetableOf } from '../../domain/alert/schedule.ts'
import { lastRun } from '../../domain/delivery/due-digest.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { noSuchAlert } from '../../queries/alerts/get-alert.ts'
import { lockAlert, type StoredAlert } from '../../store/alert/alerts.ts'
import { readOutcomes } from '../../store/alert/digests.ts'
import type { WritingContext } from '../writing.ts'
import { type MadeDigest, makeDigest } from './make-digest.ts'

export interface AlertRun {
  skipped: MadeDigest['skipped']
  matched: number
  relevant: number
  /** Only channels that have something to report. */
  outcomes: DigestOutcome[]
}

export interface DigestOutcome {
  channelId: Id<'dest'>
  ok: boolean
  error: string | null
}

/** The ten seconds of a slow receiver, and the queue. */
const WAIT_MS = 12 * SECOND_MS
const LOOK_MS = SECOND_MS / 10

/**
 * Sends the digest of the last run up to now through the queue, so that it is logged and retried. Waits for first
 * attempts until `signal` is aborted. A sent digest is not sent again.
 */
export async function runAlert(
  writing: WritingContext,
  id: Uuid,
  signal: AbortSignal,
): Promise<AlertRun | Refusal<'not_found' | 'not_a_digest' | 'rule_disabled' | 'no_channels'>> {
  const { db, clock, workspaceId } = writing
  const made = await db.transaction(async (tx) => {
    const alert = await lockAlert(tx, workspaceId, id)
    if (alert === null) return noSuchAlert()
    const timetable = timetableOf(alert)
    if (timetable === null)
      return refuse('not_a_digest', 'This rule sends mentions one by one. Only digest rules can be run.')
    if (!alert.enabled) return refuse('rule_disabled', 'The rule is disabled. Enable it first.')
    if (alert.channelIds.length === 0) return refuse('no_channels', 'The rule has no channel. Add one first.')
    const at = clock.now()
    const { period } = lastRun(timetable, at)
    // `to` is exclusive.
    const digest = await makeDigest(tx, writing, alert, { period, to: plus(at, 1), dueAt: at })
    return digest === null
      ? refuse('no_channels', 'Every channel of the rule is disabled. Enable one first.')
      : { alert, digest }
  })
  if (isRefusal(made)) return made
  const { skipped, matched, relevant } = made.digest
  return {
    skipped,
    matched,
    relevant,
    outcomes: skipped === null ? await outcomesOf(writing, made.alert, made.digest, signal) : [],
  }
}

async function outcomesOf(
  { db, clock, workspaceId }: WritingContext,
  alert: StoredAlert,
  { deliveries }: MadeDigest,
  signal: AbortSignal,
): Promise<DigestOutcome[]> {
  const ids = [...deliveries.values()].filter((id) => id !== null)
  const endMs = clock.monotonicMs() + WAIT_MS
  let states = await readOutcomes(db, workspaceId, ids)
  while (ids.some((id) => isWaiting(states.get(id))) && clock.monotonicMs() < endMs && !signal.aborted) {
    await clock.wait(LOOK_MS, signal)
    states = await readOutcomes(db, workspaceId, ids)
  }
  return alert.channelIds.flatMap((channelId): DigestOutcome[] => {
    const deliveryId = deliveries.get(channelId)
    if (deliveryId === null) return []
    const error = deliveryId === undefined ? 'the channel is disabled' : errorOf(states.get(deliveryId))
    return [{ channelId: toId('dest', channelId), ok: error === null, error }]
  })
}

function errorOf(state: OutcomeState | undefined): string | null {
  if (state === undefined) return 'the channel was removed'
  if (state.status === 'delivered') return null
  return state.error ?? 'not attempted yet; it is queued'
}

type OutcomeState = Awaited<ReturnType<typeof readOutcomes>> extends Map<Uuid, infer State> ? State : never

/** A postponed delivery has a reason. */
function isWaiting(state: OutcomeState | undefined): boolean {
  return state?.status === 'pending' && state.error === null
}
