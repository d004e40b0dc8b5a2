import { nextRunOf } from '../../domain/alert/rule-schedule.ts'
import { periodOf, timetableOf } from '../../domain/alert/schedule.ts'
import type { StoredAlert } from '../../store/alert/alerts.ts'
import { readSentDigest } from '../../store/alert/digests.ts'
import type { Reader } from '../../store/database.ts'

/**
 * Null for instant and disabled rules. After a change of the schedule, a run may fall into a period that has its digest
 * already, which is skipped.
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
