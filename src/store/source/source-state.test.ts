import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import {
  noteFailure,
  notePoll,
  readCursor,
  readSourceStates,
  registerSources,
  type SourceState,
  saveCursor,
} from './source-state.ts'

let at: Date
const world = useWorld()
beforeAll(() => {
  at = world.clock.now()
})

const NOTHING = {
  scheduled: false,
  cursor: null,
  newestAt: null,
  lastPolledAt: null,
  lastSuccessAt: null,
  emptyPolls: 0,
  failures: 0,
  lastError: null,
}

async function state(source: string): Promise<SourceState | undefined> {
  return (await readSourceStates(world.db)).find((state) => state.source === source)
}

test('a source that never ran has no place and no state', async () => {
  expect([await readCursor(world.db, 'never'), await state('never')]).toEqual([null, undefined])
})

test('a place is kept as it is, and the newest time never goes back', async () => {
  const cursor = { at: 5, seen: ['a'], nothing: null }
  await world.db.transaction((tx) => saveCursor(tx, 'one', cursor, plus(at, HOUR_MS), at))
  expect(await readCursor(world.db, 'one')).toEqual(cursor)
  await world.db.transaction((tx) => saveCursor(tx, 'one', 'plain', at, plus(at, 1)))
  await world.db.transaction((tx) => saveCursor(tx, 'one', 'plain', null, plus(at, 2)))
  expect(await state('one')).toEqual({
    ...NOTHING,
    source: 'one',
    cursor: 'plain',
    newestAt: plus(at, HOUR_MS),
    lastSuccessAt: plus(at, 2),
  })
})

test('polls that find nothing are counted until one finds something', async () => {
  const polls = [3, 0, 0, 1, 0]
  const counts: number[] = []
  for (const [minute, found] of polls.entries()) {
    await world.db.transaction((tx) => notePoll(tx, 'two', found, plus(at, minute), null))
    counts.push((await state('two'))!.emptyPolls)
  }
  expect(counts).toEqual([0, 1, 2, 0, 1])
  expect(await state('two')).toMatchObject({ lastPolledAt: plus(at, 4), lastSuccessAt: plus(at, 4) })
  await world.db.transaction((tx) => notePoll(tx, 'first-is-empty', 0, at, null))
  expect((await state('first-is-empty'))!.emptyPolls).toBe(1)
})

test('failures are counted and forgotten with the next success, and keep the place', async () => {
  await world.db.transaction((tx) => saveCursor(tx, 'three', 7, at, at))
  for (const error of ['first', 'second']) await world.db.transaction((tx) => noteFailure(tx, 'three', error, at))
  expect(await state('three')).toMatchObject({ cursor: 7, failures: 2, lastError: 'second', lastSuccessAt: at })
  await world.db.transaction((tx) => notePoll(tx, 'three', 1, at, null))
  expect(await state('three')).toMatchObject({ cursor: 7, failures: 0, lastError: null })
  await world.db.transaction((tx) => noteFailure(tx, 'four', 'at once', at))
  expect(await state('four')).toEqual({ ...NOTHING, source: 'four', failures: 1, lastError: 'at once' })
})

test('the sources of the service are known before their first poll, and one that was taken out is scheduled no longer', async () => {
  const register = (sources: Record<string, boolean>) =>
    world.db.transaction((tx) =>
      registerSources(
        tx,
        Object.entries(sources).map(([source, scheduled]) => ({ source, scheduled })),
        at,
      ),
    )
  await register({ live: false, asked: true, later: true })
  expect([await state('live'), await state('asked')]).toEqual([
    { ...NOTHING, source: 'live' },
    { ...NOTHING, source: 'asked', scheduled: true },
  ])
  await world.db.transaction((tx) => notePoll(tx, 'asked', 0, at, null))
  await register({ asked: true })
  expect(await state('asked')).toMatchObject({ scheduled: true, lastPolledAt: at, emptyPolls: 1 })
  expect(await state('later')).toMatchObject({ scheduled: false })
  await register({})
  expect(await state('asked')).toMatchObject({ scheduled: false, lastPolledAt: at })
})
