import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HOUR_MS, systemClock } from '../../src/kernel/clock.ts'
import type { Uuid } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { type Database, openDatabase, sql } from '../../src/store/database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts'
import { maintainBlocks } from '../../src/store/filter/mention-blocks.ts'
import { migrateDatabase } from '../../src/store/migrate.ts'
import { seedKeywords, seedWorkspaces, servicesOn } from '../../test/stand-ins/seeded.ts'
import { storesFolder } from '../stores-folder.ts'
import { fill, KEYWORDS } from './fill.ts'
import type { Scale } from './scale.ts'
import type { MeasuredWorkspace } from './templates.ts'

const OTHERS = 2000
const KEYWORDS_OTHERS = 20_000
const PREFIX = 'earshot-bench-mentions-'

export interface MentionStore {
  postgres: EmbeddedPostgres
  /** From small to large. */
  workspaces: readonly MeasuredWorkspace[]
}

/**
 * A database of this scale, under this name, on the settings that the service is shipped with. In BENCH_STORES it is
 * made once and kept until another way to fill it or another scale is wanted; its schema is brought up to date as that
 * of an installation is, and its blocks are made.
 */
export async function openStore(scale: Scale, prefix = PREFIX): Promise<MentionStore> {
  const name = `${prefix}${scale.measured.at(-1)}-${formHash()}`
  const dataDir = join(storesFolder(), name)
  const ready = join(dataDir, 'workspaces.json')
  if (!existsSync(ready)) {
    for (const old of readdirSync(storesFolder()))
      if (old.startsWith(prefix)) rmSync(join(storesFolder(), old), { recursive: true, force: true })
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o711)
    writeFileSync(ready, JSON.stringify(await make(dataDir, scale)))
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  await bringUpToDate(postgres)
  return { postgres, workspaces: JSON.parse(readFileSync(ready, 'utf8')) as MeasuredWorkspace[] }
}

async function bringUpToDate(postgres: EmbeddedPostgres): Promise<void> {
  await migrateDatabase(postgres.connectionString)
  const db = openDatabase({
    connection: postgres.connectionString,
    poolSize: 1,
    log: silentLog,
    limits: { statementMs: HOUR_MS },
  })
  try {
    await db.query(sql`set statement_timeout = 0`)
    if ((await maintainBlocks(db, systemClock.now())) > 0) await db.query(sql`vacuum analyze mention_block`)
  } finally {
    await db.close()
  }
}

/** What decides over the form of the store, beside its schema: the hashes and how it is filled. */
function formHash(): string {
  const hash = createHash('sha256')
  for (const name of ['../../src/store/filter/facets.ts', 'fill.ts', 'functions.ts', 'templates.ts'])
    hash.update(readFileSync(fileURLToPath(new URL(name, import.meta.url))))
  return hash.digest('hex').slice(0, 12)
}

async function make(dataDir: string, scale: Scale): Promise<MeasuredWorkspace[]> {
  const settings = {
    max_wal_size: '16GB',
    maintenance_work_mem: '1GB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    autovacuum: 'off',
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false, settings })
  const db = openDatabase({
    connection: postgres.connectionString,
    poolSize: 1,
    log: silentLog,
    limits: { statementMs: HOUR_MS },
  })
  try {
    // For the one connection of the pool: an index over millions of rows takes its time.
    await db.query(sql`set statement_timeout = 0`)
    await migrateDatabase(postgres.connectionString)
    const services = servicesOn(db)
    const ids = await seedWorkspaces(services, OTHERS + scale.measured.length)
    await services.close()
    const measured = scale.measured.map((mentions, at) => ({ id: ids[at]!, mentions }))
    const others: Uuid[] = ids.slice(measured.length)
    for (const { id } of measured) {
      await seedKeywords(db, [id], KEYWORDS, (number) => `term ${number}`)
      await db.query(sql`delete from keyword_counter`)
    }
    await seedKeywords(db, others, KEYWORDS_OTHERS, (number) => `other ${number}`)
    await groupKeywords(db, measured)
    await fill(db, measured, others, scale)
    return measured
  } finally {
    await db.close()
    await postgres.stop()
  }
}

/**
 * Some of the keywords are of competitors, and one of the last, of which little is found, stands in a group of its own.
 */
async function groupKeywords(db: Database, measured: readonly MeasuredWorkspace[]): Promise<void> {
  for (const { id } of measured) {
    await db.query(sql`
      insert into keyword_group (workspace_id, id, name, name_folded, is_default, created_at, updated_at)
      select ${id}, md5(${id}::text)::uuid, 'Seldom', 'seldom', false, now(), now()`)
    await db.query(sql`
      update keyword k set kind = case when t.number % 5 = 0 then 'competitor' when t.number % 3 = 0 then 'topic'
        else 'brand' end,
        group_id = case when t.number >= ${KEYWORDS - 2} then md5(${id}::text)::uuid else k.group_id end
      from (select id, row_number() over (order by id) as number from keyword where workspace_id = ${id}) t
        where k.workspace_id = ${id} and k.id = t.id`)
  }
}
