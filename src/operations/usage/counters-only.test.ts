import { beforeAll, expect, test } from 'vitest'
import { makeKeyword } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { DAY_MS, dayOf, plus } from '../../kernel/clock.ts'
import { BREAKDOWNS, getUsageBreakdown } from '../../queries/usage/get-breakdown.ts'
import { getUsage } from '../../queries/usage/get-usage.ts'
import { getWallet } from '../../queries/wallet/get-wallet.ts'
import { type Reader, sql } from '../../store/database.ts'
import { storeWaiting } from './usage-setting.suite.ts'

/** So many that reading them all could not go unnoticed; with a million the plans are the same. */
const MENTIONS = 20_000
const WAITING = 15

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  const { uuid } = await makeKeyword(acme)
  const at = world.clock.now()
  await world.db.query(sql`
    insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, facets,
      scored_at)
    select ${acme.workspaceId}, gen_random_uuid(), ${uuid}, gen_random_uuid(), ${at}::timestamptz - n * interval
      '1 minute', ${at}, n % 16, false, '{}', ${at}
    from generate_series(1, ${MENTIONS}::int) as n`)
  await world.db.query(sql`
    insert into usage_day (workspace_id, day, keyword_id, platform, matched, scored, billable, mention_units)
    select workspace_id, (created_at at time zone 'UTC')::date, keyword_id, platform, count(*), count(*), count(*),
      24 * count(*) from mention group by 1, 2, 3, 4`)
  for (let count = 0; count < WAITING; count += 1)
    await storeWaiting(world, acme.workspaceId, uuid, dayOf(plus(at, -DAY_MS)), 0)
  for (const table of ['mention', 'usage_day', 'score_queue', 'keyword', 'workspace', 'ledger_entry'])
    await world.admin(`analyze ${table}`)
})

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** A reader that also notes how many rows of which tables are read, those that are thrown away included. */
function counting(db: Reader): { db: Reader; rowsOf: Map<string, number> } {
  const rowsOf = new Map<string, number>()
  const note = (plan: Plan) => {
    const table = plan['Relation Name']
    const rows =
      plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
    if (table !== undefined) rowsOf.set(table, (rowsOf.get(table) ?? 0) + rows * plan['Actual Loops'])
    for (const inner of plan.Plans ?? []) note(inner)
  }
  const explained = (rows: { 'QUERY PLAN': { Plan: Plan }[] }[]) => note(rows[0]!['QUERY PLAN'][0]!.Plan)
  return {
    rowsOf,
    db: {
      async query(statement) {
        explained(await db.query(sql`explain (analyze, format json) ${statement}`))
        return db.query(statement)
      },
      async run(name, text, values) {
        explained(await db.run(`explain ${name}`, `explain (analyze, format json) ${text}`, values))
        return db.run(name, text, values)
      },
    },
  }
}

/** The partitions of mentions count as one table. */
function mentionsRead(rowsOf: ReadonlyMap<string, number>): number {
  return [...rowsOf].filter(([table]) => /^mention(_|$)/.test(table)).reduce((sum, [, rows]) => sum + rows, 0)
}

test.each([
  ['the wallet', getWallet],
  ['the short summary', getUsage],
])('%s reads no mention, however many there are', async (_, read) => {
  const { db, rowsOf } = counting(acme.db)
  await read({ ...acme, db })
  expect([...rowsOf.keys()].sort()).toEqual(expect.arrayContaining(['keyword', 'usage_day', 'workspace']))
  expect([...rowsOf.keys()].filter((table) => /mention|score_queue|post/.test(table))).toEqual([])
})

test.each(BREAKDOWNS)('a breakdown by %s reads those mentions that wait for their score, and no other', async (by) => {
  const { db, rowsOf } = counting(acme.db)
  const told = await getUsageBreakdown(
    { ...acme, db },
    { by, range: '30d', keywordIds: null, groupIds: null, platforms: null, limit: 500, offset: 0 },
  )
  expect(told).toMatchObject({ totals: { matchedMentions: MENTIONS, unclassifiedMentions: WAITING } })
  expect(mentionsRead(rowsOf)).toBe(WAITING)
})
