import type { DeliveryName } from '../../domain/delivery/name.ts'
import type { DeliveryStatus } from '../../domain/delivery/status.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

/** Which delivery a caller means. */
export interface NamedDelivery {
  name: DeliveryName
  /** Which channel's, of a digest that went to several; null leaves it to `findNamed`. */
  channelId: Uuid | null
}

/** What is known of a delivery before anything of it is locked. */
export interface FoundDelivery {
  id: Uuid
  channelId: Uuid
}

/**
 * The delivery that is meant. Of a digest that went to several channels, and without a channel, the first that is in
 * one of the `preferred` states, else the first. One whose channel is gone is gone with it, as its log is.
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
