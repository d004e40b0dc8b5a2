import { nextRunAfter, timetableOf } from '../../domain/alert/schedule.ts'
import { runToSend } from '../../domain/delivery/due-digest.ts'
import { MINUTE_MS, plus } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { readAlert } from '../../store/alert/alerts.ts'
import { type DueRule, holdDueRule, putOffRun, readDueRules, setNextRun } from '../../store/alert/digests.ts'
import type { Services } from '../writing.ts'
import { makeDigest } from './make-digest.ts'

/** Rules that are read at once. */
const PORTION = 1000
/** Rules that have their run at once: one that takes long does not keep the others waiting. */
const AT_ONCE = 3
/** A rule whose digest could not be made has its next try so much later, behind those that are due by then. */
const TRIED_AGAIN_MS = MINUTE_MS

/**
 * Writes down the digest of every rule that is due, each rule in a transaction of its own together with its next run:
 * whatever ends this between two rules, and however many do it at once or late, each digest is made once. Workspaces
 * take turns. One that cannot be made does not keep the others waiting; it is put off again and again, until it is too
 * late for it. Answers how many rules had their run.
 */
export async function sendDigests(services: Services): Promise<number> {
  const at = services.clock.now()
  let done = 0
  for (;;) {
    const rules = await readDueRules(services.db, at, PORTION)
    const ran = await runRules(services, rules)
    done += ran
    // Those that are left are in the hands of others.
    if (rules.length < PORTION || ran === 0) return done
  }
}

/** Answers how many had their run. Whatever makes one give up, the others have come to an end before that is told. */
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

/** False when there was none. Rejects only where the database cannot even put the rule off. */
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
 * The run of one rule; false when somebody else has done it. Of several that were missed only the last is made up for,
 * and only while a digest of that run would still be tried; what the others would have told is in the next digest, as
 * far as `digestWindow` goes back.
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
