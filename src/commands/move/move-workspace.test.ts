import { beforeAll, describe, expect, test } from 'vitest'
import { fillTables, workspaceTables } from '../../../test/fill-tables.ts'
import { makePost } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { World } from '../../../test/world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { type Database, sql } from '../../store/database.ts'
import { columnsOfPosts, insertPosts } from '../../store/mention/posts.ts'
import { MoveProblem } from './cell.ts'
import { cancelMove, moveWorkspace } from './move-workspace.ts'
import { AWAY, isActive, movingBetween, passed } from './moving.suite.ts'

const home = useWorld()
const away = useWorld()
const HOME = 'https://home.test'

const addressOf = (world: World) => (world === home ? HOME : AWAY)
const otherThan = (world: World) => (world === home ? away : home)
/** A minute at each wait. */
const hastily = { wait: () => passed([home, away], MINUTE_MS) }

async function filled(name: string): Promise<Uuid> {
  const { workspaceId } = await home.workspace(name)
  const post = newUuid(home.clock.now())
  await home.db.transaction((tx) => insertPosts(tx, columnsOfPosts([[post, makePost(home)]], home.clock.now())))
  await fillTables(home.db, workspaceId, post)
  await home.db.query(sql`delete from awaited_match where workspace_id = ${workspaceId}`)
  return workspaceId
}

/** Numbered or set by each cell for itself. */
const OWN = ['place', 'era', 'leased_until']
const NUMBERED = ['account_change', 'kind_change', 'wallet_spent']
const NOT_MOVED = [
  ...['keyword_change', 'mention_block', 'mention_block_figures', 'model_reservation'],
  ...['workspace_follower', 'words_to_renew'],
]

async function rowsOf({ db }: { db: Database }, workspaceId: Uuid): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const table of await workspaceTables(db)) {
    if (NOT_MOVED.includes(table)) continue
    const without = NUMBERED.includes(table) ? [...OWN, 'id'] : OWN
    const found = await db.query<{ row: string }>(sql`
      select (to_jsonb(t) - ${without}::text[])::text as row from ${sql.table(table)} t
      where workspace_id = ${workspaceId} order by 1`)
    rows[table] = found.map(({ row }) => row)
  }
  const own = await db.query<{ row: string }>(
    sql`select to_jsonb(w)::text as row from workspace w where id = ${workspaceId}`,
  )
  return { ...rows, workspace: own.map(({ row }) => row) }
}

const move = (from: World, workspaceId: Uuid) =>
  moveWorkspace(movingBetween(from, otherThan(from), workspaceId, hastily), addressOf(otherThan(from)))

test('a workspace with rows in every table moves there and back and is the same', async () => {
  const id = await filled('Traveller')
  const before = await rowsOf(home, id)
  for (const table of await workspaceTables(home.db))
    if (![...NOT_MOVED, 'awaited_match'].includes(table)) expect(before[table], table).not.toEqual([])
  await move(home, id)
  expect(await rowsOf(away, id)).toEqual(before)
  expect(Object.values(await rowsOf(home, id)).flat()).toEqual([])
  await move(away, id)
  expect(await rowsOf(home, id)).toEqual(before)
  expect(Object.values(await rowsOf(away, id)).flat()).toEqual([])
})

describe('a move that is killed', () => {
  let id: Uuid
  let before: Record<string, string[]>
  let steps = 0
  let at: World = home

  const count = () => {
    steps += 1
  }

  beforeAll(async () => {
    id = await filled('Killed')
    before = await rowsOf(home, id)
    await moveWorkspace(movingBetween(home, away, id, { ...hastily, step: count }), AWAY)
    at = away
  })

  /** Every step of the first and the last, and some of the many portions in between. */
  const isTried = (step: number) => step < 6 || step > steps - 20 || step % 24 === 0

  test('goes on from every step, with at most one cell at work', { timeout: 240_000 }, async () => {
    for (let last = 0; last < steps; last += 1) {
      if (!isTried(last)) continue
      const from = at
      const to = otherThan(from)
      let left = last
      const step = () => {
        if (left === 0) throw new Error('killed')
        left -= 1
      }
      const killed = moveWorkspace(movingBetween(from, to, id, { ...hastily, step }), addressOf(to))
      await expect(killed, `step ${last}`).rejects.toThrow('killed')
      expect([await isActive(from, id), await isActive(to, id)]).not.toEqual([true, true])
      await moveWorkspace(movingBetween(from, to, id, hastily), addressOf(to))
      expect([await isActive(from, id), await isActive(to, id)]).toEqual([false, true])
      expect(await rowsOf(to, id), `step ${last}`).toEqual(before)
      at = to
    }
  })
})

