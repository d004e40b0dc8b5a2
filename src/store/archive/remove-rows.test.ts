import { expect, test } from 'vitest'
import { everything } from '../../../test/everything.ts'
import { fillTables, workspaceTables } from '../../../test/fill-tables.ts'
import { makePost } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../database.ts'
import { columnsOfPosts, insertPosts } from '../mention/posts.ts'
import { removeWorkspaceRows } from './remove-rows.ts'
import { REMOVED_WITH_IT, WORKSPACE_TABLES } from './workspace-tables.ts'

const world = useWorld()

async function storedPost(): Promise<Uuid> {
  const id = newUuid(world.clock.now())
  await world.db.transaction((tx) => insertPosts(tx, columnsOfPosts([[id, makePost(world)]], world.clock.now())))
  return id
}

/** A workspace with rows in every table and a mention of the post. */
async function filled(name: string, post: Uuid): Promise<Uuid> {
  const { workspaceId } = await world.workspace(name)
  await fillTables(world.db, workspaceId, post)
  return workspaceId
}

async function mentionAsWell(workspaceId: Uuid, post: Uuid): Promise<void> {
  await world.db.query(sql`
    insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, facets)
    values (${workspaceId}, ${newUuid(world.clock.now())}, gen_random_uuid(), ${post}, now(), now(), 1, false,
      '{}')`)
}

/** Tables that have the text in any column of any row. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await world.db.query<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await world.db.query(sql`select from ${sql.table(name)} t where strpos(t::text, ${text}) > 0 limit 1`)
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('the list names every table with rows of workspaces, once', async () => {
  expect([...WORKSPACE_TABLES, ...REMOVED_WITH_IT].sort()).toEqual(await workspaceTables(world.db))
})

test('a removed workspace leaves no row in any table, and others keep theirs', async () => {
  const [shared, own] = [await storedPost(), await storedPost()]
  const staying = await filled('Staying', shared)
  // Sessions stay and only lose their choice of a workspace.
  const before = await everything(world, ['user_session'])
  const going = await filled('Going', own)
  await mentionAsWell(going, shared)
  const held = await tablesWith(going)
  for (const table of await workspaceTables(world.db)) expect(held).toContain(table)

  expect(await removeWorkspaceRows(world.db, going)).toBeGreaterThan(WORKSPACE_TABLES.length)
  expect(await tablesWith(going)).toEqual([])
  expect(await everything(world, ['user_session'])).toEqual(before)
  expect(await tablesWith(staying)).not.toEqual([])
  expect(await tablesWith(own)).toEqual([])
  expect(await tablesWith(shared)).toContain('post')
  expect(await removeWorkspaceRows(world.db, going)).toBe(1)
})
