import type { Uuid } from '../../kernel/ids.ts'
import type { Sources } from '../../sources/contract.ts'
import { type ArchiveRow, countImported, insertArchived, renameAccounts } from '../../store/archive/archive-rows.ts'
import type { Transaction } from '../../store/database.ts'
import { listImported } from '../../store/delivery/imported-deliveries.ts'
import { throughIndexes } from '../../store/delivery/outbox.ts'
import { insertOrHoldPosts } from '../../store/mention/posts.ts'
import { holdPeople } from '../../store/person/people-totals.ts'
import { rowProblem } from './archive-problem.ts'
import { namePlaces } from './join-sources.ts'
import { type Mending, mendRow } from './mend-row.ts'
import type { ArchiveBatch, LocatedRow } from './read-archive.ts'
import { checkShape, keywordWithQueries, placeToName, postOfMention } from './shared-rows.ts'

export interface Inserting {
  mending: Mending
  sources: Sources
  at: Date
}

/** Stores rows of one table. Throws ArchiveProblem. */
export async function insertBatch(tx: Transaction, { table, rows }: ArchiveBatch, inserting: Inserting): Promise<void> {
  const { mending, sources } = inserting
  if (table === 'mention') return await insertMentions(tx, rows, inserting)
  if (table === 'workspace_place') {
    const places = rows.map(({ line, row }) => placeToName(row, { line, table }, sources))
    const named = places.map((place) => ({ ...place, id: mending.ids.of(place.id) }))
    return await namePlaces(tx, mending.workspaceId, named)
  }
  const mended = rows.map(({ line, row }) => {
    const place = { line, table }
    checkShape(row, place)
    return mendRow(table, table === 'keyword' ? keywordWithQueries(row, place) : row, mending).row
  })
  await insertSame(tx, { table, rows }, mended)
  if (table === 'delivery') await listImported(tx, mending.workspaceId, idsOf(mended))
}

/** Locks people before posts. */
async function insertMentions(tx: Transaction, rows: LocatedRow[], { mending, sources, at }: Inserting): Promise<void> {
  const { workspaceId } = mending
  const mended = rows.map(({ line, row: { post, ...row } }) => {
    const stored = postOfMention({ ...row, post }, { line, table: 'mention' }, { normalPost: sources.normalPost, at })
    return { stored, ...mendRow('mention', row, mending, stored[1]) }
  })
  const posts = new Map(mended.map(({ stored }) => [stored[0], stored]))
  await throughIndexes(tx)
  await holdPeople(tx, workspaceId)
  await insertOrHoldPosts(tx, [...posts.values()], at)
  const accounts = mended.flatMap(({ account }) => (account === null ? [] : [account]))
  await renameAccounts(tx, workspaceId, new Map(accounts))
  const stored = mended.map(({ row }) => row)
  await insertSame(tx, { table: 'mention', rows }, stored)
  await countImported(tx, workspaceId, idsOf(stored))
}

async function insertSame(
  tx: Transaction,
  { table, rows }: ArchiveBatch,
  mended: readonly ArchiveRow[],
): Promise<void> {
  const columns = Object.keys(mended[0]!)
  const other = mended.findIndex(
    (row) => Object.keys(row).length !== columns.length || !columns.every((name) => name in row),
  )
  if (other !== -1) throw rowProblem({ line: rows[other]!.line, table }, null, 'has other columns than the row before')
  await insertArchived(tx, table, mended)
}

function idsOf(rows: readonly { [column: string]: unknown }[]): Uuid[] {
  return rows.map((row) => row['id'] as Uuid)
}
