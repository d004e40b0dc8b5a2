import { nextRunOf } from '../../domain/alert/rule-schedule.ts'
import { periodOf, timetableOf } from '../../domain/alert/schedule.ts'
import type { StoredAlert } from '../../store/alert/alerts.ts'
import { readSentDigest } from '../../store/alert/digests.ts'
import type { Reader } from '../../store/database.ts'

/**
 * The first run of a rule after an instant that has a digest to send; null for instant rules and while the rule is off.
 * Where the schedule changes, a run may fall into a period whose digest was sent already, such as a second one of the
 * same day.
 */
export async function nextRunToSend(reader: Reader, rule: StoredAlert, after: Date): Promise<Date | null> {
  const timetable = timetableOf(rule)
  let run = nextRunOf(rule, after)
  while (
    timetable !== null &&
    run !== null &&
    (await readSentDigest(reader, rule.workspaceId, rule.id, periodOf(timetable, run).name)) !== null
  )
    run = nextRunOf(rule, run)
  return run
}
