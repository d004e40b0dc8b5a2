import { isDeepStrictEqual } from 'node:util'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.ts'
import type { AlertView } from '../../queries/alerts/alert-shape.ts'
import { getAlert, noSuchAlert } from '../../queries/alerts/get-alert.ts'
import { lockAlert, updateAlert as storeAlert } from '../../store/alerts.ts'
import { missingInFilter } from '../mentions/missing-in-filter.ts'
import type { Writing } from '../writing.ts'
import { channelsFrom } from './create-alert.ts'

/** What changes; an absent field stays, filter and channels are replaced as a whole. */
export interface AlertChange {
  name?: string | undefined
  mode?: 'instant' | undefined
  event?: string | undefined
  filter?: MentionFilter | undefined
  channelIds?: readonly Uuid[] | undefined
  enabled?: boolean | undefined
  /** The version that the caller has read. */
  ifVersion?: number | undefined
}

/** Changes a rule; a change that changes nothing leaves its version. Deliveries that it has caused already are sent all the same. */
export async function updateAlert(
  writing: Writing,
  id: Uuid,
  change: AlertChange,
): Promise<AlertView | Refusal<'not_found' | 'stale_version' | 'unknown_channel'>> {
  const { db, workspaceId } = writing
  return await db.transaction(async (tx) => {
    const alert = await lockAlert(tx, workspaceId, id)
    if (alert === null) return noSuchAlert()
    if (change.ifVersion !== undefined && change.ifVersion !== alert.version)
      return refuse('stale_version', `The rule has version ${alert.version} by now; read it again`)
    const channelIds = change.channelIds === undefined ? alert.channelIds : await channelsFrom(tx, workspaceId, change.channelIds)
    if (isRefusal(channelIds)) return channelIds
    const missing = change.filter === undefined ? null : await missingInFilter(tx, workspaceId, change.filter)
    if (missing !== null) return missing
    const changed = {
      ...alert,
      name: change.name ?? alert.name,
      event: change.event ?? alert.event,
      filter: change.filter ?? alert.filter,
      enabled: change.enabled ?? alert.enabled,
      channelIds,
    }
    if (!isDeepStrictEqual(changed, alert)) await storeAlert(tx, { ...changed, version: alert.version + 1 })
    return await getAlert({ ...writing, db: tx }, id)
  })
}
