import { expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { type Reader, sql } from '../database.ts'
import { addWords, readTermFlow } from './word-flow.ts'

const world = useWorld()

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

test('what two weeks know of a word is added up, and looked up by the word however many others there are', async () => {
  const words = Array.from({ length: 20_000 }, (_, at) => ({ words: `w${at}`, posts: 3 }))
  const companions = Array.from({ length: 20_000 }, (_, at) => ({
    word: `w${at % 2000}`,
    companion: `w${(at * 7) % 20_000}`,
    posts: 2,
  }))
  const at = world.clock.now()
  for (const weeks of [0, 1, 2]) {
    const to = plus(at, -7 * weeks * DAY_MS)
    const counted = {
      read: 1000,
      sampled: 100,
      from: plus(to, -DAY_MS / 2),
      to,
      words,
      companions: [
        ...new Map(companions.map((companion) => [`${companion.word} ${companion.companion}`, companion])).values(),
      ],
    }
    await addWords(world.db, counted)
  }
  await world.db.query(sql`analyze word_count`)
  await world.db.query(sql`analyze word_companion`)
  const flow = await readTermFlow(world.db, 'w1', at)
  expect(flow).toMatchObject({ sampled: 200, holding: 6 })
  expect(flow.companions).toContainEqual({ word: 'w7', together: 4, overall: 6 })

  const nodes: Plan[] = []
  const note = (plan: Plan) => {
    nodes.push(plan)
    plan.Plans?.forEach(note)
  }
  const explaining: Reader = {
    async query(statement) {
      const [row] = await world.db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(sql`explain (format json) ${statement}`)
      note(row!['QUERY PLAN'][0].Plan)
      return world.db.query(statement)
    },
    run: () => Promise.reject(new Error('not used')),
  }
  await readTermFlow(explaining, 'w1', at)
  const scans = nodes.filter((node) => /^word_co/.test(node['Relation Name'] ?? ''))
  expect(scans.length).toBeGreaterThan(0)
  for (const scan of scans) expect(scan['Node Type']).not.toBe('Seq Scan')
  const keys = await world.db.query(sql`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as key from pg_constraint
    where contype = 'p' and conrelid in ('word_count'::regclass, 'word_companion'::regclass) order by 1`)
  expect(keys).toEqual([
    { table: 'word_companion', key: 'PRIMARY KEY (word, week, companion)' },
    { table: 'word_count', key: 'PRIMARY KEY (words, week)' },
  ])
})
