import { queriesOf } from '../../domain/keyword/queries.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { announceKeywords, type KeywordRow, keywordFromRow } from '../../store/keyword/keywords.ts'
import { setQueries } from '../../store/source/keyword-queries.ts'
import { insertWorkspacePlace } from '../../store/source/workspace-places.ts'
import type { ArchivedPlace } from './shared-rows.ts'

/**
 * Feeds and forums are shared by all workspaces of an installation, and known by their address. A new one gets its
 * title when it is read.
 */
export async function namePlaces(tx: Transaction, workspaceId: Uuid, places: readonly ArchivedPlace[]): Promise<void> {
  for (const place of places) await insertWorkspacePlace(tx, { ...place, workspaceId, title: null })
}

/** Prepares what the keywords ask platforms for once they are unmuted. */
export async function joinKeywords(tx: Transaction, workspaceId: Uuid, at: Date): Promise<void> {
  const rows = await tx.query<KeywordRow & { term_folded: string }>(
    sql`select * from keyword where workspace_id = ${workspaceId} order by id`,
  )
  for (const row of rows) {
    const queries = queriesOf(keywordFromRow(row), row.term_folded)
    await setQueries(tx, { workspaceId, keywordId: row.id, queries, looksBack: () => false, at })
  }
  await announceKeywords(
    tx,
    workspaceId,
    rows.map(({ id }) => id),
  )
}
