import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { postId } from '../../domain/post/post-id.ts'
import { WORKSPACE_NAME_MAX } from '../../domain/workspace/workspace.ts'
import { HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { recountKeywords } from '../../queries/keywords/recount-keywords.ts'
import { verifyLedger } from '../../queries/wallet/verify-ledger.ts'
import { findWorkspaces } from '../../queries/workspaces.ts'
import { sql } from '../../store/database.ts'
import { columnsOfPosts, insertOrHoldPosts, insertPosts, type StoredPost } from '../../store/mention/posts.ts'
import { removeWorkspaces } from '../deletion/remove-workspaces.ts'
import { foldPeople } from '../people/fold-people.ts'
import { importWorkspace } from './import-workspace.ts'
import { readArchive } from './read-archive.ts'
import { archiveOf, linesOf, rowsOf } from './round-trip.suite.ts'
import { WorkspaceImport } from './workspace-import.ts'

const world = useWorld()

async function filled(name: string): Promise<TestWorkspace> {
  const workspace = await world.workspace(name)
  const keyword = await makeKeyword(workspace)
  await score(world, await store(world, [matchedBy(makePost(world), [keyword])]))
  return workspace
}

test('a killed import is seen by nobody, adds up for nobody, and is removed', async () => {
  const lines = await archiveOf(await filled('Killed'))
  const begun = new WorkspaceImport(world.services)
  await readArchive(
    linesOf(lines),
    (manifest) => begun.begin(manifest),
    (batch) => begun.take(batch),
  )
  expect(await findWorkspaces(world.db, 'Killed')).toHaveLength(1)
  expect((await verifyLedger(world.db, { metered: true })).differences).toEqual([])
  expect((await recountKeywords(world.db, world.clock.now())).differences).toEqual([])
  expect(await removeWorkspaces(world.services)).toBe(0)

  world.clock.advance(HOUR_MS + MINUTE_MS)
  await expect(begun.finish({ keepBalance: true })).rejects.toThrow('took too long between two portions')
  expect(await removeWorkspaces(world.services)).toBe(1)
  expect(await world.db.query(sql`select from workspace where importing`)).toEqual([])
})

test('an import that goes on is not removed, however long it takes', async () => {
  const lines = await archiveOf(await filled('Slow'))
  const slow = async function* () {
    for (const line of lines) {
      world.clock.advance(5 * MINUTE_MS)
      expect(await removeWorkspaces(world.services)).toBe(0)
      yield line
    }
  }
  const { id } = await importWorkspace(world.services, slow())
  const rows = await world.db.query(sql`select deletes_at, importing from workspace where id = ${id}`)
  expect(rows).toEqual([{ deletes_at: null, importing: false }])
})

test('a workspace is imported however long its name may be', async () => {
  const name = 'x'.repeat(WORKSPACE_NAME_MAX)
  const imported = await importWorkspace(world.services, linesOf(await archiveOf(await filled(name))))
  expect(imported.name).toBe(name)
})

test('a portion holds the posts that it mentions, new ones and stored ones, and leaves these as they are', async () => {
  const at = world.clock.now()
  const posts = [makePost(world, { text: 'stored' }), makePost(world, { text: 'new' })]
  const rows = posts.map((post): StoredPost => [postId(post.platform, post.nativeId), post])
  await world.db.transaction((tx) => insertPosts(tx, columnsOfPosts(rows.slice(0, 1), at)))
  const given = rows.map(([id, post]): StoredPost => [id, { ...post, text: 'other' }])
  await world.db.transaction(async (tx) => {
    await insertOrHoldPosts(tx, given, plus(at, HOUR_MS))
    const free = sql`select body from post where id = any(${rows.map(([id]) => id)}::uuid[]) for update skip locked`
    expect(await world.db.query(free)).toEqual([])
    expect(await tx.query(free)).toEqual(expect.arrayContaining([{ body: 'stored' }, { body: 'other' }]))
  })
})

test('counts of people that were not summed up before the export are right after the import', async () => {
  const workspace = await filled('Counting')
  await foldPeople(world)
  const [keyword] = (await workspace.api('GET', '/v1/keywords')).body.data
  const [row] = await world.db.query<{ id: string }>(
    sql`select id from keyword where workspace_id = ${workspace.workspaceId}`,
  )
  const made = { uuid: row!.id as TestWorkspace['workspaceId'], workspaceId: workspace.workspaceId, shown: keyword }
  await score(world, await store(world, [matchedBy(makePost(world), [made])]))
  const lines = await archiveOf(workspace)
  await foldPeople(world)
  const { id } = await importWorkspace(world.services, linesOf(lines))
  const sums = async (workspaceId: string) =>
    await world.db.query(sql`select mentions, relevant, neutral, intents, kinds from person
      where workspace_id = ${workspaceId} order by mentions`)
  expect(rowsOf(lines)['mention']).toHaveLength(2)
  expect(await sums(id)).toEqual(await sums(workspace.workspaceId))
})
