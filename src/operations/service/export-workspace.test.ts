import { expect, test } from 'vitest'
import { fillTables, workspaceTables } from '../../../test/fill-tables.ts'
import { makePost } from '../../../test/mentions.ts'
import { createPerson } from '../../../test/people.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { exporting } from '../../commands/archive/round-trip.suite.ts'
import { createRateLimits } from '../../commands/limits/rate-limits.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { exportWorkspace } from '../../queries/archive/export-workspace.ts'
import { ARCHIVED_TABLES, type ArchivedTable, LEFT_TABLES } from '../../store/archive/archived-tables.ts'
import { sql } from '../../store/database.ts'
import { columnsOfPosts, insertPosts } from '../../store/mention/posts.ts'
import type { Role } from '../definition.ts'
import { createOperationHost, invoke } from '../invoke.ts'
import type { Streamed } from '../streamed.ts'
import { exportWorkspaceOperation } from './export-workspace.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

type Row = Record<string, unknown>

interface Archive {
  manifest: { version: number; schema: string; workspace: Row; rows: Record<string, number> }
  rows: { table: string; row: Row }[]
  end: Record<string, number>
}

const tokenOf = async (workspace: TestWorkspace, role: Role) =>
  (await createPerson(workspace, workspace.workspaceId, role)).token

const download = (key: string) =>
  fetch(`${world.origin}/v1/workspace/export`, { headers: { authorization: `Bearer ${key}` } })

function parse(text: string): Archive {
  const [first, ...lines] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { manifest: first.archive, end: lines.at(-1).end.rows, rows: lines.slice(0, -1) }
}

/** A row in every table, and secrets where an archive could show them. */
async function fill(workspace: TestWorkspace): Promise<void> {
  const post = newUuid(world.clock.now())
  await world.db.transaction((tx) => insertPosts(tx, columnsOfPosts([[post, makePost(world)]], world.clock.now())))
  await fillTables(world.db, workspace.workspaceId, post)
  const own = sql`workspace_id = ${workspace.workspaceId}`
  await world.db.query(sql`
    update channel set secret_sealed = 'unspeakable',
      config = '{"url":"https://a.example/","headersSealed":"unspeakable"}'
    where ${own}`)
  await world.db.query(sql`update saved_view set feed_hash = '\xdeadbeef'::bytea where ${own}`)
  await world.db.query(sql`update slack_connection set token_sealed = 'unspeakable' where ${own}`)
  await world.db.query(sql`update delivery_attempt set request = 'unspeakable'::bytea where ${own}`)
}

test('every table of workspaces is in the archive, or is left out with a reason', async () => {
  const named = [...Object.keys(ARCHIVED_TABLES), ...Object.keys(LEFT_TABLES)]
  expect(named.sort()).toEqual(await workspaceTables(world.db))
})

test('owners get every row as it is stored, without secrets, and counts that agree', async () => {
  const { workspaceId } = acme
  await fill(acme)
  const answer = await download(await tokenOf(acme, 'owner'))
  const text = await answer.text()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="workspace-2026-11-20.jsonl"')
  expect(text).not.toMatch(/unspeakable|deadbeef|756e737065616b61626c65|headersSealed/)

  const { manifest, rows, end } = parse(text)
  const [schema] = await world.db.query<{ name: string }>(sql`select max(name) as name from kysely_migration`)
  expect(manifest).toMatchObject({ version: 1, schema: schema!.name, workspace: { id: workspaceId, name: 'Acme' } })
  for (const [table, { without = [] }] of Object.entries<ArchivedTable>(ARCHIVED_TABLES)) {
    const stored = await world.db.query<{ row: Row }>(
      sql`select to_jsonb(t) as row from ${sql.table(table)} t where workspace_id = ${workspaceId}`,
    )
    const archived = rows.filter((item) => item.table === table).map(({ row }) => row)
    // The export itself is in the security log, and its reader a member, before the rows are read.
    expect(archived.length, table).toBe(stored.length)
    expect([table, end[table]]).toEqual([table, stored.length])
    const secret = new Set(['workspace_id', 'config', ...without])
    for (const { row } of stored) {
      const shown = Object.fromEntries(Object.entries(row).filter(([name]) => !secret.has(name)))
      expect(archived).toContainEqual(expect.objectContaining(shown))
    }
  }
  expect(Object.keys(end)).toEqual(Object.keys(manifest.rows))
  const rowOf = (table: string) => rows.find((item) => item.table === table)!.row
  expect(rowOf('channel')['config']).toEqual({ url: 'https://a.example/' })
  expect(rowOf('mention')['post']).toMatchObject({ id: rowOf('mention')['post_id'], body: expect.any(String) })
  expect(rowOf('membership')).toMatchObject({ email: expect.any(String), name: expect.any(String) })
})

