import type { AttentionKeyword } from '../../domain/attention/findings.ts'
import { NOISE_RULE } from '../../domain/keyword/keyword.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { noiseSince } from '../counts/keyword-counts.ts'
import { type Reader, sql } from '../database.ts'

export interface JudgedKeyword {
  workspaceId: Uuid
  keyword: AttentionKeyword
  scored: number
  relevant: number
}

/** Keywords with enough scored matches to be called noisy that collect, or that stopped for noise. */
export async function readJudged(reader: Reader, workspaceIds: readonly Uuid[], at: Date): Promise<JudgedKeyword[]> {
  const rows = await reader.query<JudgedKeywordRow & { scored: number; relevant: number }>(sql`
    select ${KEYWORD_COLUMNS}, r.scored, r.relevant
    from (
      select workspace_id, keyword_id, sum(judged_scored)::bigint as scored, sum(judged_relevant)::bigint as relevant
        from keyword_recent
      where workspace_id = any(${workspaceIds}::uuid[]) and day >= ${noiseSince(at)}::date
        group by 1, 2 having sum(judged_scored) >= ${NOISE_RULE.scoredAtLeast}) r
    join keyword k on k.workspace_id = r.workspace_id and k.id = r.keyword_id
    join keyword_group g on g.workspace_id = k.workspace_id and g.id = k.group_id
    where k.paused_for_noise or not (k.muted or k.paused_for_cap)`)
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    keyword: keywordFrom(row),
    scored: row.scored,
    relevant: row.relevant,
  }))
}

export interface JudgedKeywordRow {
  workspace_id: Uuid
  id: Uuid
  term: string
  kind: AttentionKeyword['kind']
  group_id: Uuid
  group_name: string
  is_default: boolean
}

export const KEYWORD_COLUMNS = sql`k.workspace_id, k.id, k.term, k.kind, k.group_id, g.name as group_name, g.is_default`

export function keywordFrom({ id, term, kind, group_id, group_name, is_default }: JudgedKeywordRow): AttentionKeyword {
  return { id, term, kind, groupId: group_id, groupName: group_name, inDefaultGroup: is_default }
}
