import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { schemaOf } from '../../../scripts/documents/schema.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../../test/database-server.ts'
import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { makeDelivery } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { ID_PREFIXES } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { StartError } from '../../kernel/start-error.ts'
import { openDatabase, sql } from '../database.ts'
import { rotateOutbox } from '../delivery/outbox.ts'
import { readChanges, readLogEnd } from '../keyword/keyword-changes.ts'
import { knownMigrations, migrateDatabase, migrateWithin } from '../migrate.ts'
import { DamagedArchive } from './archive-reader.ts'
import { createArchive } from './archive-writer.ts'
import { AT, backUp, digests, digestsOf, onClient, restoreTo } from './archived.suite.ts'
import { END, FORMAT, MANIFEST } from './format.ts'
import { LEFT_OUT } from './left-out.ts'
import { readBackup } from './read-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'earshot-backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
const bolt = useWorkspace(world, 'Bolt')
const whole = join(folder, 'whole')

/** Texts that a form of lines and columns could mistake for its own signs. */
const HARD = ['\t\n\r\\', '\\.', '\\N', '', '"\'{},', 'a\u2028b \u{1f44b}', '\\\\n']

beforeAll(async () => {
  for (const workspace of [acme, bolt]) {
    for (const prefix of ID_PREFIXES) await workspace.makeOne(prefix)
    const keyword = await makeKeyword(workspace)
    for (const text of HARD) await score(world, [await mention(world, keyword, { text: `Acme ${text}` })], {})
  }
  await world.db.query(sql`
    insert into company (workspace_id, use_cases, updated_at) values (${acme.workspaceId}, ${HARD}::text[], 'infinity')`)
  await world.db.query(sql`insert into user_session (hash, user_id, created_at, last_seen_at, expires_at)
    select decode('00ff', 'hex'), id, now(), now(), now() from user_account limit 1`)
  await world.admin('create table notes_of_somebody (text text)')
  await backUp(world.connection, whole)
})

let place: TestDatabase
beforeEach(async () => {
  place = await createTestDatabase()
})
afterEach(() => place.drop())

function withoutLeftOut(digests: Map<string, string>): Map<string, string> {
  return new Map([...digests].filter(([name]) => !(name in LEFT_OUT) && name !== 'notes_of_somebody'))
}

async function isEmpty(connection: string): Promise<boolean> {
  const [row] = await onClient(connection, (client) =>
    client.query<{ used: boolean }>('select exists (select from workspace) or exists (select from post) as used'),
  ).then(({ rows }) => rows)
  return !row!.used
}

describe('a restored backup', () => {
  test('has the schema and every row of every table that is not left out', async () => {
    const empty = await createEmptyDatabase()
    const restored = await restoreTo(empty.connection, whole)
    const [before, after] = [await digestsOf(world.connection), await digestsOf(empty.connection)]
    expect(withoutLeftOut(after)).toEqual(withoutLeftOut(before))
    expect(restored.skipped).toEqual(['notes_of_somebody'])
    // A comparison of empty tables would say nothing.
    expect([...withoutLeftOut(after).values()].filter((digest) => !digest.startsWith('0 ')).length).toBeGreaterThan(40)
    expect(await schemaOf(empty.connection)).toBe(await schemaOf(place.connection))
    await empty.drop()
  })

  test('has nothing that belongs to the old database, its processes and its visitors', async () => {
    const before = await digestsOf(world.connection)
    expect(before.get('keyword_change')).not.toMatch(/^0 /)
    expect(before.get('user_session')).not.toMatch(/^0 /)
    await restoreTo(place.connection, whole)
    const after = await digestsOf(place.connection)
    for (const name of Object.keys(LEFT_OUT).filter((name) => !/^(kysely_|keyword_log)/.test(name)))
      expect([name, after.get(name)]).toEqual([name, '0 '])
    expect(after.get('keyword_log')).toMatch(/^1 /)
    expect(after.get('kysely_migration')!.split(' ')[0]).toBe(before.get('kysely_migration')!.split(' ')[0])
  })

  test('lets identities go on behind those that were given', async () => {
    await restoreTo(place.connection, whole)
    const next = (connection: string) =>
      onClient(connection, (client) =>
        client.query("select nextval(pg_get_serial_sequence('ledger_entry', 'place')) as place"),
      ).then(({ rows }) => Number(rows[0].place))
    const before = await next(world.connection)
    expect(before).toBeGreaterThan(1)
    expect(await next(place.connection)).toBe(before)
  })

  test('makes matchers that knew the old database, or this one while it was empty, read every keyword', async () => {
    const target = openDatabase({ connection: place.connection, poolSize: 1, log: silentLog })
    const points = [await readLogEnd(world.db), await readLogEnd(target)]
    await target.close()
    await restoreTo(place.connection, whole)
    const reopened = openDatabase({ connection: place.connection, poolSize: 1, log: silentLog })
    for (const point of points) expect((await readChanges(reopened, point)).gap).toBe('another database')
    await reopened.close()
  })
})

