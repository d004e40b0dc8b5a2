import type { DeliveryName } from '../../domain/delivery/name.ts'
import type { DeliveryStatus } from '../../domain/delivery/status.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

export interface NamedDelivery {
  name: DeliveryName
  /** The channel of a digest sent to several; null lets `findNamed` choose. */
  channelId: Uuid | null
}

/** Read before anything is locked. */
export interface FoundDelivery {
  id: Uuid
  channelId: Uuid
}

/**
 * The named delivery. A digest sent to several channels gives the first in a `preferred` state, else the first.
 * Deliveries of deleted channels do not exist.
 */
export async function findNamed(
  reader: Reader,
  workspaceId: Uuid,
  { name, channelId }: NamedDelivery,
  preferred: readonly DeliveryStatus[],
): Promise<FoundDelivery | Refusal<'not_found'>> {
  if (channelId !== null) {
    const known = await reader.query(
      sql`select id from channel where workspace_id = ${workspaceId} and id = ${channelId}`,
    )
    if (known.length === 0) return noSuchDelivery()
  }
  const meant =
    name.kind === 'delivery'
      ? sql`d.id = ${name.id}`
      : sql`d.alert_id = ${name.alertId} and d.period = ${name.period} and d.replay_of is null
          and ${channelId === null ? sql`true` : sql`d.channel_id = ${channelId}`}`
  const [found] = await reader.query<{ id: Uuid; channel_id: Uuid }>(sql`
    select d.id, d.channel_id from delivery d join channel c on c.workspace_id = d.workspace_id and c.id = d.channel_id
    where d.workspace_id = ${workspaceId} and ${meant} order by d.status = any(${preferred}::text[]) desc, d.id
      limit 1`)
  return found === undefined ? noSuchDelivery() : { id: found.id, channelId: found.channel_id }
}

export function noSuchDelivery(): Refusal<'not_found'> {
  return refuse('not_found', 'There is no delivery with this id')
}
