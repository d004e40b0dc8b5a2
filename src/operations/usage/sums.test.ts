import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { PLATFORMS, platformNumber } from '../../domain/platform/platforms.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { DAY_MS, dayOf, plus } from '../../kernel/clock.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { BREAKDOWNS, getUsageBreakdown, type UsageBreakdown } from '../../queries/usage/get-breakdown.ts'
import { sql } from '../../store/database.ts'
import { storeKeywordDay, storeUsage, storeWaiting } from './usage-setting.suite.ts'

/**
 * Four keywords, and two that were removed, in the default group, one that stays, and one that was removed with its
 * keywords.
 */
let cast: { id: Uuid; group: string; removed: boolean }[]
let goneGroup: string
// Breakdowns beside an account of the same usage that is kept in plain lists and added up here.
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  const [stays, goes] = [await acme.group('Stays'), await acme.group('Goes')]
  cast = []
  for (const [at, groupId] of [undefined, undefined, stays, goes, goes, stays].entries()) {
    const shown = (
      await acme.api('POST', '/v1/keywords', { term: `term ${at}`, muted: true, ...(groupId ? { groupId } : {}) })
    ).body
    cast.push({ id: stored('kw', shown.id), group: shown.group.id, removed: at === 0 || at === 2 || groupId === goes })
  }
  for (const at of [0, 2]) await acme.api('DELETE', `/v1/keywords/${toId('kw', cast[at]!.id)}`)
  await acme.api('DELETE', `/v1/groups/${goes}`)
  goneGroup = goes
})

const daysAgo = (days: number) => dayOf(plus(world.clock.now(), -days * DAY_MS))

/** Something that was used: by which of the keywords, when and where. */
interface Fact {
  keyword: number
  day: string
  /** Its place in the list; null for a day of a keyword, which is of no platform. */
  platform: number | null
  keywordDays: number
  matched: number
  billable: number
  waiting: number
}

interface Question {
  by: UsageBreakdown['by']
  /** The first day, so many days ago; the last may lie ahead. */
  from: number
  days: number
  keywords: number[] | null
  groups: number[] | null
  platforms: number[] | null
  limit: number
}

const NONE = { keywordDays: 0, matched: 0, billable: 0, waiting: 0 }
const SEED = Math.trunc(Math.random() * 2 ** 31)

test('every total is the sum of its rows before rounding, however usage fell, whatever is asked for, and over all pages', async () => {
  await fc.assert(
    fc.asyncProperty(anyFacts(), fc.array(anyQuestion(), { minLength: 3, maxLength: 6 }), async (facts, questions) => {
      await storeAll(facts)
      for (const question of questions) await expectTold(question, facts)
    }),
    { numRuns: 25, seed: SEED },
  )
}, 120_000)

function anyFacts(): fc.Arbitrary<Fact[]> {
  const keyword = fc.nat({ max: 5 })
  const day = fc.integer({ min: -1, max: 12 }).map(daysAgo)
  const platform = fc.nat({ max: PLATFORMS.length - 1 })
  const count = fc.nat({ max: 5000 })
  const used = fc
    .record({ keyword, day, platform, matched: count, billable: count })
    .map((item): Fact => ({ ...NONE, ...item }))
  const charged = fc
    .record({ keyword, day })
    .map((item): Fact => ({ ...NONE, ...item, platform: null, keywordDays: 1 }))
  // With a keyword go its mentions, those that wait among them.
  const waiting = fc
    .record({ keyword: fc.constantFrom(1, 5), day, platform })
    .map((item): Fact => ({ ...NONE, ...item, waiting: 1 }))
  const selector = (fact: Fact) => `${fact.keyword} ${fact.day} ${fact.platform}`
  return fc
    .tuple(
      fc.uniqueArray(used, { selector, maxLength: 30 }),
      fc.uniqueArray(charged, { selector, maxLength: 20 }),
      fc.array(waiting, { maxLength: 5 }),
    )
    .map((lists) => lists.flat())
}

function anyQuestion(): fc.Arbitrary<Question> {
  const some = (values: readonly number[]) => fc.option(fc.subarray([...values], { minLength: 1 }))
  return fc.record({
    by: fc.constantFrom(...BREAKDOWNS),
    from: fc.nat({ max: 12 }),
    days: fc.integer({ min: 1, max: 15 }),
    keywords: some([0, 1, 2, 3, 4, 5]),
    groups: some([0, 2, 3]),
    platforms: some([0, 1, 2, 3, 4, 5, 6]),
    limit: fc.integer({ min: 1, max: 20 }),
  })
}

async function storeAll(facts: readonly Fact[]): Promise<void> {
  const { workspaceId } = acme
  for (const table of ['usage_day', 'keyword_day', 'mention', 'score_queue'])
    await world.db.query(sql`delete from ${sql.table(table)} where workspace_id = ${workspaceId}`)
  for (const { keyword, day, platform, matched, billable, waiting } of facts) {
    const { id } = cast[keyword]!
    if (platform === null) await storeKeywordDay(world, workspaceId, id, day)
    else if (waiting > 0) await storeWaiting(world, workspaceId, id, day, platformNumber(PLATFORMS[platform]!))
    else
      await storeUsage(world, workspaceId, id, {
        day,
        platform: platformNumber(PLATFORMS[platform]!),
        matched,
        scored: billable,
      })
  }
}