test('a move that has not left is cancelled, and the workspace goes on where it was', async () => {
  const id = await filled('Staying')
  const before = await rowsOf(home, id)
  const refusing = movingBetween(home, away, id, {
    ...hastily,
    tell(line) {
      if (line.startsWith('The copy is equal')) throw new Error('killed')
    },
  })
  await expect(moveWorkspace(refusing, AWAY)).rejects.toThrow('killed')
  expect(await isActive(home, id)).toBe(false)
  await cancelMove(movingBetween(home, away, id, hastily))
  expect(await rowsOf(home, id)).toEqual(before)
  expect(Object.values(await rowsOf(away, id)).flat()).toEqual([])
  await expect(cancelMove(movingBetween(home, away, id, hastily))).rejects.toThrow(
    'No move of this workspace has begun.',
  )
})

test('a row that changes while it is copied is copied again', async () => {
  const id = await filled('Restless')
  let changes = 0
  const told: string[] = []
  const restless = movingBetween(home, away, id, {
    ...hastily,
    tell: (line) => void told.push(line),
    async step() {
      const copied = await away.db.query(sql`select from company where workspace_id = ${id}`)
      if (copied.length === 0 || changes === 2) return
      changes += 1
      await home.db.query(sql`update company set name = ${`Name ${changes}`} where workspace_id = ${id}`)
    },
  })
  await moveWorkspace(restless, AWAY)
  expect(told).toContain('Copying company again, which changed meanwhile')
  expect(await away.db.query(sql`select name from company where workspace_id = ${id}`)).toEqual([{ name: 'Name 2' }])
})

test('a workspace that is being deleted, and one that the other cell has, do not move', async () => {
  const leaving = await filled('Leaving')
  await home.db.query(sql`update workspace set deletes_at = now() + interval '7 days' where id = ${leaving}`)
  await expect(move(home, leaving)).rejects.toThrow(MoveProblem)
  const twin = await filled('Twin')
  await away.db.query(
    sql`insert into workspace (id, name, created_at, settled_through) values (${twin}, 'Twin', now(), '2026-11-19')`,
  )
  await expect(move(home, twin)).rejects.toThrow('The other cell has a workspace with this id already.')
  await cancelMove(movingBetween(home, away, twin, hastily))
  expect(await isActive(home, twin)).toBe(true)
  expect(await isActive(away, twin)).toBe(true)
})

test('a person whom the other cell knows under another id keeps one account there', async () => {
  const id = await filled('Known')
  const [person] = await home.db.query<{ id: Uuid; email: string }>(
    sql`select u.id, u.email from membership m join user_account u on u.id = m.user_id where m.workspace_id = ${id}`,
  )
  const known = newUuid(away.clock.now())
  await away.db.query(sql`insert into user_account (id, email, email_folded, name, created_at)
    select ${known}, ${person!.email}, (json_populate_record(null::user_account, ${JSON.stringify(
      (await home.db.query(sql`select * from user_account where id = ${person!.id}`))[0],
    )}::json)).email_folded, 'Known', now()`)
  await move(home, id)
  const there = await away.db.query<{ userId: Uuid }>(
    sql`select user_id as "userId" from membership where workspace_id = ${id}`,
  )
  expect(there).toEqual([{ userId: known }])
})
