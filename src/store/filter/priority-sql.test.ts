import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database-server.ts'
import { INTENTS, intentBits } from '../../domain/mention/classification.ts'
import { highestPriorityAt, type PriorityFacts, priorityOf } from '../../domain/mention/priority.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { type Database, openDatabase, sql } from '../database.ts'
import { priorityExpression } from './priority-sql.ts'

const NOW = new Date('2026-11-20T09:30:00.123Z')
const SEED = Number(process.env['PRIORITY_SEED'] ?? Math.trunc(Math.random() * 2 ** 31))

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase({ connection: database.connection, poolSize: 1, log: silentLog })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

/** Ages on and beside the steps of the formula, and before the present. */
const ageMs = fc.oneof(
  fc.integer({ min: -DAY_MS, max: 40 * DAY_MS }),
  fc.integer({ min: 0, max: 20_000 }).map((step) => step * 43_200),
  fc.integer({ min: 1, max: 20_000 }).map((step) => step * 43_200 - 1),
)
const factsArbitrary: fc.Arbitrary<PriorityFacts> = fc.record({
  relevance: fc.option(fc.integer({ min: 0, max: 100 })),
  followers: fc.option(
    fc.oneof(
      fc.integer({ min: -5, max: 3000 }),
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      fc.integer({ min: 0, max: 9 }).map((n) => 10 ** n),
    ),
  ),
  intents: fc.subarray([...INTENTS], { maxLength: 4 }),
  publishedAt: ageMs.map((age) => plus(NOW, -age)),
})

/** What the database makes of mentions with these facts; those without intents are now scored, now not. */
async function sorted(facts: readonly PriorityFacts[]): Promise<number[]> {
  const rows = await db.query<{ priority: number }>(sql`
    select ${priorityExpression(NOW)} as priority
    from unnest(${facts.map((fact) => fact.relevance)}::smallint[], ${facts.map((fact) => fact.followers)}::int[],
      ${facts.map((fact, at) => (fact.intents.length === 0 && at % 2 ? null : intentBits(fact.intents)))}::int[],
        ${facts.map((fact) => fact.publishedAt)}::timestamptz[])
      with ordinality as m (relevance, followers, intents, published_at, place) order by place`)
  return rows.map((row) => row.priority)
}

test('lists sort by the very priority that they show, whatever is known of a mention', async () => {
  for (let round = 0; round < 5; round += 1) {
    const facts = fc.sample(factsArbitrary, { numRuns: 4000, seed: SEED + round })
    const shown = facts.map((fact) => priorityOf(fact, NOW))
    const found = await sorted(facts)
    for (const [at, priorityFacts] of facts.entries())
      if (found[at] !== shown[at])
        expect(found[at], `${JSON.stringify(priorityFacts)} with PRIORITY_SEED=${SEED}`).toBe(shown[at])
    expect(found).toHaveLength(shown.length)
  }
})

test('reach counts the same for every number of followers that rounding could tell apart', async () => {
  const facts = Array.from({ length: 100_000 }, (_, at) => ({
    relevance: 99,
    followers: at * 11,
    intents: [],
    publishedAt: plus(NOW, -at * 977),
  }))
  expect(await sorted(facts)).toEqual(facts.map((fact) => priorityOf(fact, NOW)))
})

test('nothing that is older has a higher priority than is possible at its age', () => {
  fc.assert(
    fc.property(factsArbitrary, fc.integer({ min: 0, max: 40 * DAY_MS }), (facts, age) => {
      const older = { ...facts, publishedAt: plus(NOW, -age) }
      for (const bound of [age, Math.floor(age / 2), 0])
        expect(priorityOf(older, NOW)).toBeLessThanOrEqual(highestPriorityAt(bound))
    }),
  )
  expect([0, DAY_MS, 3 * DAY_MS, 30 * DAY_MS].map(highestPriorityAt)).toEqual([90, 88, 84, 70])
})