async function expectTold(question: Question, facts: readonly Fact[]): Promise<void> {
  const { by, limit } = question
  const meant = facts.filter((fact) => isMeant(fact, question))
  const rows = rowsOf(meant, question)
  const whole = await ask(question, 500, 0)
  expect(whole.totals).toEqual({ ...amountsOf(meant), keywordDays: sumOf(meant, 'keywordDays'), ledgerDebitCents: 0 })
  expect(whole.total).toBe(rows.size)
  expect(new Map(whole.data.map((row) => [row.key, row]))).toEqual(
    new Map([...rows].map(([key, own]) => [key, expect.objectContaining(rowOf(key, own, by))])),
  )
  const costs = whole.data.map(({ key }) => unitsOf(rows.get(key)!))
  const keys = whole.data.map(({ key }) => key)
  if (by === 'day') expect(keys).toEqual([...keys].sort())
  else expect(costs).toEqual([...costs].sort((a, b) => b - a))

  const paged: UsageBreakdown['data'] = []
  for (let offset = 0; offset <= rows.size; offset += limit) {
    const page = await ask(question, limit, offset)
    expect([page.totals, page.total]).toEqual([whole.totals, whole.total])
    paged.push(...page.data)
  }
  expect(paged).toEqual(whole.data)
}

async function ask(
  { by, from, days, keywords, groups, platforms }: Question,
  limit: number,
  offset: number,
): Promise<UsageBreakdown> {
  const told = await getUsageBreakdown(acme, {
    by,
    from: daysAgo(from),
    to: daysAgo(from - days + 1),
    keywordIds: keywords?.map((at) => cast[at]!.id) ?? null,
    groupIds: groups?.map((at) => stored('grp', cast[at]!.group)) ?? null,
    platforms: platforms?.map((at) => PLATFORMS[at]!) ?? null,
    limit,
    offset,
  })
  if (isRefusal(told)) throw new Error(told.message)
  return told
}

function isMeant(fact: Fact, { from, days, keywords, groups, platforms }: Question): boolean {
  if (fact.day < daysAgo(from) || fact.day > daysAgo(from - days + 1)) return false
  if (keywords !== null && !keywords.includes(fact.keyword)) return false
  if (groups !== null && !groups.some((at) => cast[at]!.group === cast[fact.keyword]!.group)) return false
  return platforms === null || (fact.platform !== null && platforms.includes(fact.platform))
}

/** What belongs to each row, by the key of the row; of days there is a row although nothing was used. */
function rowsOf(facts: readonly Fact[], { by, from, days }: Question): Map<string, Fact[]> {
  const rows = new Map<string, Fact[]>()
  if (by === 'day') for (let day = 0; day < days; day += 1) rows.set(daysAgo(from - day), [])
  for (const fact of facts) {
    const { id, group } = cast[fact.keyword]!
    const platform = fact.platform === null ? 'keyword_days' : PLATFORMS[fact.platform]!
    const key = { day: fact.day, keyword: toId('kw', id), group, platform }[by]
    rows.set(key, [...(rows.get(key) ?? []), fact])
  }
  return rows
}

function rowOf(key: string, facts: readonly Fact[], by: UsageBreakdown['by']): Partial<UsageBreakdown['data'][number]> {
  const at = cast.findIndex(({ id }) => toId('kw', id) === key)
  const keyword =
    by === 'keyword' ? { id: toId('kw', cast[at]!.id), term: `term ${at}`, removed: cast[at]!.removed } : null
  const groupId = by === 'keyword' ? cast[at]!.group : key
  const group =
    by === 'keyword' || by === 'group' ? expect.objectContaining({ id: groupId, removed: groupId === goneGroup }) : null
  return { keyword, group, keywordDays: by === 'platform' ? null : sumOf(facts, 'keywordDays'), ...amountsOf(facts) }
}

function amountsOf(facts: readonly Fact[]) {
  const cents = (amount: number) => Math.floor(amount / 30 + 0.5)
  return {
    keywordCents: cents(sumOf(facts, 'keywordDays') * 500),
    matchedMentions: sumOf(facts, 'matched'),
    billableMentions: sumOf(facts, 'billable'),
    unclassifiedMentions: sumOf(facts, 'waiting'),
    mentionCents: cents(sumOf(facts, 'billable') * 24),
    totalCents: cents(unitsOf(facts)),
  }
}

function unitsOf(facts: readonly Fact[]): number {
  return sumOf(facts, 'keywordDays') * 500 + sumOf(facts, 'billable') * 24
}

function sumOf(facts: readonly Fact[], name: keyof typeof NONE): number {
  return facts.reduce((sum, fact) => sum + fact[name], 0)
}