test('during load a backup is of the moment at which it began', async () => {
  const file = join(folder, 'loaded')
  const keyword = await makeKeyword(acme)
  const channelId = stored('dest', (await acme.makeOne('dest'))!)
  const load = async (times: number) => {
    for (let at = 0; at < times; at += 1) {
      await score(world, [await mention(world, keyword, { text: `Acme under load ${at}` })], {})
      await makeDelivery(world, acme.workspaceId, channelId, { at: world.clock.now(), queued: true })
      await rotateOutbox(world.db, { turnAtBytes: 0 })
    }
  }
  let then = new Map<string, string>()
  let going: Promise<void> = Promise.resolve()
  await backUp(world.connection, file, {
    begin: async (client) => {
      then = await digests(client)
      // Some of it is over before the first table is read, and some goes on meanwhile.
      await load(3)
      going = load(5)
      return true
    },
  })
  await going
  await restoreTo(place.connection, file)
  const restored = withoutLeftOut(await digestsOf(place.connection))
  expect(restored).toEqual(withoutLeftOut(then))
  expect((await digestsOf(world.connection)).get('mention')).not.toBe(then.get('mention'))
}, 60_000)

test('a backup of an older schema is restored with that schema, which the next start migrates', async () => {
  const [older, empty] = [await createEmptyDatabase(), await createEmptyDatabase()]
  const [oldest] = await knownMigrations()
  await onClient(older.connection, async (client) => {
    await client.query('begin')
    await migrateWithin(client, oldest!)
    await client.query(`insert into workspace (id, name, created_at, settled_through)
      values ('0190a000-0000-7000-8000-000000000000', 'Acme', now(), now())`)
    await client.query('commit')
  })
  const file = join(folder, 'older')
  await backUp(older.connection, file)
  await restoreTo(empty.connection, file)
  expect(withoutLeftOut(await digestsOf(empty.connection))).toEqual(withoutLeftOut(await digestsOf(older.connection)))
  expect(await migrateDatabase(empty.connection)).toEqual((await knownMigrations()).slice(1))
  expect(await schemaOf(empty.connection)).toBe(await schemaOf(place.connection))
  await expect(restoreTo(place.connection, file)).rejects.toThrow(/^The schema of this database is newer/)
  await Promise.all([older.drop(), empty.drop()])
})

describe('a restore is refused', () => {
  const refused = async (connection: string, file: string, says: string | RegExp) => {
    const error: unknown = await restoreTo(connection, file).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(StartError)
    expect((error as Error).message).toMatch(says)
  }

  test('by an installation with workspaces, which stays as it was', async () => {
    await restoreTo(place.connection, whole)
    const before = await digestsOf(place.connection)
    await refused(place.connection, whole, /^This installation is not empty/)
    expect(await digestsOf(place.connection)).toEqual(before)
  })

  test('by a database that a process uses', async () => {
    const db = openDatabase({ connection: place.connection, poolSize: 1, log: silentLog })
    await db.query(sql`select 1`)
    await refused(place.connection, whole, /^Another Earshot uses this database/)
    await db.close()
  })

  test('by a database whose schema is newer', async () => {
    await onClient(place.connection, (client) =>
      client.query("insert into kysely_migration values ('9999-later', '2026-11-27')"),
    )
    await refused(place.connection, whole, /^The schema of this database is newer/)
  })

  test('for a file that is missing, is none or is something else', async () => {
    await refused(place.connection, join(folder, 'missing'), /missing cannot be read \(ENOENT\)\.$/)
    await refused(place.connection, folder, /is no file\.$/)
    const other = join(folder, 'other')
    writeFileSync(other, 'PGDMP and more than a block of a text\n'.repeat(50))
    await refused(place.connection, other, /other is damaged or no backup of Earshot/)
  })

  test('for an archive of a newer form or a newer schema', async () => {
    const { manifest } = await readBackup(whole, async (backup) => backup)
    const made = (change: object) =>
      createArchive(join(folder, 'made'), AT, (archive) =>
        archive.add(MANIFEST, Buffer.from(JSON.stringify({ ...manifest, version: '9.0.0', ...change }))),
      )
    await made({ format: FORMAT + 1 })
    await refused(place.connection, join(folder, 'made'), /newer Earshot \(9\.0\.0\) in a form.*update first/)
    await made({ migrations: [...manifest.migrations, '9999-later'] })
    await refused(place.connection, join(folder, 'made'), /another build of Earshot \(9\.0\.0\), .* 9999-later/)
  })

  test('for an archive with a changed byte or a missing end, and leaves nothing', async () => {
    const bytes = readFileSync(whole)
    const broken = join(folder, 'broken')
    const [part, tail] = [bytes.indexOf('tables/mention/000001.gz'), bytes.lastIndexOf(`${END}.gz`)]
    // Of files their names, headers and contents, and of the archive its end.
    const places = [0, part, tail].flatMap((at) => [3, 150, 512 + 40].map((behind) => at + behind))
    for (const at of [...places, tail - 1, bytes.length - 5]) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 0x10
      writeFileSync(broken, changed)
      await expect(restoreTo(place.connection, broken), `byte ${at}`).rejects.toThrow(DamagedArchive)
    }
    for (const length of [0, 511, 5000, bytes.length >> 1, tail, bytes.length - 1024, bytes.length - 1]) {
      writeFileSync(broken, bytes.subarray(0, length))
      await expect(restoreTo(place.connection, broken), `${length} bytes`).rejects.toThrow(DamagedArchive)
    }
    writeFileSync(broken, Buffer.concat([bytes, Buffer.from('x')]))
    await expect(restoreTo(place.connection, broken)).rejects.toThrow(DamagedArchive)
    expect(await isEmpty(place.connection)).toBe(true)
  }, 60_000)
})