test('only owners get it, no key does, and the security log tells of it', async () => {
  for (const key of [acme.writeKey, await tokenOf(acme, 'admin'), await tokenOf(acme, 'member')])
    expect((await download(key)).status).toBe(403)
})

test('an archive is of one moment, whatever changes while it is read', async () => {
  const workspace = await world.workspace('Changing')
  const days = (from: string, count: number) => sql`
    insert into usage_day (workspace_id, day, keyword_id, platform)
      select ${workspace.workspaceId}::uuid, ${from}::date + n, ${newUuid(world.clock.now())}::uuid, 0
      from generate_series(1, ${count}::int) n`
  await world.db.query(days('2026-01-01', 5))
  const texts: string[] = []
  for await (const text of exportWorkspace(exporting(workspace))) {
    if (texts.push(text) > 1) continue
    await world.db.query(sql`delete from usage_day where workspace_id = ${workspace.workspaceId}`)
    await world.db.query(days('2026-02-01', 3))
  }
  const { manifest, rows, end } = parse(texts.join(''))
  const found = rows.filter(({ table }) => table === 'usage_day').map(({ row }) => String(row['day']))
  expect(found.map((day) => day.slice(0, 7))).toEqual(Array(5).fill('2026-01'))
  expect(end).toEqual(manifest.rows)
})

test('an export breaks off before its end when its caller may not have it any more', async () => {
  const workspace = await world.workspace('Leaving')
  const services = world.services
  const host = createOperationHost({
    services,
    log: services.log,
    limits: createRateLimits(world.services),
    describe: async () => ({}),
    misfit: 'log',
  })
  const told = [
    (userId: Uuid) => sql`update membership set role = 'member' where user_id = ${userId}`,
    (userId: Uuid) => sql`delete from membership where user_id = ${userId}`,
  ]
  for (const change of told) {
    const { token, userId } = await createPerson(workspace, workspace.workspaceId, 'owner')
    const presented = { kind: 'bearer', text: token } as const
    const asked = { params: {}, query: {}, body: undefined, presented }
    const { answer } = await invoke(host, exportWorkspaceOperation, presented, asked)
    const texts: string[] = []
    const read = async () => {
      for await (const text of (answer as Streamed).chunks)
        if (texts.push(text) === 1) await world.db.query(change(userId))
    }
    await expect(read()).rejects.toThrow('may not export the workspace any more')
    expect(texts.join('')).not.toContain('"end":')
  }
})

test('long tables come whole and in order, in portions', async () => {
  const workspace = await world.workspace('Large')
  await world.db.query(sql`
    insert into usage_day (workspace_id, day, keyword_id, platform)
      select ${workspace.workspaceId}::uuid, '2026-01-01'::date + n % 40, lpad(n::text, 32, '0')::uuid, n % 3
      from generate_series(1, 1500) n`)
  const lines: { table: string; row: { day: string; keyword_id: string } }[] = []
  for await (const portion of exportWorkspace(exporting(workspace))) {
    const here = portion.trimEnd().split('\n')
    expect(here.length).toBeLessThanOrEqual(500)
    lines.push(...here.map((line) => JSON.parse(line)))
  }
  const days = lines.filter(({ table }) => table === 'usage_day').map(({ row }) => `${row.day} ${row.keyword_id}`)
  expect(days).toHaveLength(1500)
  expect(days).toEqual([...new Set(days)].sort())
})
