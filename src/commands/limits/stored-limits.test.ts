import { beforeEach, expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { openDatabase, sql } from '../../store/database.ts'
import { forgetLimitCounts } from '../../store/limit-counts.ts'
import type { ExactLimits } from './contract.ts'
import { createRateLimits } from './rate-limits.ts'

const world = useWorld()
beforeEach(() => world.clock.advance(2 * HOUR_MS))

/** Limits as two processes have them. */
const two = (): [ExactLimits, ExactLimits] => [
  createRateLimits(world.services).exact,
  createRateLimits(world.services).exact,
]
const grantedIn = async (taken: readonly Promise<{ granted: boolean }>[]) =>
  (await Promise.all(taken)).filter(({ granted }) => granted).length
const stored = () => world.db.query(sql`select xmin::text, granted_at from limit_count order by key`)

test('two processes grant as many as one, also at the same time', async () => {
  const both = two()
  expect(await grantedIn(Array.from({ length: 40 }, (_, at) => both[at % 2]!.take('a', 10)))).toBe(10)
  expect(await both[0].take('b', 1)).toMatchObject({ granted: true, limit: 1, remaining: 0 })
})

test('each grant counts for a whole window, and callers hear when the next is free', async () => {
  const [one, other] = two()
  const begun = world.clock.now().getTime()
  expect(await one.take('a', 2)).toMatchObject({ granted: true, remaining: 1, resetAt: begun / 1000 + 60 })
  await world.clock.advance(20 * SECOND_MS)
  expect(await other.take('a', 2)).toMatchObject({ granted: true, remaining: 0, retryAfterSeconds: 40 })
  const refused = { granted: false, remaining: 0, resetAt: begun / 1000 + 80, retryAfterSeconds: 40 }
  expect(await one.take('a', 2)).toMatchObject(refused)
  expect(await one.take('a', 2)).toMatchObject(refused)
  await world.clock.advance(40 * SECOND_MS)
  expect([(await one.take('a', 2)).granted, (await one.take('a', 2)).granted]).toEqual([true, false])
})

test('a window may be longer than a minute', async () => {
  const [one, other] = two()
  await one.take('a', 1, HOUR_MS)
  await world.clock.advance(59 * MINUTE_MS)
  expect((await other.take('a', 1, HOUR_MS)).granted).toBe(false)
  await world.clock.advance(MINUTE_MS)
  expect((await other.take('a', 1, HOUR_MS)).granted).toBe(true)
})

test('what is given back is granted again, once, in every process', async () => {
  const [one, other] = two()
  const [first] = [await one.take('a', 2), await one.take('a', 2)]
  expect((await other.take('a', 2)).granted).toBe(false)
  await other.giveBack('a', first)
  expect([(await other.take('a', 2)).granted, (await one.take('a', 2)).granted]).toEqual([true, false])
})

test('a flood of refused requests writes nothing', async () => {
  const [one] = two()
  for (let sent = 0; sent < 3; sent += 1) await one.take('a', 3)
  const before = await stored()
  await grantedIn(Array.from({ length: 50 }, () => one.take('a', 3)))
  await world.clock.advance(2 * SECOND_MS)
  await one.take('a', 3)
  expect(await stored()).toEqual(before)
})

test('rows hold neither addresses nor more than the limit, and are deleted when nothing in them counts', async () => {
  const [one] = two()
  await one.take('sign-in account cat@example.com', 10)
  expect(JSON.stringify(await world.db.query(sql`select key::text, granted_at from limit_count`))).not.toContain('cat')
  await world.clock.advance(MINUTE_MS)
  expect(await forgetLimitCounts(world.db, world.clock.now())).toBeGreaterThan(0)
  expect(await stored()).toEqual([])
})

test('a process whose database does not answer counts alone, says so once, and asks again', async () => {
  const logged: string[] = []
  const note = ({ event }: { event: string }) => void logged.push(event)
  const log = Object.assign(Object.create(silentLog), { warn: note, info: note })
  const nowhere = openDatabase({ connection: 'postgres://nobody@127.0.0.1:1/none', log: silentLog })
  let db = nowhere
  const switched = new Proxy(nowhere, { get: (_, name) => Reflect.get(db, name) })
  const { exact } = createRateLimits({ ...world.services, db: switched, log })
  const first = await exact.take('a', 2)
  await exact.take('a', 2)
  expect((await exact.take('a', 2)).granted).toBe(false)
  await exact.giveBack('a', first)
  expect((await exact.take('a', 2)).granted).toBe(true)
  expect(logged).toEqual(['limits.alone'])
  db = world.db
  await world.clock.advance(SECOND_MS)
  expect(await exact.take('b', 5)).toMatchObject({ granted: true, remaining: 4 })
  expect(logged).toEqual(['limits.alone', 'limits.shared'])
  await nowhere.close()
})