describe('a process that is killed', () => {
  const killedInTheMiddle = async (...args: string[]) => {
    const suite = fileURLToPath(new URL('./killed.suite.ts', import.meta.url))
    const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), suite, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const [said] = (await Promise.race([once(child.stdout, 'data'), ended])) as [unknown]
    expect(String(said)).toBe('in the middle\n')
    child.kill('SIGKILL')
    await ended
  }

  test('during a backup leaves no archive', async () => {
    const inside = mkdtempSync(join(folder, 'killed-'))
    await killedInTheMiddle('backup', world.connection, join(inside, 'archive'))
    expect(readdirSync(inside)).toEqual([expect.stringMatching(/^archive\.[0-9a-f]{12}\.part$/)])
  }, 60_000)

  test('during a restore leaves an empty database, and the next restore succeeds', async () => {
    const empty = await createEmptyDatabase()
    await killedInTheMiddle('restore', empty.connection, whole)
    await onClient(empty.connection, async (client) => {
      const others = 'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
      while ((await client.query(others)).rows.length > 0);
      const { rows } = await client.query("select 1 from pg_class where relnamespace = 'public'::regnamespace")
      expect(rows).toEqual([])
    })
    await restoreTo(empty.connection, whole)
    expect(await isEmpty(empty.connection)).toBe(false)
    await empty.drop()
  }, 60_000)
})

test('a backup that fails or is ended leaves no file', async () => {
  const inside = mkdtempSync(join(folder, 'failed-'))
  const ending = new AbortController()
  const ended = backUp(world.connection, join(inside, 'archive'), {
    progress: () => ending.abort(),
    signal: ending.signal,
  })
  await expect(ended).rejects.toThrow()
  await expect(backUp(world.connection, join(inside, 'missing', 'archive'))).rejects.toThrow(
    /archive cannot be written \(ENOENT\); choose another place or make room\.$/,
  )
  await expect(backUp(place.connection, join(inside, 'given-up'), { begin: async () => false })).resolves.toBe(null)
  expect(readdirSync(inside)).toEqual([])
})

test('a backup that fails in the middle of a large table ends, and with it its session', async () => {
  await onClient(place.connection, (client) =>
    client.query('create table large as select repeat(md5(n::text), 30) as text from generate_series(1, 40000) n'),
  )
  const inside = mkdtempSync(join(folder, 'full-'))
  const full = () => {
    throw new Error('no space is left')
  }
  await expect(backUp(place.connection, join(inside, 'archive'), { progress: full })).rejects.toThrow('no space')
  expect(readdirSync(inside)).toEqual([])
})

test('a column that a migration adds while the backup waits for it is part of the backup', async () => {
  const file = join(folder, 'migrated')
  const made = await onClient(place.connection, async (migrating) => {
    await migrating.query('begin')
    await migrating.query('alter table key_check add column added_meanwhile int')
    const backup = backUp(place.connection, file)
    await onClient(place.connection, async (client) => {
      const waiting = 'select 1 from pg_locks l join pg_database d on d.oid = l.database'
      const here = `${waiting} where d.datname = current_database() and not l.granted`
      while ((await client.query(here)).rows.length === 0);
    })
    await migrating.query('create table made_meanwhile (id int)')
    await migrating.query('commit')
    return await backup
  })
  expect(made).not.toBe(null)
  const { manifest } = await readBackup(file, async (backup) => backup)
  const columns = new Map(manifest.tables.map(({ name, columns }) => [name, columns]))
  expect(columns.get('key_check')).toContain('added_meanwhile')
  expect(columns.get('made_meanwhile')).toEqual(['id'])
})

test('every table that is left out exists', async () => {
  const names = new Set((await digestsOf(place.connection)).keys())
  expect(Object.keys(LEFT_OUT).filter((name) => !names.has(name))).toEqual([])
})
