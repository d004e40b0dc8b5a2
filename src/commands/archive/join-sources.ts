import { queriesOf } from '../../domain/keyword/queries.ts'
import { platformFromNumber } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { ArchiveRow } from '../../store/archive/archive-rows.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { announceKeywords, type KeywordRow, keywordFromRow } from '../../store/keyword/keywords.ts'
import { setQueries } from '../../store/source/keyword-queries.ts'
import { insertWorkspacePlace } from '../../store/source/workspace-places.ts'

interface NamedPlace {
  id: Uuid
  archived: ArchiveRow
}

/** Feeds and forums are shared by all workspaces of an installation, and known by their address. */
export async function namePlaces(tx: Transaction, workspaceId: Uuid, places: readonly NamedPlace[]): Promise<void> {
  for (const { id, archived } of places) {
    const platform = platformFromNumber(archived['platform'] as number)
    const title = archived['title'] as string | null
    const at = new Date(archived['created_at'] as string)
    await insertWorkspacePlace(tx, { id, workspaceId, platform, address: archived['address'] as string, title, at })
  }
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
