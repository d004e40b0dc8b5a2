import { isDeepStrictEqual } from 'node:util'
import { type AlertMode, defaultEventOf, type Schedule } from '../../domain/alert/mode.ts'
import { beginsDigests, runsLike, scheduleFor, scheduleKept } from '../../domain/alert/rule-schedule.ts'
import { progressFrom } from '../../domain/delivery/due-digest.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { AlertView } from '../../queries/alerts/alert-shape.ts'
import { getAlert, noSuchAlert } from '../../queries/alerts/get-alert.ts'
import { lockAlert, type StoredAlert, updateAlert as storeAlert } from '../../store/alert/alerts.ts'
import { writeDigestProgress } from '../../store/alert/digests.ts'
import { missingInFilter } from '../mentions/missing-in-filter.ts'
import type { Writing } from '../writing.ts'
import { type ChannelRefusal, channelsFrom } from './channels-from.ts'
import { nextRunToSend } from './next-run-to-send.ts'

/** What changes; an absent field stays, filter, channels and schedule are replaced as a whole. */
export interface AlertChange {
  name?: string | undefined
  /**
   * Without an event of its own the rule takes that of the new mode, and the schedule stays as far as the new mode has
   * one.
   */
  mode?: AlertMode | undefined
  /** Null stands for the event of the mode. */
  event?: string | null | undefined
  filter?: MentionFilter | undefined
  channelIds?: readonly Uuid[] | undefined
  schedule?: Schedule | null | undefined
  enabled?: boolean | undefined
  /** The version that the caller has read. */
  ifVersion?: number | undefined
}

/**
 * Changes a rule; a change that changes nothing leaves its version. Deliveries that it has caused already are sent all
 * the same. The next digest is due at the first time of the new schedule that is still to come and whose period has
 * none yet.
 */
export async function updateAlert(
  writing: Writing,
  id: Uuid,
  change: AlertChange,
): Promise<AlertView | Refusal<ChannelRefusal | 'not_found' | 'stale_version' | 'validation_error'>> {
  const { db, workspaceId, clock } = writing
  const refusal = await db.transaction(async (tx) => {
    const alert = await lockAlert(tx, workspaceId, id)
    if (alert === null) return noSuchAlert()
    if (change.ifVersion !== undefined && change.ifVersion !== alert.version)
      return refuse('stale_version', `The rule has version ${alert.version} by now; read it again`)
    const mode = change.mode ?? alert.mode
    const schedule = scheduleFor(
      mode,
      change.schedule === undefined ? scheduleKept(mode, alert.schedule) : change.schedule,
    )
    if (isRefusal(schedule)) return schedule
    const channelIds = await channelsFrom(tx, workspaceId, mode, change.channelIds ?? alert.channelIds)
    if (isRefusal(channelIds)) return channelIds
    const missing = change.filter === undefined ? null : await missingInFilter(tx, workspaceId, change.filter)
    if (missing !== null) return missing
    const changed = {
      ...alert,
      name: change.name ?? alert.name,
      mode,
      event: change.event ?? eventIn(mode, change.event === null ? null : alert),
      filter: change.filter ?? alert.filter,
      schedule,
      enabled: change.enabled ?? alert.enabled,
      channelIds,
    }
    const at = clock.now()
    const timed = runsLike(changed, alert) ? changed : { ...changed, nextRunAt: await nextRunToSend(tx, changed, at) }
    if (!isDeepStrictEqual(timed, alert)) await storeAlert(tx, { ...timed, version: alert.version + 1 })
    if (beginsDigests(timed, alert)) await writeDigestProgress(tx, workspaceId, id, progressFrom(at))
    return null
  })
  // What a rule has sent is counted when nothing is locked any more.
  return refusal ?? (await getAlert(writing, id))
}

/**
 * The event of a rule that changes to a mode: its own, unless it only had that of its mode, or has to have none of its
 * own.
 */
function eventIn(mode: AlertMode, alert: StoredAlert | null): string {
  return alert === null || alert.event === defaultEventOf(alert.mode) ? defaultEventOf(mode) : alert.event
}
