import { nextRunAfter, timetableOf } from '../../domain/alert/schedule.ts'
import { runToSend } from '../../domain/delivery/due-digest.ts'
import { MINUTE_MS, plus } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { readAlert } from '../../store/alert/alerts.ts'
import { type DueRule, holdDueRule, putOffRun, readDueRules, setNextRun } from '../../store/alert/digests.ts'
import type { Services } from '../writing.ts'
import { makeDigest } from './make-digest.ts'

const BATCH = 1000
/** So that a slow rule does not delay the others. */
const AT_ONCE = 3
/** Puts a failed rule behind those due by then. */
const TRIED_AGAIN_MS = MINUTE_MS

/**
 * Makes the digest of every due rule, each in a transaction with its next run, so that each is made once by any number
 * of processes. Workspaces alternate. A failing rule is postponed until its digest is too old. Returns how many ran.
 */
export async function sendDigests(services: Services): Promise<number> {
  const at = services.clock.now()
  let done = 0
  for (;;) {
    const rules = await readDueRules(services.db, at, BATCH)
    const ran = await runRules(services, rules)
    done += ran
    // Other processes hold the remaining rules.
    if (rules.length < BATCH || ran === 0) return done
  }
}

/** Waits for all runs before it rejects. */
async function runRules(services: Services, rules: readonly DueRule[]): Promise<number> {
  const waiting = rules.values()
  let done = 0
  let hasStopped = false
  const runInTurn = async () => {
    for (const rule of waiting) {
      if (hasStopped) return
      if (await runRule(services, rule)) done += 1
    }
  }
  const stop = (error: unknown) => {
    hasStopped = true
    throw error
  }
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => runInTurn().catch(stop)))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return done
}

/** Rejects only when the database cannot even postpone the rule. */
async function runRule(services: Services, rule: DueRule): Promise<boolean> {
  try {
    return await sendDigest(services, rule)
  } catch (error) {
    await putOffRun(services.db, rule, plus(services.clock.now(), TRIED_AGAIN_MS))
    services.log.error(
      {
        event: 'digest.failed',
        err: error,
        alertId: toId('feed', rule.id),
        workspaceId: toId('org', rule.workspaceId),
      },
      'The digest of a rule could not be made',
    )
    return false
  }
}

/**
 * Returns false if another process ran the rule. Of several missed runs only the last is made up for; the next digest
 * covers the others, as far as `digestWindow` reaches.
 */
async function sendDigest({ db, clock }: Services, rule: DueRule): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const at = clock.now()
    if (!(await holdDueRule(tx, rule, at))) return false
    const alert = await readAlert(tx, rule.workspaceId, rule.id)
    const timetable = alert && timetableOf(alert)
    if (!timetable) throw new Error('a rule without runs is due')
    const run = runToSend(timetable, at)
    if (run !== null && alert.channelIds.length > 0)
      await makeDigest(tx, { clock }, alert, { ...run, to: run.period.to })
    await setNextRun(tx, rule, nextRunAfter(timetable, at))
    return true
  })
}
