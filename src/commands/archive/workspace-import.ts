import { randomBytes } from 'node:crypto'
import { settledAtStart } from '../../domain/wallet/daily-run.ts'
import { type LimitedThing, THING_NAMES, WORKSPACE_LIMITS } from '../../domain/workspace/limits.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { readColumns } from '../../store/archive/archive-rows.ts'
import type { ArchivedName } from '../../store/archive/archived-tables.ts'
import { removeWorkspaceRows } from '../../store/archive/remove-rows.ts'
import { refusesValues, type Transaction } from '../../store/database.ts'
import { schemaName } from '../../store/schema-name.ts'
import { beginImport, goOnImporting } from '../../store/workspace/imports.ts'
import { foldPeople } from '../people/fold-people.ts'
import type { Services } from '../writing.ts'
import { ArchiveProblem } from './archive-problem.ts'
import { checkLedger, openWorkspace, sumLedger } from './finish-import.ts'
import { insertBatch } from './insert-batch.ts'
import { type Mending, NOT_IMPORTED } from './mend-row.ts'
import { nameRefusedRow } from './name-refused-row.ts'
import { NewIds } from './new-ids.ts'
import type { ArchiveBatch, Manifest } from './read-archive.ts'
import { summariseImported } from './summarise-imported.ts'

export interface ImportedWorkspace {
  id: Uuid
  name: string
}

/** An import whose last portion is older was killed. */
const STOPPED_AFTER_MS = HOUR_MS

const LIMITED: Partial<Record<ArchivedName, LimitedThing | 'keywords'>> = {
  keyword: 'keywords',
  keyword_group: 'groups',
  saved_view: 'views',
  segment: 'segments',
  channel: 'channels',
  alert: 'alerts',
  workspace_place: 'namedSources',
}

/** One import: `begin`, `take` for each batch, `finish`; or `discard` after a failure. A portion is a transaction. */
export class WorkspaceImport {
  private readonly services: Services
  private readonly workspaceId: Uuid
  private readonly columns = new Map<ArchivedName, Mending['columns']>()
  private readonly counts = new Map<ArchivedName, number>()
  private manifest: Manifest | null = null
  private ids!: NewIds

  constructor(services: Services) {
    this.services = services
    this.workspaceId = newUuid(services.clock.now())
  }

  async begin(manifest: Manifest): Promise<void> {
    const { db, clock } = this.services
    const schema = await schemaName(db)
    if (manifest.schema !== schema)
      throw new ArchiveProblem(
        `The archive has the schema ${manifest.schema}, this installation ${schema}. Use the same version of ` +
          'Earshot on both sides.',
      )
    const { workspace } = manifest
    const at = clock.now()
    if (workspace.settled_through > settledAtStart(at))
      throw new ArchiveProblem(
        `The archive is settled through ${workspace.settled_through}, which is not over here. Check the clocks.`,
      )
    this.ids = new NewIds(randomBytes(32), { old: workspace.id, new: this.workspaceId })
    await db.transaction((tx) =>
      beginImport(tx, {
        id: this.workspaceId,
        name: workspace.name,
        createdAt: workspace.created_at,
        lastCreditUnits: workspace.last_credit_units,
        lastTopUpAt: workspace.last_top_up_at,
        welcomeLimits: workspace.welcome_limits,
        lowTold: workspace.low_told,
        settledThrough: workspace.settled_through,
        mentionDays: workspace.mentions_kept_days,
        deliveryDays: workspace.deliveries_kept_days,
        until: plus(at, STOPPED_AFTER_MS),
      }),
    )
    this.manifest = manifest
  }

  async take(batch: ArchiveBatch): Promise<void> {
    const { table, rows } = batch
    if (NOT_IMPORTED.has(table)) return
    this.count(table, rows.length)
    const columns = this.columns.get(table) ?? (await readColumns(this.services.db, table))
    this.columns.set(table, columns)
    const { ids, workspaceId } = this
    const mending = { workspaceId, ids, columns, settledThrough: this.manifest!.workspace.settled_through }
    const { sources, clock } = this.services
    const insert = (tx: Transaction, portion: ArchiveBatch) =>
      insertBatch(tx, portion, { mending, sources, at: clock.now() })
    try {
      await this.portion((tx) => insert(tx, batch))
    } catch (error) {
      throw refusesValues(error) ? await nameRefusedRow(this.services.db, batch, error, insert) : error
    }
  }

  private count(table: ArchivedName, more: number): void {
    const count = (this.counts.get(table) ?? 0) + more
    this.counts.set(table, count)
    const thing = LIMITED[table]
    if (thing === undefined || count <= WORKSPACE_LIMITS[thing]) return
    const name = thing === 'keywords' ? 'keywords' : THING_NAMES[thing]
    throw new ArchiveProblem(`The archive has more than ${WORKSPACE_LIMITS[thing]} ${name}, the most of a workspace.`)
  }

  async finish({ keepBalance }: { keepBalance: boolean }): Promise<ImportedWorkspace> {
    const { services, workspaceId } = this
    await foldPeople(services)
    let last: Uuid | null = null
    do last = await this.portion((tx) => summariseImported(tx, workspaceId, last))
    while (last !== null)
    await this.portion((tx) => sumLedger(tx, workspaceId))
    await checkLedger(services.db, workspaceId)
    const { workspace, exportedAt } = this.manifest!
    await this.portion((tx) =>
      openWorkspace(tx, services, { workspaceId, name: workspace.name, exportedAt, keepBalance }),
    )
    return { id: workspaceId, name: workspace.name }
  }

  /** What it cannot remove, the removal of workspaces removes. */
  async discard(): Promise<void> {
    if (this.manifest !== null) await removeWorkspaceRows(this.services.db, this.workspaceId)
  }

  private portion<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const { db, clock } = this.services
    return db.transaction(async (tx) => {
      const at = clock.now()
      if (!(await goOnImporting(tx, this.workspaceId, { at, until: plus(at, STOPPED_AFTER_MS) })))
        throw new ArchiveProblem('The import took too long between two portions, and is being removed. Begin again.')
      return await work(tx)
    })
  }
}
