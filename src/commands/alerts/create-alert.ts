import { type AlertMode, defaultEventOf, type Schedule } from '../../domain/alert/mode.ts'
import { beginsDigests, nextRunOf, scheduleFor } from '../../domain/alert/rule-schedule.ts'
import { progressFrom } from '../../domain/delivery/due-digest.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import type { AlertView } from '../../queries/alerts/alert-shape.ts'
import { getAlert } from '../../queries/alerts/get-alert.ts'
import { insertAlert } from '../../store/alert/alerts.ts'
import { writeDigestProgress } from '../../store/alert/digests.ts'
import { missingInFilter } from '../mentions/missing-in-filter.ts'
import { once } from '../once.ts'
import { refusesMore } from '../workspaces/refuses-more.ts'
import type { WritingContext } from '../writing.ts'
import { type ChannelRefusal, channelsFrom } from './channels-from.ts'

export interface NewAlert {
  name: string
  mode: AlertMode
  /** Absent means the default of the mode. */
  event?: string | undefined
  filter: MentionFilter
  channelIds: readonly Uuid[]
  /** For daily and weekly rules. */
  schedule?: Schedule | null | undefined
  enabled: boolean
  requestId?: string | undefined
}

/** Applies to mentions scored from then on. */
export async function createAlert(
  writing: WritingContext,
  { requestId, ...input }: NewAlert,
): Promise<AlertView | Refusal<ChannelRefusal | 'not_found' | 'validation_error' | 'conflict' | 'request_conflict'>> {
  const { clock, workspaceId } = writing
  const { name, mode, event = defaultEventOf(mode), filter, enabled } = input
  const schedule = scheduleFor(mode, input.schedule ?? null)
  if (isRefusal(schedule)) return schedule
  const at = clock.now()
  const id = newUuid(at)
  type Made = AlertView | Refusal<ChannelRefusal | 'not_found' | 'conflict'>
  return once<Made>(writing, { operation: 'create-alert', requestId, body: input }, async (tx) => {
    const missing = await missingInFilter(tx, workspaceId, filter)
    if (missing !== null) return missing
    const full = await refusesMore(tx, workspaceId, 'alerts')
    if (full !== null) return full
    const channelIds = await channelsFrom(tx, workspaceId, mode, input.channelIds)
    if (isRefusal(channelIds)) return channelIds
    const nextRunAt = nextRunOf({ enabled, mode, schedule }, at)
    await insertAlert(tx, {
      workspaceId,
      id,
      name,
      enabled,
      mode,
      event,
      filter,
      schedule,
      nextRunAt,
      channelIds,
      version: 1,
      createdAt: at,
    })
    if (beginsDigests({ enabled, mode, schedule }, null))
      await writeDigestProgress(tx, workspaceId, id, progressFrom(at))
    return getAlert({ ...writing, db: tx }, id)
  })
}
