import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeKeyword } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { createWorld } from '../../../test/world.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { DAY_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { EVERY_MENTION, resolveSearch } from '../../queries/mentions/search.ts'
import { selectNewest } from '../../queries/mentions/select-newest.ts'
import { sql } from '../database.ts'
import { BLOCK_SIZE } from './block-sets.ts'
import { maintainBlocks, markBlocksStale } from './mention-blocks.ts'

let ids: Uuid[]
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  const keyword = await makeKeyword(acme)
  const begin = plus(world.clock.now(), -7 * DAY_MS)
  ids = Array.from({ length: 2 * BLOCK_SIZE }, (_, n) => firstUuidAt(plus(begin, n * MINUTE_MS)))
  await world.db.query(sql`
    insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, scored_at,
      relevance, sentiment, intents, language, facets)
    select ${acme.workspaceId}, id, ${keyword.uuid}, gen_random_uuid(), ${begin}, ${begin}, 0, false, ${begin}, 10, 1,
      0, 'en', '{}' from unnest(${ids}::uuid[]) t (id)`)
  // Whoever writes blocks stops behind the statement for as long as the test holds this lock.
  await world.admin(
    `create function stop_behind() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(${GATE}); return null; end $$`,
  )
  await world.admin(
    'create trigger stops after insert or update on mention_block for each row execute function stop_behind()',
  )
})
beforeEach(() => world.db.query(sql`delete from mention_block`))

const GATE = 4711
const maintain = () => maintainBlocks(world.db, world.clock.now())
const waiting = async () =>
  (
    await world.db.query(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length

async function found(language: string): Promise<Uuid[]> {
  const search = await resolveSearch(
    { db: world.db, workspaceId: acme.workspaceId },
    { ...EVERY_MENTION, filters: [{ languages: [language] }] },
  )
  if (isRefusal(search)) throw new Error(search.message)
  const asked = { workspaceId: acme.workspaceId, search, at: world.clock.now(), behind: null, limit: 40 }
  const rows = await world.db.query<{ id: Uuid }>(sql`select id from (${selectNewest(sql`m.id`, asked)}) found`)
  return rows.map(({ id }) => id)
}

/** Changes a mention that is in a block. */
async function write(id: Uuid, language: string): Promise<void> {
  await world.db.transaction(async (tx) => {
    await tx.query(
      sql`update mention set language = ${language} where workspace_id = ${acme.workspaceId} and id = ${id}`,
    )
    await markBlocksStale(tx, [{ workspaceId: acme.workspaceId, mentionId: id }], world.clock.now())
  })
}

/** Changes a mention after blocks were summed up and before that is committed. */
async function writeMeanwhile(id: Uuid, language: string): Promise<void> {
  const both = await world.db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${GATE})`)
    const maintaining = maintain()
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
    const writing = write(id, language)
    await Promise.race([writing, expect.poll(waiting, { timeout: 10_000 }).toBe(2)])
    return { maintaining, writing }
  })
  await Promise.all([both.maintaining, both.writing])
}

test('what is changed while blocks are being made is found, before and after they are summed up anew', async () => {
  await writeMeanwhile(ids[10]!, 'xx')
  expect(await world.db.query(sql`select from mention_block`)).toHaveLength(2)
  expect(await found('xx')).toEqual([ids[10]])
  await maintain()
  expect(await found('xx')).toEqual([ids[10]])
})

test('what is changed while stale blocks are summed up anew is found, before and after they are again', async () => {
  await maintain()
  await write(ids[30]!, 'zz')
  await writeMeanwhile(ids[20]!, 'yy')
  expect(await found('yy')).toEqual([ids[20]])
  await maintain()
  expect([await found('yy'), await found('zz')]).toEqual([[ids[20]], [ids[30]]])
})

test('blocks are not summed up while a change in them is not committed', async () => {
  await world.db.transaction(async (tx) => {
    await tx.query(
      sql`update mention set language = 'vv' where workspace_id = ${acme.workspaceId} and id = ${ids[40]!}`,
    )
    await markBlocksStale(tx, [{ workspaceId: acme.workspaceId, mentionId: ids[40]! }], world.clock.now())
    expect(await maintain()).toBe(0)
  })
  expect(await maintain()).toBe(2)
  expect(await found('vv')).toEqual([ids[40]])
})

test('a mention that was stored with an id of the past does not hide what stands at the end of its block', async () => {
  const world = await createWorld()
  const workspace = await world.workspace('Late')
  const keyword = await makeKeyword(workspace)
  const begin = plus(world.clock.now(), -7 * DAY_MS)
  const made = Array.from({ length: BLOCK_SIZE }, (_, n) => firstUuidAt(plus(begin, n * MINUTE_MS)))
  const put = (some: readonly Uuid[]) =>
    world.db.query(sql`
      insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply,
        automated, scored_at, relevance, sentiment, intents, language, facets)
      select ${workspace.workspaceId}, id, ${keyword.uuid}, gen_random_uuid(), ${begin}, ${begin}, 0, false, true,
        ${begin}, 10, 1, 0, 'en', '{}' from unnest(${some}::uuid[]) t (id)`)
  await put(made)
  await maintainBlocks(world.db, world.clock.now())
  await put([firstUuidAt(plus(begin, MINUTE_MS / 2))])
  const id = made[BLOCK_SIZE - 2]!
  await world.db.transaction(async (tx) => {
    await tx.query(
      sql`update mention set automated = false where workspace_id = ${workspace.workspaceId} and id = ${id}`,
    )
    await markBlocksStale(tx, [{ workspaceId: workspace.workspaceId, mentionId: id }], world.clock.now())
  })
  await maintainBlocks(world.db, world.clock.now())
  const search = await resolveSearch(
    { db: world.db, workspaceId: workspace.workspaceId },
    { ...EVERY_MENTION, filters: [{ automated: false, languages: ['en'] }] },
  )
  if (isRefusal(search)) throw new Error(search.message)
  const asked = { workspaceId: workspace.workspaceId, search, at: world.clock.now(), behind: null, limit: 40 }
  expect(await world.db.query(sql`select id from (${selectNewest(sql`m.id`, asked)}) found`)).toEqual([{ id }])
  await world.close()
})
