import type { Uuid } from '../../kernel/ids.ts'
import { sealConfig } from '../../store/channel/channel-config.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'

/** Channels in one transaction. */
const BATCH = 200

interface Unsealed {
  workspaceId: Uuid
  id: Uuid
  config: Record<string, unknown>
}

/**
 * Seals header values that an older version stored in plain text; returns of how many channels. A concurrent change
 * seals its own.
 */
export async function sealHeaders(services: Pick<Services, 'db' | 'sealer'>): Promise<number> {
  let sealed = 0
  for (let count = BATCH; count === BATCH; sealed += count) count = await sealBatch(services)
  return sealed
}

function sealBatch({ db, sealer }: Pick<Services, 'db' | 'sealer'>): Promise<number> {
  return db.transaction(async (tx) => {
    const channels = await tx.query<Unsealed>(sql`
      select workspace_id as "workspaceId", id, config from channel where jsonb_typeof(config -> 'headers') = 'object'
      order by workspace_id, id limit ${BATCH} for no key update skip locked`)
    if (channels.length === 0) return 0
    await tx.query(sql`
      update channel c set config = t.config
      from unnest(${channels.map((channel) => channel.workspaceId)}::uuid[], ${channels.map(({ id }) => id)}::uuid[],
        ${channels.map((channel) => JSON.stringify(sealConfig(sealer, channel, channel.config)))}::jsonb[])
        as t (workspace_id, id, config)
      where c.workspace_id = t.workspace_id and c.id = t.id`)
    return channels.length
  })
}
