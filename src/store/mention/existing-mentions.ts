import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import { keyColumns } from '../counts/keyword-counts.ts'
import type { Transaction } from '../database.ts'
import type { KeywordRef } from './match-counters.ts'

export interface ExistingMention {
  mentionId: Uuid
  accountId: Uuid | null
}

interface Existing {
  posts: ReadonlySet<Uuid>
  /** By `pairOf`. */
  mentions: ReadonlyMap<string, ExistingMention>
}

export function pairOf(keywordId: Uuid, post: Uuid): string {
  return `${keywordId} ${post}`
}

/** Reads posts first: most are new and have no mentions. */
export async function readExisting(
  tx: Transaction,
  candidates: readonly (KeywordRef & { postId: Uuid })[],
): Promise<Existing> {
  const rows = await tx.run<{ id: Uuid | null; account_id: Uuid | null; keyword_id: Uuid; post_id: Uuid }>(
    'ingest-existing',
    `select m.id, m.account_id, t.keyword_id, t.post_id
        from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as t (workspace_id, keyword_id, post_id)
     cross join lateral (select p.id from post p where p.id = t.post_id offset 0) p
     left join lateral (select m.id, m.account_id from mention m where m.workspace_id = t.workspace_id
       and m.keyword_id = t.keyword_id and m.post_id = p.id offset 0) m on true`,
    [...keyColumns(candidates), columns.uuids(candidates.map((candidate) => candidate.postId))],
  )
  const mentions = new Map<string, ExistingMention>()
  for (const row of rows)
    if (row.id !== null)
      mentions.set(pairOf(row.keyword_id, row.post_id), { mentionId: row.id, accountId: row.account_id })
  return { posts: new Set(rows.map((row) => row.post_id)), mentions }
}
