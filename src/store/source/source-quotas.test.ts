import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { pauseSource, type QuotaTake, spendQuota, takeQuotas } from './source-quotas.ts'

const world = useWorld()

const START = Date.UTC(2026, 10, 20)
const at = (ms: number) => new Date(START + ms)
let platforms = 0
const fresh = () => {
  platforms += 1
  return `platform-${platforms}`
}
const take = (more: Partial<QuotaTake> = {}): QuotaTake => ({
  quota: 'calls',
  amount: 1,
  paced: [],
  day: '2026-11-20',
  dailyMost: null,
  ...more,
})

describe('a paced limit', () => {
  test('never admits more in any window than it may, whenever it is asked', async () => {
    const limit = fc.record({
      most: fc.integer({ min: 2, max: 12 }),
      burst: fc.integer({ min: 1, max: 15 }),
      perSeconds: fc.integer({ min: 1, max: 60 }),
    })
    const asking = fc.record({ gap: fc.integer({ min: 0, max: 20_000 }), amount: fc.integer({ min: 1, max: 4 }) })
    await fc.assert(
      fc.asyncProperty(
        limit,
        fc.array(asking, { minLength: 5, maxLength: 40 }),
        async ({ most, burst, perSeconds }, asked) => {
          const platform = fresh()
          const granted: { ms: number; amount: number }[] = []
          let ms = 0
          for (const { gap, amount } of asked) {
            ms += gap
            if (amount > most) continue
            const answer = await takeQuotas(
              world.db,
              platform,
              [take({ amount, paced: [{ most, perSeconds, burst }] })],
              at(ms),
            )
            if (answer.granted) granted.push({ ms, amount })
            else if ('waitMs' in answer) expect(answer.waitMs).toBeGreaterThan(0)
          }
          for (const { ms: from } of granted) {
            const within = granted.filter((item) => item.ms >= from && item.ms < from + perSeconds * SECOND_MS)
            expect(within.reduce((sum, item) => sum + item.amount, 0)).toBeLessThanOrEqual(most)
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  test('says how long to wait, and then admits', async () => {
    const platform = fresh()
    const paced = [{ most: 3, perSeconds: 10, burst: 1 }]
    expect(await takeQuotas(world.db, platform, [take({ paced })], at(0))).toEqual({ granted: true })
    const refused = await takeQuotas(world.db, platform, [take({ paced })], at(0))
    expect(refused).toEqual({ granted: false, waitMs: 5500, reason: 'paced' })
    expect(await takeQuotas(world.db, platform, [take({ paced })], at(5499))).toMatchObject({ granted: false })
    expect(await takeQuotas(world.db, platform, [take({ paced })], at(5500))).toEqual({ granted: true })
  })

  test('leaves time for requests that reach the platform late', async () => {
    const platform = fresh()
    const paced = [{ most: 1, perSeconds: 5, burst: 1 }]
    const lateMs = 900
    expect(await takeQuotas(world.db, platform, [take({ paced })], at(0))).toEqual({ granted: true })
    expect(await takeQuotas(world.db, platform, [take({ paced })], at(5000 + lateMs))).toMatchObject({ granted: false })
    expect(await takeQuotas(world.db, platform, [take({ paced })], at(6000))).toEqual({ granted: true })
  })

  test('holds for all processes together, however many ask at once', async () => {
    const platform = fresh()
    const paced = [{ most: 8, perSeconds: 60, burst: 4 }]
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => takeQuotas(world.db, platform, [take({ paced })], at(0))),
    )
    expect(answers.filter(({ granted }) => granted)).toHaveLength(4)
  })
})

describe('a daily limit', () => {
  test('is never passed, not even by many at once, and begins anew with the day', async () => {
    const platform = fresh()
    const costs = (day: string) => [take({ quota: 'microUsd', amount: 300, dailyMost: 1000, day })]
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => takeQuotas(world.db, platform, costs('2026-11-20'), at(0))),
    )
    expect(answers.filter(({ granted }) => granted)).toHaveLength(3)
    expect(answers.find(({ granted }) => !granted)).toEqual({ granted: false, spentFor: 'microUsd' })
    expect(await takeQuotas(world.db, platform, costs('2026-11-21'), at(86_400_000))).toEqual({ granted: true })
  })

  test('counts what turned out to cost more or less', async () => {
    const platform = fresh()
    const cost = (amount: number) => [take({ quota: 'microUsd', amount, dailyMost: 1000 })]
    expect(await takeQuotas(world.db, platform, cost(1000), at(0))).toEqual({ granted: true })
    await spendQuota(world.db, platform, { quota: 'microUsd', day: '2026-11-20', amount: -600 })
    expect(await takeQuotas(world.db, platform, cost(600), at(0))).toEqual({ granted: true })
    await spendQuota(world.db, platform, { quota: 'microUsd', day: '2026-11-20', amount: 1 })
    expect(await takeQuotas(world.db, platform, cost(1), at(0))).toMatchObject({ granted: false })
  })

  test('is not lowered by what is given back for a day that is over, nor by a clock that is behind', async () => {
    const platform = fresh()
    const cost = (amount: number, day: string) => [take({ quota: 'microUsd', amount, dailyMost: 1000, day })]
    expect(await takeQuotas(world.db, platform, cost(900, '2026-11-20'), at(0))).toEqual({ granted: true })
    expect(await takeQuotas(world.db, platform, cost(900, '2026-11-21'), at(0))).toEqual({ granted: true })
    await spendQuota(world.db, platform, { quota: 'microUsd', day: '2026-11-20', amount: -900 })
    expect(await takeQuotas(world.db, platform, cost(200, '2026-11-20'), at(0))).toMatchObject({ granted: false })
    expect(await takeQuotas(world.db, platform, cost(200, '2026-11-21'), at(0))).toMatchObject({ granted: false })
    expect(await takeQuotas(world.db, platform, cost(100, '2026-11-21'), at(0))).toEqual({ granted: true })
  })

  test('takes nothing at all when one of several quotas is used up', async () => {
    const platform = fresh()
    const takes = [take({ quota: 'a', dailyMost: 5 }), take({ quota: 'b', dailyMost: 1 })]
    expect(await takeQuotas(world.db, platform, takes, at(0))).toEqual({ granted: true })
    expect(await takeQuotas(world.db, platform, takes, at(0))).toEqual({ granted: false, spentFor: 'b' })
    expect(await takeQuotas(world.db, platform, [take({ quota: 'a', amount: 4, dailyMost: 5 })], at(0))).toEqual({
      granted: true,
    })
  })
})

test('a platform that asked to be left alone is left alone by everybody until then', async () => {
  const platform = fresh()
  await pauseSource(world.db, platform, at(30_000))
  await pauseSource(world.db, platform, at(10_000))
  expect(await takeQuotas(world.db, platform, [take()], at(0))).toEqual({
    granted: false,
    waitMs: 30_000,
    reason: 'paused',
  })
  expect(await takeQuotas(world.db, platform, [take()], at(30_000))).toEqual({ granted: true })
  expect(await takeQuotas(world.db, fresh(), [take()], at(0))).toEqual({ granted: true })
})
