import { expect, test } from 'vitest'
import { eventually } from '../../../test/stand-ins/pipeline.ts'
import { useFreshWorld } from '../../../test/use-world.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { type Limit, MONEY, QuotaReached } from '../../sources/contract.ts'
import { sql } from '../../store/database.ts'
import { dayIn, SourceBudget } from './source-budget.ts'

const world = useFreshWorld()

const { signal } = new AbortController()
const budgetOf = (...limits: Limit[]) =>
  new SourceBudget({ platform: 'youtube', limits }, { db: world.db, clock: world.clock, log: silentLog, aside: false })
const spent = async (quota: string) =>
  (await world.db.query<{ spent: number }>(sql`select spent::int as spent from source_quota where quota = ${quota}`))[0]
    ?.spent

test('a request that comes too fast waits for its turn', async () => {
  const budget = budgetOf({ quota: 'searches', kind: 'paced', most: 11, perSeconds: 10, burst: 1 })
  await budget.take({ searches: 1 }, signal)
  const waits = world.clock.waits
  let taken = false
  const second = budget.take({ searches: 1 }, signal).then(() => {
    taken = true
  })
  await eventually(() => expect(world.clock.waits).toBe(waits + 1))
  await world.clock.advance(SECOND_MS)
  expect(taken).toBe(false)
  await world.clock.advance(SECOND_MS)
  await second
})

test('one that would have to wait for long is refused, with the time to wait', async () => {
  const budget = budgetOf({ quota: 'searches', kind: 'paced', most: 2, perSeconds: 600, burst: 1 })
  await budget.take({ searches: 1 }, signal)
  const refused = await budget.take({ searches: 1 }, signal).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(QuotaReached)
  expect(refused).toMatchObject({ kind: 'throttled', daily: false, retryAfterSeconds: 630 })
})

test('money is capped before the call, by the day of the quota', async () => {
  const budget = budgetOf({ quota: MONEY, kind: 'daily', most: 10_000, timeZone: 'UTC' })
  await budget.take({ [MONEY]: 9000 }, signal)
  await expect(budget.take({ [MONEY]: 2000 }, signal)).rejects.toMatchObject({ daily: true, retryAfterSeconds: 3600 })
  budget.spend({ [MONEY]: -8000 })
  await eventually(async () => expect(await spent(MONEY)).toBe(1000))
  await budget.take({ [MONEY]: 9000 }, signal)
  await world.clock.advance(15 * 3600 * SECOND_MS)
  await budget.take({ [MONEY]: 10_000 }, signal)
})

test('every request is counted', async () => {
  const budget = budgetOf()
  for (let request = 0; request < 3; request += 1) await budget.take({}, signal)
  expect(await spent('asked')).toBe(3)
})

test('days are those of the calendar of the quota, when clocks are changed too', () => {
  expect(dayIn('America/Los_Angeles', new Date('2026-11-20T07:59:59Z'))).toBe('2026-11-19')
  expect(dayIn('America/Los_Angeles', new Date('2026-11-20T08:00:00Z'))).toBe('2026-11-20')
  expect(dayIn('America/Los_Angeles', new Date('2026-07-20T07:00:00Z'))).toBe('2026-07-20')
  expect(dayIn('UTC', new Date('2026-11-20T23:59:59Z'))).toBe('2026-11-20')
})

test('a platform that counts with another takes from the quota of that one', async () => {
  const limits: Limit[] = [{ quota: 'shared', kind: 'daily', most: 3, timeZone: 'UTC' }]
  const options = { db: world.db, clock: world.clock, log: silentLog, aside: false }
  const own = new SourceBudget({ platform: 'stackoverflow', limits }, options)
  const other = new SourceBudget({ platform: 'stackexchange', countsWith: 'stackoverflow', limits }, options)
  await own.take({ shared: 2 }, signal)
  await other.take({ shared: 1 }, signal)
  await expect(other.take({ shared: 1 }, signal)).rejects.toMatchObject({ daily: true })
  await expect(own.take({ shared: 1 }, signal)).rejects.toMatchObject({ daily: true })
  expect(await spent('shared')).toBe(3)
})
