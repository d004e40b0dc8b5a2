import { SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { spooled } from '../../kernel/spool.ts'
import { ARCHIVED_TABLES, type ArchivedName, type ArchivedTable } from '../../store/archive/archived-tables.ts'
import { type Reader, sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'

/** Rises when an older reader could misread a newer archive. */
export const ARCHIVE_VERSION = 1

/** Rows of one statement. */
const PORTION = 500

const NAMES = Object.keys(ARCHIVED_TABLES) as ArchivedName[]

/** How long an export goes on before it asks whether its caller still may have it. */
const ASKED_EVERY_MS = 10 * SECOND_MS

export interface ExportContext extends QueryContext {
  /** Reads one state of the database, which is held until `work` ends. */
  snapshot<Result>(work: (db: Reader) => Promise<Result>): Promise<Result>
  stillAllowed(): Promise<boolean>
}

/**
 * The archive of a workspace in portions of JSON lines: a manifest, the rows, and an end that counts them. Memory is
 * constant. The rows are those of one moment. A reader of any speed holds that moment only while the server writes the
 * rows. Breaks off before the end when the caller may not read them any more.
 */
export async function* exportWorkspace(exporting: ExportContext): AsyncIterable<string> {
  const { clock, snapshot, stillAllowed } = exporting
  let askedMs = clock.monotonicMs()
  const texts = spooled((put) =>
    snapshot(async (db) => {
      for await (const text of textsOf({ ...exporting, db })) await put(text)
    }),
  )
  for await (const text of texts) {
    if (clock.monotonicMs() - askedMs >= ASKED_EVERY_MS || isEnd(text)) {
      if (!(await stillAllowed())) throw new ExportForbidden()
      askedMs = clock.monotonicMs()
    }
    yield text
  }
}

/** The caller left the workspace, or the workspace is gone, while the export was on its way. */
export class ExportForbidden extends Error {
  constructor() {
    super('the caller may not export the workspace any more')
    this.name = 'ExportForbidden'
  }
}

const END = '{"end":'

function isEnd(text: string): boolean {
  return text.startsWith(END)
}

async function* textsOf(reading: QueryContext): AsyncIterable<string> {
  yield `${await readManifest(reading)}\n`
  const rows: Record<string, number> = {}
  for (const name of NAMES) {
    rows[name] = 0
    for await (const texts of readTable(reading, name)) {
      rows[name] += texts.length
      yield texts.map((text) => `{"table":"${name}","row":${text}}\n`).join('')
    }
  }
  yield `${END}${JSON.stringify({ rows })}}\n`
}

/** `rows` are counts, for progress. */
async function readManifest({ db, clock, workspaceId }: QueryContext): Promise<string> {
  const rows: Record<string, number> = {}
  for (const name of NAMES) rows[name] = await countRows(db, name, workspaceId)
  const [found] = await db.query<{ schema: string; workspace: object }>(sql`
    select (select max(name) from kysely_migration) as schema, to_jsonb(w) as workspace from workspace w
    where id = ${workspaceId}`)
  if (found === undefined) throw new ExportForbidden()
  const { schema, workspace } = found
  return JSON.stringify({
    archive: { version: ARCHIVE_VERSION, schema, exportedAt: clock.now().toISOString(), workspace, rows },
  })
}

async function countRows(db: Reader, name: ArchivedName, workspaceId: Uuid): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*) as count from ${sql.table(name)} where workspace_id = ${workspaceId}`,
  )
  return row!.count
}

async function* readTable({ db, workspaceId }: QueryContext, name: ArchivedName): AsyncIterable<string[]> {
  const statement = statementFor(name, ARCHIVED_TABLES[name])
  for (let behind: readonly (string | null)[] | null = null; ; ) {
    const found: { row: string; key: (string | null)[] }[] = await db.run(`archive-${name}`, statement, [
      workspaceId,
      PORTION,
      behind,
    ])
    if (found.length > 0) yield found.map(({ row }) => row)
    if (found.length < PORTION) return
    behind = found.at(-1)!.key
  }
}

/** The server writes the rows as text: numbers stay exact, and nothing is parsed here. */
function statementFor(name: ArchivedName, { key, without = [], with: extra }: ArchivedTable): string {
  const columns = Object.keys(key)
  const left = ['workspace_id', ...without].map((column) => `'${column}'`).join(', ')
  const shown = `to_jsonb(t) - array[${left}]${extra === undefined ? '' : ` || coalesce(${extra}, '{}')`}`
  const keyTexts = columns.map((column) => `t.${column}::text`).join(', ')
  const from = `select (${shown})::text as row, array[${keyTexts}]::text[] as key from ${name} t
     where t.workspace_id = $1`
  if (columns.length === 0) return `${from} and $3::text[] is null limit $2`
  const given = Object.entries(key).map(([, type], place) => `($3::text[])[${place + 1}]::${type}`)
  const order = columns.map((column) => `t.${column}`).join(', ')
  return `${from} and ($3::text[] is null or (${order}) > (${given.join(', ')})) order by ${order} limit $2`
}
