import { expect, test } from 'vitest'
import { eventually, watched } from '../../../test/stand-ins/pipeline.ts'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import { deleteKeyword } from '../../commands/keywords/delete-keyword.ts'
import { updateKeyword } from '../../commands/keywords/update-keyword.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { sql } from '../database.ts'
import { resumeQueries } from './keyword-queries.ts'
import { readOpenLookBacks } from './query-claims.ts'
import { notePolled, pruneQueries, readDueQueries, readNextDue, setAside } from './source-queries.ts'

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')

const page = { platform: 'appstore' as const, id: '123456', countries: ['us', 'de'] }

async function asked(): Promise<string[]> {
  const rows = await world.db.query<{ platform: number; key: string }>(
    sql`select platform, key from keyword_query order by keyword_id, platform, key`,
  )
  return rows.map(({ platform, key }) => `${platform} ${key}`)
}

const due = async (platform: 'github' | 'x', except: string[] = []) =>
  (await readDueQueries(world.db, { platform, at: world.clock.now(), except, limit: 100 })).map(
    ({ key, since }) => `${key}${since ? '' : ' (unwanted)'}`,
  )

test('a change asks for exactly what the keyword has by then, and says what is new', async () => {
  const id = await watched(acme, 'Acme', { platforms: ['github'], reviewSources: [page] })
  expect(await asked()).toEqual(['2 acme', '12 123456|de|', '12 123456|us|'])
  await updateKeyword(acme, id, { platforms: ['github', 'x'], reviewSources: [{ ...page, countries: ['us'] }] })
  expect(await asked()).toEqual(['2 acme', '6 acme', '12 123456|us|'])
  const open = await world.db.query<{ platform: number; look_back: boolean }>(
    sql`select platform, look_back from keyword_query order by platform`,
  )
  expect(open.map((row) => [row.platform, row.look_back])).toEqual([
    [2, true],
    [6, false],
    [12, true],
  ])
  expect(await due('x')).toEqual(['acme'])
  await deleteKeyword(acme, id)
  expect(await asked()).toEqual([])
})

test('what is due comes in the order in which it is due, new things first; what is under way is left out', async () => {
  for (const term of ['one', 'two', 'three']) await watched(acme, term, { platforms: ['github'] })
  const set = (key: string, ms: number) =>
    world.db.query(sql`update source_query set due_at = ${plus(world.clock.now(), ms)} where key = ${key}`)
  await set('one', -1000)
  await set('two', -2000)
  expect(await due('github')).toEqual(['three', 'two', 'one'])
  expect(await due('github', ['three'])).toEqual(['two', 'one'])
  await set('one', 5000)
  expect(await due('github', ['three', 'two'])).toEqual([])
  expect(await readNextDue(world.db, 'github', ['three', 'two'])).toEqual(plus(world.clock.now(), 5000))
  expect(await readNextDue(world.db, 'x', [])).toBeNull()
})

test('what only muted keywords ask for is put aside, what nobody asks for goes, and what somebody asks for at that moment stays', async () => {
  await watched(acme, 'muted', { platforms: ['github'], muted: true })
  const gone = await watched(acme, 'gone', { platforms: ['github'] })
  await deleteKeyword(acme, gone)
  expect((await due('github')).sort()).toEqual(['gone (unwanted)', 'muted (unwanted)'])
  await watched(acme, 'back', { platforms: ['github'] })
  await setAside(world.db, 'github', ['gone', 'muted', 'back'], plus(world.clock.now(), HOUR_MS))
  expect(await due('github')).toEqual(['back'])
  const rows = await world.db.query<{ key: string }>(sql`select key from source_query order by key`)
  expect(rows.map(({ key }) => key)).toEqual(['back', 'muted'])
  await watched(acme, 'gone', { platforms: ['github'] })
  expect((await due('github')).sort()).toEqual(['back', 'gone'])
})

test('a keyword that is unmuted at the moment at which its query is put aside has its turn all the same', async () => {
  const id = await watched(acme, 'muted', { platforms: ['github'], muted: true })
  let aside: Promise<void> = Promise.resolve()
  await world.db.transaction(async (tx) => {
    await tx.query(sql`select from source_query for update`)
    aside = setAside(world.db, 'github', ['muted'], plus(world.clock.now(), HOUR_MS))
    await eventually(async () => {
      expect(
        await world.db.query(
          sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        ),
      ).not.toEqual([])
    })
    await tx.query(sql`update keyword set muted = false where id = ${id}`)
    await resumeQueries(tx, acme.workspaceId, [id], world.clock.now())
  })
  await aside
  expect(await due('github')).toEqual(['muted'])
})

test('switching a keyword off and on does not have a query asked before its turn', async () => {
  const id = await watched(acme, 'Acme', { platforms: ['github'] })
  const turn = plus(world.clock.now(), HOUR_MS)
  const claim = { workspaceId: acme.workspaceId, keywordId: id, key: 'acme' }
  const polled = {
    key: 'acme',
    readUntil: world.clock.now(),
    found: false,
    dueAt: plus(world.clock.now(), 16 * HOUR_MS),
    turnAt: turn,
  }
  await world.db.transaction((tx) =>
    notePolled(tx, 'github', { polled: [polled], lookedBack: [claim], at: world.clock.now() }),
  )
  await updateKeyword(acme, id, { muted: true })
  await updateKeyword(acme, id, { muted: false })
  expect(await readNextDue(world.db, 'github', [])).toEqual(turn)
  await updateKeyword(acme, id, { platforms: ['x'] })
  await updateKeyword(acme, id, { platforms: ['x', 'github'] })
  expect(await readNextDue(world.db, 'github', [])).toEqual(turn)
})

test('whoever joins while a query is being asked has it asked again, and nobody else looks back for them', async () => {
  const first = await watched(acme, 'Acme', { platforms: ['github'] })
  const looking = await readOpenLookBacks(world.db, 'github', ['acme'])
  expect(looking.map(({ keywordId }) => keywordId)).toEqual([first])
  const other = await world.workspace('Other')
  const second = await watched(other, 'Acme', { platforms: ['github'] })
  const polled = {
    key: 'acme',
    readUntil: world.clock.now(),
    found: false,
    dueAt: plus(world.clock.now(), HOUR_MS),
    turnAt: null,
  }
  await world.db.transaction((tx) =>
    notePolled(tx, 'github', { polled: [polled], lookedBack: looking, at: world.clock.now() }),
  )
  expect((await readOpenLookBacks(world.db, 'github', ['acme'])).map(({ keywordId }) => keywordId)).toEqual([second])
  expect(await readNextDue(world.db, 'github', [])).toEqual(plus(world.clock.now(), 1000))
})

test('what nobody asks for any more is forgotten, also where its turn never comes', async () => {
  const id = await watched(acme, 'Acme')
  await watched(acme, 'kept', { platforms: ['x'] })
  await world.db.query(sql`update source_query set due_at = null`)
  await deleteKeyword(acme, id)
  const forgotten = await world.db.query(sql`select 1 from source_query where key = 'acme'`)
  expect(forgotten.length).toBeGreaterThan(10)
  expect(await pruneQueries(world.db)).toBe(forgotten.length)
  expect(await world.db.query(sql`select key from source_query`)).toEqual([{ key: 'kept' }])
})
