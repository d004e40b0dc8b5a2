import type { MentionFilter } from '../../domain/filter/fields.ts'
import { newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.ts'
import type { AlertView } from '../../queries/alerts/alert-shape.ts'
import { getAlert } from '../../queries/alerts/get-alert.ts'
import { insertAlert, knownChannels } from '../../store/alerts.ts'
import type { Transaction } from '../../store/database.ts'
import { missingInFilter } from '../mentions/missing-in-filter.ts'
import type { Writing } from '../writing.ts'

export interface NewAlert {
  name: string
  mode: 'instant'
  event: string
  filter: MentionFilter
  channelIds: readonly Uuid[]
  enabled: boolean
}

/** Makes a rule, which holds for mentions that are scored from then on. */
export async function createAlert(writing: Writing, input: NewAlert): Promise<AlertView | Refusal<'unknown_channel' | 'not_found'>> {
  const { db, clock, workspaceId } = writing
  const at = clock.now()
  const id = newUuid(at)
  return await db.transaction(async (tx) => {
    const channelIds = await channelsFrom(tx, workspaceId, input.channelIds)
    if (isRefusal(channelIds)) return channelIds
    const missing = await missingInFilter(tx, workspaceId, input.filter)
    if (missing !== null) return missing
    await insertAlert(tx, { ...input, workspaceId, id, channelIds, version: 1, createdAt: at })
    const shown = await getAlert({ ...writing, db: tx }, id)
    if (isRefusal(shown)) throw new Error('a rule that was just stored cannot be read')
    return shown
  })
}

/** The channels of a rule, each once and in the order in which they were named; refuses one that the workspace has not. */
export async function channelsFrom(tx: Transaction, workspaceId: Uuid, ids: readonly Uuid[]): Promise<Uuid[] | Refusal<'unknown_channel'>> {
  const known = await knownChannels(tx, workspaceId, ids)
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) return refuse('unknown_channel', `There is no channel ${toId('dest', unknown)} in this workspace`)
  return [...new Set(ids)]
}
