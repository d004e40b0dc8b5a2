import { isDeepStrictEqual } from 'node:util'
import { type AlertMode, defaultEventOf, type Schedule } from '../../domain/alert/mode.ts'
import { beginsDigests, runsLike, scheduleFor, scheduleForMode } from '../../domain/alert/rule-schedule.ts'
import { progressFrom } from '../../domain/delivery/due-digest.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { AlertView } from '../../queries/alerts/alert-shape.ts'
import { getAlert, noSuchAlert } from '../../queries/alerts/get-alert.ts'
import { lockAlert, type StoredAlert, updateAlert as storeAlert } from '../../store/alert/alerts.ts'
import { writeDigestProgress } from '../../store/alert/digests.ts'
import type { Transaction } from '../../store/database.ts'
import { missingInFilter } from '../mentions/missing-in-filter.ts'
import type { WritingContext } from '../writing.ts'
import { type ChannelRefusal, channelsFrom } from './channels-from.ts'
import { nextRunToSend } from './next-run-to-send.ts'

/** Absent fields stay; filter, channels and schedule are replaced as a whole. */
export interface AlertChange {
  name?: string | undefined
  /** Changes the event too, unless one is given, and keeps what the new mode has of the schedule. */
  mode?: AlertMode | undefined
  /** Null means the default of the mode. */
  event?: string | null | undefined
  filter?: MentionFilter | undefined
  channelIds?: readonly Uuid[] | undefined
  schedule?: Schedule | null | undefined
  enabled?: boolean | undefined
  ifVersion?: number | undefined
}

/**
 * Equal values keep the version. Existing deliveries are still sent. The next digest is due at the next time of the new
 * schedule whose period has none yet.
 */
export async function updateAlert(
  writing: WritingContext,
  id: Uuid,
  change: AlertChange,
): Promise<AlertView | Refusal<ChannelRefusal | 'not_found' | 'stale_version' | 'validation_error'>> {
  const { db, workspaceId, clock } = writing
  const refusal = await db.transaction(async (tx) => {
    const alert = await lockAlert(tx, workspaceId, id)
    if (alert === null) return noSuchAlert()
    if (change.ifVersion !== undefined && change.ifVersion !== alert.version)
      return refuse('stale_version', `The rule has version ${alert.version} by now; read it again`)
    const changed = await changedAlert(tx, alert, change)
    if (isRefusal(changed)) return changed
    const at = clock.now()
    const timed = runsLike(changed, alert) ? changed : { ...changed, nextRunAt: await nextRunToSend(tx, changed, at) }
    if (!isDeepStrictEqual(timed, alert)) await storeAlert(tx, { ...timed, version: alert.version + 1 })
    if (beginsDigests(timed, alert)) await writeDigestProgress(tx, workspaceId, id, progressFrom(at))
    return null
  })
  // Sent deliveries are counted without holding locks.
  return refusal ?? (await getAlert(writing, id))
}

async function changedAlert(
  tx: Transaction,
  alert: StoredAlert,
  change: AlertChange,
): Promise<StoredAlert | Refusal<ChannelRefusal | 'not_found' | 'validation_error'>> {
  const { mode = alert.mode, filter = alert.filter } = change
  const schedule = scheduleFor(
    mode,
    change.schedule === undefined ? scheduleForMode(mode, alert.schedule) : change.schedule,
  )
  if (isRefusal(schedule)) return schedule
  const channelIds = await channelsFrom(tx, alert.workspaceId, mode, change.channelIds ?? alert.channelIds)
  if (isRefusal(channelIds)) return channelIds
  const missing = change.filter === undefined ? null : await missingInFilter(tx, alert.workspaceId, filter)
  if (missing !== null) return missing
  const { name = alert.name, enabled = alert.enabled } = change
  const event = change.event ?? eventIn(mode, change.event === null ? null : alert)
  return { ...alert, name, mode, event, filter, schedule, enabled, channelIds }
}

/** A rule keeps its own event, but not the default of its old mode. */
function eventIn(mode: AlertMode, alert: StoredAlert | null): string {
  return alert === null || alert.event === defaultEventOf(alert.mode) ? defaultEventOf(mode) : alert.event
}
