import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { createApiKey } from '../../src/commands/api-keys/create-api-key.ts'
import { updateCompany } from '../../src/commands/company/update-company.ts'
import { updateFilters } from '../../src/commands/filters/update-filters.ts'
import { updateMention } from '../../src/commands/mentions/update-mention.ts'
import { createWorkspace } from '../../src/commands/workspaces/create-workspace.ts'
import { toId, type Uuid } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { VERSION } from '../../src/kernel/version.ts'
import { openDatabase } from '../../src/store/database.ts'
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts'
import { migrateDatabase } from '../../src/store/migrate.ts'
import { accepted, makersFor, stored } from '../makers.ts'
import { liftWelcomeLimits } from '../rows.ts'
import { servicesOn } from '../stand-ins/seeded.ts'
import { type Dump, presentMigrations, readRows } from './dump.ts'
import { fillEmptyTables } from './fill.ts'

/**
 * Keeps the present schema as the one of this version: `npx tsx test/upgrades/write.ts`, once for each release. Only
 * the last of a version counts.
 */
const SECRET_KEY = '5e'.repeat(32)

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-dump-'))
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false })
  try {
    await migrateDatabase(server.connectionString)
    const dump = await dumpOf(server.connectionString)
    const text = gzipSync(JSON.stringify(dump), { level: 9 })
    const path = join(import.meta.dirname, `${VERSION}.json.gz`)
    writeFileSync(path, text)
    say(`${path}: ${Object.keys(dump.rows).length} tables, ${text.length} bytes`)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function dumpOf(connection: string): Promise<Dump> {
  const db = openDatabase({ connection, poolSize: 4, log: silentLog })
  const services = servicesOn(db, SECRET_KEY)
  const client = new pg.Client({ connectionString: connection })
  await client.connect()
  try {
    const workspaceId = await createWorkspace(services, 'Acme')
    await liftWelcomeLimits(services)
    const writing = { ...services, workspaceId }
    const { key } = accepted(await createApiKey(writing, { name: 'Write', scope: 'write', expiresAt: null }))
    const ids: Record<string, string> = {}
    for (const [prefix, make] of makersFor(writing)) ids[prefix] = await make()
    const actor = { kind: 'api_key', id: stored('key', ids['key']!), name: 'Read' } as const
    accepted(await updateMention(writing, actor, stored('mtn', ids['mtn']!), { status: 'done' }))
    accepted(await updateCompany(writing, { name: 'Acme', description: 'Makes what is made up.' }))
    accepted(await updateFilters(writing, { excludedTerms: ['a term'] }))
    const filled = await fillEmptyTables(client, workspaceId)
    // A list is read by the thing that it is about.
    ids['dest'] = toId('dest', await idIn(client, 'select channel_id as id from delivery limit 1'))
    ids['kw'] = toId('kw', await idIn(client, 'select keyword_id as id from rejected_post'))
    say(`Filled without the interface: ${filled.join(', ')}`)
    return {
      version: VERSION,
      commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
      at: services.clock.now().toISOString(),
      secretKey: SECRET_KEY,
      workspaceId,
      key,
      ids,
      migrations: presentMigrations().map(({ name, hash }) => ({ name, hash })),
      ...(await readRows(client)),
    }
  } finally {
    await client.end()
    await services.close()
    await db.close()
  }
}

async function idIn(client: pg.ClientBase, text: string): Promise<Uuid> {
  return (await client.query<{ id: Uuid }>(text)).rows[0]!.id
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
