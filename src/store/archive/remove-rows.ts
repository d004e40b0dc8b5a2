import { inBatches } from '../../kernel/batches.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, sql } from '../database.ts'
import { DELETE_BATCH, deleteInBatches } from '../delete-in-batches.ts'
import { deleteUnmentionedPosts, lockPosts } from '../mention/posts.ts'
import { WORKSPACE_TABLES } from './workspace-tables.ts'

/**
 * Removes a stopped workspace with all its rows, in portions, and posts without further mentions. A repeated call
 * continues an interrupted removal. Returns the number of rows.
 */
export async function removeWorkspaceRows(db: Database, workspaceId: Uuid): Promise<number> {
  let removed = 0
  // A late writer may add rows to emptied tables; the workspace goes last, so that nothing outlives it.
  for (let found = -1; found !== 0; removed += found) found = await removeFromTables(db, workspaceId)
  await db.transaction((tx) => tx.query(sql`delete from workspace where id = ${workspaceId}`))
  return removed + 1
}

async function removeFromTables(db: Database, workspaceId: Uuid): Promise<number> {
  let removed = 0
  for (const table of WORKSPACE_TABLES)
    removed += await (table === 'mention' ? removeMentions(db, workspaceId) : removeRows(db, table, workspaceId))
  return removed
}

/** By ctid, because keys differ. A ctid repeats in other partitions, so the workspace is compared too. */
function removeRows(db: Database, table: string, workspaceId: Uuid): Promise<number> {
  const name = sql.raw(table)
  return deleteInBatches(
    db,
    sql`delete from ${name} where workspace_id = ${workspaceId} and ctid = any(array(
          select ctid from ${name} where workspace_id = ${workspaceId} limit ${DELETE_BATCH})) returning 1`,
  )
}

/** Ingest locks a stored post before it mentions it, so a locked post without mentions stays without. */
function removeMentions(db: Database, workspaceId: Uuid): Promise<number> {
  return inBatches(DELETE_BATCH, () =>
    db.transaction(async (tx) => {
      const gone = await tx.query<{ postId: Uuid }>(sql`
        delete from mention m using (select id from mention where workspace_id = ${workspaceId}
          order by id limit ${DELETE_BATCH}) old
        where m.workspace_id = ${workspaceId} and m.id = old.id returning m.post_id as "postId"`)
      await deleteUnmentionedPosts(tx, await lockPosts(tx, [...new Set(gone.map(({ postId }) => postId))]))
      return gone.length
    }),
  )
}
