import { RELEVANT_ONLY_KINDS } from '../../domain/filter/rule-filter.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import type { Transaction } from '../database.ts'
import type { Score } from '../model/score.ts'

export interface RuleRow {
  workspace_id: Uuid
  id: Uuid
  event: string
  version: number
  filter: string
  channels: Uuid[]
  /** Channels that take only relevant mentions, whatever the rule's minimum. */
  relevant_only: Uuid[] | null
  /** Channels read by people, which get no account event. */
  read_by_people: Uuid[] | null
}

export async function readRules(tx: Transaction, scores: readonly Score[]): Promise<Map<Uuid, RuleRow[]>> {
  const workspaces = [...new Set(scores.map(({ mention }) => mention.workspaceId))]
  const rules = await tx.run<RuleRow>(
    'score-rules',
    `select a.workspace_id, a.id, a.event, a.version, a.filter::text as filter, array_agg(c.id
        order by ac.position) as channels,
       array_agg(c.id) filter (where c.kind = any($2::text[])) as relevant_only,
       array_agg(c.id) filter (where c.kind <> 'webhook') as read_by_people
     from alert a join alert_channel ac on ac.workspace_id = a.workspace_id and ac.alert_id = a.id
     join channel c on c.workspace_id = ac.workspace_id and c.id = ac.channel_id and c.enabled
     where a.workspace_id = any($1::uuid[]) and a.enabled and a.mode = 'instant'
     group by a.workspace_id, a.id order by a.id`,
    [workspaces, RELEVANT_ONLY_KINDS],
  )
  return groupBy(rules, (rule) => rule.workspace_id)
}

/**
 * Locks the rules until the transaction ends. A rule that was removed, switched off or became a digest meanwhile gets
 * nothing and does not undo the scores; a later removal sees the deliveries to cancel.
 */
export async function holdRules(tx: Transaction, rules: readonly RuleRow[]): Promise<Map<Uuid, string>> {
  const rows = await tx.run<{ id: Uuid; name: string }>(
    'score-hold-rules',
    `select a.id, a.name from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
        join alert a on a.workspace_id = t.workspace_id and a.id = t.id
     where a.enabled and a.mode = 'instant' order by a.workspace_id, a.id for key share of a`,
    [columns.uuids(rules.map((rule) => rule.workspace_id)), columns.uuids(rules.map((rule) => rule.id))],
  )
  return new Map(rows.map((row) => [row.id, row.name]))
}
