import type { World } from '../../../test/world.ts'
import { platformNumber } from '../../domain/platform/platforms.ts'
import { firstUuidAt, newUuid, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

export interface SetMention {
  workspaceId: Uuid
  keywordId: Uuid
  at: Date
  publishedAt?: Date
  relevance?: number | null
  negative?: boolean
}

/** Ids may be older than others, while real ones only grow within a process. */
export function idAt(at: Date): Uuid {
  return (firstUuidAt(at).slice(0, 19) + newUuid(at).slice(19)) as Uuid
}

export async function setMentions(world: World, mentions: readonly SetMention[]): Promise<Uuid[]> {
  const ids = mentions.map(({ at }) => idAt(at))
  await world.db.query(sql`
    insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, facets,
      relevance, sentiment)
    select workspace_id, id, keyword_id, gen_random_uuid(), created_at, published_at, ${platformNumber('bluesky')},
      false, '{}', relevance, case when negative then 2 else 1 end
    from unnest(${mentions.map((mention) => mention.workspaceId)}::uuid[], ${ids}::uuid[],
      ${mentions.map((mention) => mention.keywordId)}::uuid[], ${mentions.map((mention) => mention.at)}::timestamptz[],
      ${mentions.map((mention) => mention.publishedAt ?? mention.at)}::timestamptz[],
        ${mentions.map((mention) => (mention.relevance === undefined ? 80 : mention.relevance))}::smallint[],
      ${mentions.map((mention) => mention.negative ?? false)}::boolean[]) as t (workspace_id, id, keyword_id, created_at,
        published_at, relevance, negative)`)
  return ids
}

export interface SetDelivery {
  workspaceId: Uuid
  channelId: Uuid
  at: Date
  status: 'pending' | 'delivered' | 'failed' | 'cancelled' | 'held'
  error?: string
}

export async function setDeliveries(world: World, deliveries: readonly SetDelivery[]): Promise<void> {
  await world.db.query(sql`
    insert into delivery (workspace_id, id, channel_id, kind, event, status, attempts, error, created_at)
    select workspace_id, id, channel_id, 'mention', 'mention.matched', status, 1, error, at
    from unnest(${deliveries.map((delivery) => delivery.workspaceId)}::uuid[], ${deliveries.map((delivery) => idAt(delivery.at))}::uuid[],
      ${deliveries.map((delivery) => delivery.channelId)}::uuid[],
      ${deliveries.map((delivery) => delivery.status)}::text[], ${deliveries.map((delivery) => delivery.error ?? null)}::text[],
        ${deliveries.map((delivery) => delivery.at)}::timestamptz[])
      as t (workspace_id, id, channel_id, status, error, at)`)
}
