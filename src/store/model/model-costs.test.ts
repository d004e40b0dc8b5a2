import { describe, expect, test } from 'vitest'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { DAY_MS, dayOf, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { readModelCosts, readModelSpending } from '../../queries/model-costs.ts'
import { sql } from '../database.ts'
import { reserveModelCost, settleModelCost, spendLostReservations } from './model-costs.ts'

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
const zeta = useWorkspace(world, 'Zeta')

const BUDGET = 1000
const reserve = (workspace: TestWorkspace, microUsd: number, at = world.clock.now()) =>
  reserveModelCost(world.db, { workspaceId: workspace.workspaceId, microUsd, budget: BUDGET }, at)
const cost = (microUsd: number) => ({ microUsd, inputTokens: 100, outputTokens: 10 })
/** Reserves and settles as often as it is granted; answers what came of it together. */
async function spend(workspace: TestWorkspace, microUsd: number, at = world.clock.now()): Promise<number> {
  for (let sum = 0; ; sum += microUsd) {
    const reservation = await reserve(workspace, microUsd, at)
    if (reservation === null) return sum
    await settleModelCost(world.db, reservation, cost(microUsd))
  }
}

describe('the budget of a day', () => {
  test('is never overdrawn, however many ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => reserve(at % 2 === 0 ? acme : zeta, 70)))
    const granted = answers.filter((answer) => answer !== null)
    expect(granted.length).toBe(14)
    expect(granted.filter(({ workspaceId }) => workspaceId === acme.workspaceId).length).toBeGreaterThanOrEqual(7)
    await Promise.all(granted.map((reservation) => settleModelCost(world.db, reservation, cost(50))))
    expect(await readModelSpending(world.db, world.clock.now())).toBe(700)
    expect(await reserve(acme, 301)).toBeNull()
  })

  test('counts what calls came to instead of what was set aside', async () => {
    const reservation = await reserve(acme, 900)
    expect(await reserve(acme, 200)).toBeNull()
    await settleModelCost(world.db, reservation!, cost(7))
    expect(await reserve(acme, 200)).not.toBeNull()
  })

  test('counts as spent what was set aside for a call whose end was never written down', async () => {
    await reserve(acme, 300)
    await reserve(acme, 300)
    const later = plus(world.clock.now(), 15 * MINUTE_MS)
    expect(await spendLostReservations(world.db, plus(later, -1))).toBe(0)
    expect(await reserve(acme, 500, later)).toBeNull()
    expect(await spendLostReservations(world.db, later)).toBe(2)
    expect(await spendLostReservations(world.db, later)).toBe(0)
    expect(await reserve(acme, 500, later)).toBeNull()
    expect(await readModelSpending(world.db, later)).toBe(600)
    expect(await readModelCosts(world.db, 1, later)).toMatchObject([
      { workspaceId: acme.workspaceId, calls: 2, inputTokens: 0, microUsd: 600 },
    ])
  })

  test('is a new one on the next day, and what was begun on the day before counts for that', async () => {
    const reservation = await reserve(acme, 900)
    const tomorrow = plus(world.clock.now(), DAY_MS)
    expect(await reserve(acme, 900, tomorrow)).not.toBeNull()
    await settleModelCost(world.db, reservation!, cost(800))
    expect(await readModelSpending(world.db, world.clock.now())).toBe(800)
    expect(await readModelSpending(world.db, tomorrow)).toBe(0)
  })

  test('leaves the last tenth to a workspace that comes late', async () => {
    expect(await spend(acme, 10)).toBe(900)
    expect(await spend(zeta, 10)).toBe(100)
  })

  test('leaves to each what it used the day before, up to an equal part', async () => {
    expect(await spend(zeta, 10, plus(world.clock.now(), -DAY_MS))).toBe(900)
    expect(await spend(acme, 10)).toBe(500)
    expect(await spend(zeta, 10)).toBe(500)
  })

  test('lets a workspace have more where the others used little', async () => {
    for (let times = 0; times < 10; times += 1)
      await settleModelCost(world.db, (await reserve(zeta, 10, plus(world.clock.now(), -DAY_MS)))!, cost(10))
    expect(await spend(acme, 10)).toBe(900)
    expect(await spend(zeta, 10)).toBe(100)
  })

  test('stays spent when a workspace is removed that spent it, and takes the cost of a call that ends later', async () => {
    const reservation = await reserve(acme, 500)
    await world.db.query(sql`delete from workspace where id = ${acme.workspaceId}`)
    await settleModelCost(world.db, reservation!, cost(500))
    expect(await readModelSpending(world.db, world.clock.now())).toBe(500)
    expect(await reserve(zeta, 501)).toBeNull()
    expect(await readModelCosts(world.db, 30, world.clock.now())).toEqual([])
  })

  test('is shown by day and workspace, the dearest first', async () => {
    await spend(acme, 300, plus(world.clock.now(), -DAY_MS))
    for (const [workspace, amount] of [
      [acme, 10],
      [zeta, 20],
      [zeta, 5],
    ] as const)
      await settleModelCost(world.db, (await reserve(workspace, 50))!, cost(amount))
    const today = dayOf(world.clock.now())
    const costs = await readModelCosts(world.db, 1, world.clock.now())
    expect(costs).toEqual([
      {
        day: today,
        workspaceId: zeta.workspaceId,
        workspace: 'Zeta',
        calls: 2,
        inputTokens: 200,
        outputTokens: 20,
        microUsd: 25,
      },
      {
        day: today,
        workspaceId: acme.workspaceId,
        workspace: 'Acme',
        calls: 1,
        inputTokens: 100,
        outputTokens: 10,
        microUsd: 10,
      },
    ])
    expect(await readModelCosts(world.db, 2, world.clock.now())).toHaveLength(3)
  })
})
