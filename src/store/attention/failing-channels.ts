import { ATTENTION_RULES } from '../../domain/attention/kinds.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import type { Reader } from '../database.ts'

export interface FailingChannel {
  workspaceId: Uuid
  channel: { id: Uuid; kind: ChannelKind; label: string }
  /** Since the last success, within the rule's time span. */
  failures: number
  lastError: string | null
  since: Date
}

/**
 * Walks each log from its end until enough deliveries have ended; only for failing channels it reads the whole span.
 */
export async function readFailing(reader: Reader, workspaceIds: readonly Uuid[], at: Date): Promise<FailingChannel[]> {
  const { deliveries, withinMs } = ATTENTION_RULES.failing
  const rows = await reader.run<{
    workspace_id: Uuid
    id: Uuid
    kind: ChannelKind
    label: string
    failures: number
    last_error: string | null
    since: Date
  }>(
    'attention-failing',
    `select c.workspace_id, c.id, c.kind, c.label, f.failures, f.last_error, f.since
     from channel c
     cross join lateral (
       select count(*) filter (where status = 'failed') as failed from (
         select d.status from delivery d where d.workspace_id = c.workspace_id and d.channel_id = c.id and d.id >= $2
           and d.status in ('delivered', 'failed')
         order by d.id desc limit ${deliveries}) last) l
     cross join lateral (
       select count(*) as failures, (array_agg(d.error order by d.id desc))[1] as last_error, min(d.created_at) as since
       from delivery d where l.failed = ${deliveries} and d.workspace_id = c.workspace_id and d.channel_id = c.id
         and d.status = 'failed'
         and d.id >= coalesce((select o.id from delivery o where o.workspace_id = c.workspace_id and o.channel_id = c.id
           and o.id >= $2 and o.status = 'delivered'
           order by o.id desc limit 1), $2)) f
     where c.workspace_id = any($1::uuid[]) and c.enabled and l.failed = ${deliveries} order by c.workspace_id, c.id`,
    [workspaceIds, firstUuidAt(plus(at, -withinMs))],
  )
  return rows.map(({ workspace_id, id, kind, label, last_error, ...rest }) => ({
    workspaceId: workspace_id,
    channel: { id, kind, label },
    lastError: last_error,
    ...rest,
  }))
}
