import { randomBytes } from 'node:crypto'
import { settledAtStart } from '../../domain/wallet/daily-run.ts'
import { newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import {
  beginAccountPairs,
  insertArchived,
  insertPostsOnce,
  noteAccountPairs,
  readColumns,
  renameAccounts,
} from '../../store/archive/archive-rows.ts'
import type { ArchivedName } from '../../store/archive/archived-tables.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { listImported } from '../../store/delivery/imported-deliveries.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { Services } from '../writing.ts'
import { joinKeywords, namePlaces } from './join-sources.ts'
import { type MendedRow, type Mending, mendRow, NOT_IMPORTED } from './mend-row.ts'
import { NewIds } from './new-ids.ts'
import { type ArchiveBatch, ArchiveProblem, type Manifest, readArchive } from './read-archive.ts'
import { summariseImported } from './summarise-imported.ts'

export interface ImportedWorkspace {
  id: Uuid
  name: string
}

export interface ImportOptions {
  /** Called after every batch with the rows read so far, and their number at the start of the export. */
  onProgress?: (done: number, total: number) => void
}

/**
 * Makes a new workspace of an archive, all of it or nothing. Keywords arrive muted and channels disabled, nothing is
 * sent, and mentions that were not charged yet are never charged. Throws ArchiveProblem.
 */
export async function importWorkspace(
  services: Services,
  lines: AsyncIterable<string>,
  { onProgress }: ImportOptions = {},
): Promise<ImportedWorkspace> {
  return await services.db.transaction(async (tx) => {
    const at = services.clock.now()
    const importing = new Importing(tx, services, newUuid(at))
    let [done, total] = [0, 0]
    await readArchive(
      lines,
      async (manifest) => {
        total = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)
        await importing.begin(manifest)
      },
      async (batch) => {
        await importing.take(batch)
        done += batch.rows.length
        onProgress?.(done, total)
      },
    )
    return await importing.finish()
  })
}

/** Only for one transaction. */
class Importing {
  private readonly tx: Transaction
  private readonly services: Services
  private readonly workspaceId: Uuid
  private readonly columns = new Map<ArchivedName, Mending['columns']>()
  private manifest!: Manifest
  private ids!: NewIds
  private settledThrough = ''

  constructor(tx: Transaction, services: Services, workspaceId: Uuid) {
    this.tx = tx
    this.services = services
    this.workspaceId = workspaceId
  }

  async begin(manifest: Manifest): Promise<void> {
    const [row] = await this.tx.query<{ schema: string }>(sql`select max(name) as schema from kysely_migration`)
    if (manifest.schema !== row!.schema)
      throw new ArchiveProblem(
        `The archive has the schema ${manifest.schema}, this installation ${row!.schema}. Use the same version of ` +
          'Earshot on both sides.',
      )
    this.manifest = manifest
    this.ids = new NewIds(randomBytes(32), { old: manifest.workspace.id, new: this.workspaceId })
    this.settledThrough = manifest.workspace['settled_through'] as string
    const start = settledAtStart(this.services.clock.now())
    const { name, created_at, last_credit_units, last_top_up_at, welcome_limits, low_told } = manifest.workspace
    await this.tx.query(sql`
      insert into workspace (id, name, created_at, last_credit_units, last_top_up_at, welcome_limits, low_told,
        settled_through)
      values (${this.workspaceId}, ${name}, ${created_at}, ${last_credit_units}, ${last_top_up_at}, ${welcome_limits},
        ${low_told}, greatest(${this.settledThrough}::date, ${start}::date))`)
    await beginAccountPairs(this.tx)
  }

  async take({ table, rows }: ArchiveBatch): Promise<void> {
    if (NOT_IMPORTED.has(table)) return
    const { workspaceId, ids, settledThrough } = this
    const columns = this.columns.get(table) ?? (await readColumns(this.tx, table))
    this.columns.set(table, columns)
    const mended = rows.map((row) => mendRow(table, row, { workspaceId, ids, columns, settledThrough }))
    if (table === 'workspace_place') {
      const places = rows.map((archived) => ({ id: ids.of(archived['id'] as Uuid), archived }))
      return await namePlaces(this.tx, workspaceId, places)
    }
    await this.insertMentioned(mended)
    await insertArchived(
      this.tx,
      table,
      mended.map(({ row }) => row),
    )
  }

  private async insertMentioned(mended: readonly MendedRow[]): Promise<void> {
    await insertPostsOnce(
      this.tx,
      mended.flatMap(({ post }) => (post === null ? [] : [post])),
    )
    const pairs = new Map(mended.flatMap(({ account }) => (account === null ? [] : [account])))
    if (pairs.size > 0) await noteAccountPairs(this.tx, pairs)
  }

  async finish(): Promise<ImportedWorkspace> {
    const { tx, services, workspaceId, manifest } = this
    const at = services.clock.now()
    const { name } = manifest.workspace
    await renameAccounts(tx, workspaceId)
    await summariseImported(tx, workspaceId)
    await listImported(tx, workspaceId)
    await joinKeywords(tx, workspaceId, at)
    // Without the mentions that are not charged.
    await tx.query(sql`
      update keyword_counter c set month_units = coalesce((select sum(u.mention_units) from usage_day u
        where u.workspace_id = c.workspace_id and u.keyword_id = c.keyword_id and u.day >= c.cost_month
          and u.day < c.cost_month + interval '1 month'), 0)
      where c.workspace_id = ${workspaceId}`)
    // The rows of the ledger may be younger than the manifest.
    await tx.query(sql`
      update workspace w set balance_units = (select coalesce(sum(amount_units), 0) from ledger_entry e
        where e.workspace_id = w.id) where id = ${workspaceId}`)
    await tx.query(sql`
      insert into words_to_renew (workspace_id, before_id)
      values (${workspaceId}, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`)
    const target = { id: toId('org', workspaceId), name }
    const data = { exportedAt: manifest.exportedAt }
    await recordAudit(tx, { workspaceId, kind: 'workspace.imported', target, data }, at)
    return { id: workspaceId, name }
  }
}
