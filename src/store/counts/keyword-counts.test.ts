import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  makeKeyword,
  makePost,
  matchedBy,
  score,
  store,
  type TestKeyword,
  wrongReports,
} from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { deleteKeyword } from '../../commands/keywords/delete-keyword.ts'
import { updateKeyword } from '../../commands/keywords/update-keyword.ts'
import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { removePosts } from '../../commands/mentions/remove-posts.ts'
import { rescoreMention } from '../../commands/mentions/rescore-mention.ts'
import { updateMention } from '../../commands/mentions/update-mention.ts'
import { grantCredit } from '../../commands/wallet/grant-credit.ts'
import type { Post } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import { DAY_MS, dayStart, HOUR_MS, MINUTE_MS, nextMonthStart, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { recountKeywords } from '../../queries/keywords/recount-keywords.ts'
import { sql } from '../database.ts'
import { pruneRecent, recentOf } from './keyword-counts.ts'

let workspace: TestWorkspace
const world = useWorld()

let made = 0
beforeEach(async () => {
  made += 1
  workspace = await world.workspace(`Workspace ${made}`)
  // Who has paid is not stopped for noise, and has no limit.
  await grantCredit(workspace, 10_000)
})

const ACTOR = { kind: 'api_key', id: '01a1f84a-95c0-7000-a498-6e5105a8d288' as Uuid } as const
const differences = async () => (await recountKeywords(world.db, world.clock.now())).differences

/** What `recentOf` has to answer, from the mentions themselves. */
async function counted(at: Date) {
  return await world.db.query<{ keyword_id: Uuid; last7d: number }>(sql`
    select keyword_id, count(*) as last7d from mention where workspace_id = ${workspace.workspaceId}
      and published_at between ${plus(at, -7 * DAY_MS)} and ${at} group by keyword_id order by 1`)
}

async function answered(at: Date, ids: Uuid[] | null = null) {
  const rows = await world.db.query(
    sql<{
      keyword_id: Uuid
      last7d: number
    }>`select keyword_id, last7d from (${recentOf(workspace.workspaceId, at, ids)}) t where last7d <> 0 order by keyword_id`,
  )
  return rows
}

type Step =
  | { kind: 'match'; keywords: number[]; ageMinutes: number; count: number }
  | { kind: 'score'; which: number; relevance: number | null }
  | { kind: 'mark'; which: number; relevant: boolean | null }
  | { kind: 'edit'; which: number; keywords: number[] }
  | { kind: 'rescore' | 'forget'; which: number }
  | { kind: 'rules' | 'rules twice' | 'mute' | 'unmute' | 'remove'; keyword: number }
  | { kind: 'wait'; minutes: number }
  | { kind: 'prune' }

const keyword = fc.integer({ min: 0, max: 3 })
const which = fc.nat(50)
const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('match' as const),
      keywords: fc.uniqueArray(keyword, { minLength: 1 }),
      ageMinutes: fc.oneof(
        fc.integer({ min: -2 * 1440, max: 9 * 1440 }),
        fc.integer({ min: 12 * 1440, max: 17 * 1440 }),
      ),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('score' as const),
      which,
      relevance: fc.option(fc.constantFrom(0, 39, 40, 100)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('mark' as const), which, relevant: fc.option(fc.boolean()) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      which,
      keywords: fc.uniqueArray(keyword, { minLength: 1 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('rescore' as const, 'forget' as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('rules' as const, 'rules twice' as const, 'mute' as const, 'unmute' as const),
      keyword,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), keyword }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      minutes: fc.constantFrom(0, 1, 359, 361, 1440, 6 * 1440),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'prune' as const }) },
)

/**
 * A step, and by how many minutes the clock of the machine that does it is behind that of the machine that is ahead of
 * all.
 */
const DONE = fc.record({ step: STEP, behind: fc.constantFrom(0, 0, 1, 61, 600) })
type Done = typeof DONE extends fc.Arbitrary<infer One> ? One : never

/** Does steps with the real code, and remembers only what there is to choose from. */
async function stage() {
  // Shortly before the turn of a month, which the clocks of two machines see at different moments.
  world.clock.set(plus(nextMonthStart(world.clock.now()), -30 * MINUTE_MS))
  let furthest = world.clock.now()
  const keywords: TestKeyword[] = []
  for (let number = 0; number < 4; number += 1) keywords.push(await makeKeyword(workspace))
  const posts: Post[] = []
  const mentions: NewMention[] = []
  let [rules, edits] = [0, 0]
  const act = async ({ step, behind }: Done): Promise<void> => {
    world.clock.set(plus(furthest, -behind * MINUTE_MS))
    const pick = <Value>(list: readonly Value[], at: number): Value[] =>
      list.length === 0 ? [] : [list[at % list.length]!]
    switch (step.kind) {
      case 'match': {
        const publishedAt = plus(world.clock.now(), -step.ageMinutes * MINUTE_MS)
        const matched = Array.from({ length: step.count }, () => makePost(world, { publishedAt }))
        const wanted = step.keywords.map((number) => keywords[number]!)
        mentions.push(
          ...(await store(
            world,
            matched.map((post) => matchedBy(post, wanted)),
          )),
        )
        posts.push(...matched)
        return
      }
      case 'edit':
        for (const post of pick(posts, step.which)) {
          edits += 1
          const wanted = step.keywords.map((number) => keywords[number]!)
          mentions.push(
            ...(await store(world, [
              matchedBy({ ...post, text: `edit ${edits}`, publishedAt: plus(post.publishedAt, 7 * HOUR_MS) }, wanted),
            ])),
          )
        }
        return
      case 'rescore':
        for (const { mentionId } of pick(mentions, step.which)) await rescoreMention(workspace, ACTOR, mentionId)
        return
      case 'score':
        return void (await score(
          world,
          pick(mentions, step.which),
          step.relevance === null ? null : { relevance: step.relevance },
        ))
      case 'mark':
        for (const { mentionId } of pick(mentions, step.which))
          await updateMention(workspace, ACTOR, mentionId, { relevant: step.relevant })
        return
      case 'forget':
        return void (await world.db.transaction((tx) =>
          removePosts(
            tx,
            pick(posts, step.which).map((post) => postId(post.platform, post.nativeId)),
            world.clock.now(),
          ),
        ))
      case 'rules twice':
        // First by the machine that is ahead, a moment later.
        rules += 1
        furthest = plus(furthest, MINUTE_MS)
        world.clock.set(furthest)
        await updateKeyword(workspace, keywords[step.keyword]!.uuid, { context: `context ${rules}` })
        return await act({ step: { kind: 'rules', keyword: step.keyword }, behind })
      case 'rules':
        rules += 1
        return void (await updateKeyword(workspace, keywords[step.keyword]!.uuid, { context: `context ${rules}` }))
      case 'mute':
        return void (await updateKeyword(workspace, keywords[step.keyword]!.uuid, { muted: true }))
      case 'unmute':
        return void (await updateKeyword(workspace, keywords[step.keyword]!.uuid, { muted: false }))
      case 'remove':
        return await deleteKeyword(workspace, keywords[step.keyword]!.uuid).then(() => undefined)
      case 'wait':
        furthest = plus(furthest, step.minutes * MINUTE_MS)
        return
      case 'prune':
        return void (await pruneRecent(world.db, world.clock.now()))
    }
  }
  return act
}

test('whatever happens in whatever order, the counts are what a recount of the mentions says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(DONE, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
      const act = await stage()
      for (const step of steps) await act(step)
      expect(await differences()).toEqual([])
      expect(await wrongReports(world, workspace.workspaceId)).toEqual([])
      const at = world.clock.now()
      for (const instant of [at, plus(at, HOUR_MS), plus(at, 3 * DAY_MS)])
        expect(await answered(instant)).toEqual(await counted(instant))
      const orphans = sql`select from keyword_recent r where not exists (select from keyword k
          where k.workspace_id = r.workspace_id and k.id = r.keyword_id)`
      expect(await world.db.query(orphans)).toEqual([])
    }),
    { numRuns: 25, verbose: 1 },
  )
}, 120_000)

test('and the same when everything happens at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(DONE, { minLength: 10, maxLength: 30 }),
      fc.array(DONE, { minLength: 10, maxLength: 30 }),
      async (before, steps) => {
        const act = await stage()
        for (const step of before) await act(step)
        // What somebody else has removed meanwhile is not found, which is as it should be.
        await Promise.all(steps.filter(({ step }) => step.kind !== 'wait').map(act))
        expect(await differences()).toEqual([])
        expect(await wrongReports(world, workspace.workspaceId)).toEqual([])
      },
    ),
    { numRuns: 15, verbose: 1 },
  )
}, 120_000)

test('a change by a machine whose clock is behind that of the last change has what was matched meanwhile judged again', async () => {
  const keyword = await makeKeyword(workspace)
  // Beyond the times that machines ahead have given to ids, which only grow.
  await world.clock.advance(DAY_MS)
  await score(world, await store(world, [matchedBy(makePost(world), [keyword])]))
  await world.clock.advance(MINUTE_MS)
  await updateKeyword(workspace, keyword.uuid, { context: 'Ahead.' })
  const judged = () =>
    world.db.query(sql`select sum(judged_scored)::int as scored from keyword_recent where keyword_id = ${keyword.uuid}`)
  expect(await judged()).toEqual([{ scored: 0 }])
  world.clock.set(plus(world.clock.now(), -10 * MINUTE_MS))
  await updateKeyword(workspace, keyword.uuid, { context: 'Behind.' })
  expect(await judged()).toEqual([{ scored: 1 }])
  expect(await differences()).toEqual([])
})

describe('the last seven days', () => {
  test('begin and end at the instant, whatever quarter of the day it lies in', async () => {
    const [first, second] = [await makeKeyword(workspace), await makeKeyword(workspace)]
    const at = world.clock.now()
    // Every boundary of a quarter that is near one of the window, and the instants beside it.
    const edges = [-7 * DAY_MS, 0].flatMap((edge) =>
      [-6, -5, 0, 1, 6].flatMap((hours) => [-1, 0, 1].map((ms) => plus(at, edge + hours * HOUR_MS + ms))),
    )
    await store(
      world,
      edges.map((publishedAt) => matchedBy(makePost(world, { publishedAt }), [first])),
    )
    await store(world, [matchedBy(makePost(world, { publishedAt: plus(at, 3 * DAY_MS) }), [second])])
    for (let hours = -8; hours <= 8; hours += 1) {
      for (const ms of [-1, 0, 1]) {
        const instant = plus(at, hours * HOUR_MS + ms)
        expect([instant, await answered(instant)]).toEqual([instant, await counted(instant)])
      }
    }
    expect(await answered(plus(at, 3 * DAY_MS), [second.uuid])).toEqual([{ keyword_id: second.uuid, last7d: 1 }])
    expect(await answered(plus(at, 3 * DAY_MS - 1), [second.uuid])).toEqual([])
  })
})

describe('the last mention', () => {
  const lastOf = async ({ shown }: TestKeyword) =>
    (await workspace.api('GET', `/v1/keywords/${shown.id}`)).body.stats.lastMentionAt

  test('is the latest post, whenever it was matched, and another one when its platform deletes that', async () => {
    const keyword = await makeKeyword(workspace)
    const now = world.clock.now()
    const ages = [40 * DAY_MS, 30 * DAY_MS, 3 * DAY_MS, 5 * HOUR_MS, HOUR_MS]
    const posts = ages.map((age) => makePost(world, { publishedAt: plus(now, -age) }))
    // Late finds come last.
    for (const post of [...posts].reverse()) await store(world, [matchedBy(post, [keyword])])
    expect(await lastOf(keyword)).toBe(posts.at(-1)!.publishedAt.toISOString())
    while (posts.length > 0) {
      const gone = posts.pop()!
      await world.db.transaction((tx) => removePosts(tx, [postId(gone.platform, gone.nativeId)], world.clock.now()))
      expect(await lastOf(keyword)).toBe(posts.at(-1)?.publishedAt.toISOString() ?? null)
    }
  })
})

describe('a recount', () => {
  test.each([
    ['keyword_counter', 'mentions', 'mentions'],
    ['keyword_counter', 'relevant', 'relevant'],
    ['keyword_counter', 'feedback_relevant', 'feedback_relevant'],
    ['keyword_counter', 'feedback_not_relevant', 'feedback_not_relevant'],
    ['keyword_counter', 'month_mentions', 'month_mentions'],
    ['keyword_counter', 'month_billable', 'month_billable'],
    ['keyword_counter', 'month_units', 'month_units'],
    ['usage_day', 'scored', 'reported_scored'],
    ['usage_day', 'relevant', 'reported_relevant'],
    ...[1, 2, 3, 4].map((quarter) => ['keyword_recent', `published_${quarter}`, `published_${quarter}`]),
    ['keyword_recent', 'scored', 'scored'],
    ['keyword_recent', 'relevant', 'relevant_of_day'],
    ['keyword_recent', 'judged_scored', 'judged_scored'],
    ['keyword_recent', 'judged_relevant', 'judged_relevant'],
  ])('finds that %s.%s is one too many, and says of which keyword', async (table, column, count) => {
    const [keyword, other] = [await makeKeyword(workspace), await makeKeyword(workspace)]
    await score(world, await store(world, [matchedBy(makePost(world), [keyword, other])]))
    expect(await differences()).toEqual([])
    await world.db.query(
      sql`update ${sql.table(table!)} set ${sql.ref(column!)} = ${sql.ref(column!)} + 1
          where keyword_id = ${keyword.uuid}`,
    )
    const found = await differences()
    expect(found).toMatchObject([
      {
        workspaceId: workspace.workspaceId,
        workspace: `Workspace ${made}`,
        keywordId: keyword.uuid,
        term: keyword.shown.term,
        count,
      },
    ])
    expect(found[0]!.kept - found[0]!.counted).toBe(1)
    await world.db.query(
      sql`update ${sql.table(table!)} set ${sql.ref(column!)} = ${sql.ref(column!)} - 1
          where keyword_id = ${keyword.uuid}`,
    )
  })

  test('finds that the last mention is another', async () => {
    const keyword = await makeKeyword(workspace)
    await score(world, await store(world, [matchedBy(makePost(world), [keyword])]))
    await world.db.query(
      sql`update keyword_counter set last_mention_at = last_mention_at + interval '1 second'
          where keyword_id = ${keyword.uuid}`,
    )
    expect((await differences()).map(({ count, kept, counted: right }) => [count, kept - right])).toEqual([
      ['last_mention_ms', 1000],
    ])
    await world.db.query(
      sql`update keyword_counter set last_mention_at = last_mention_at - interval '1 second'
          where keyword_id = ${keyword.uuid}`,
    )
  })

  test('finds days that are missing', async () => {
    const keyword = await makeKeyword(workspace)
    const publishedAt = plus(dayStart(world.clock.now()), 7 * HOUR_MS)
    await score(world, await store(world, [matchedBy(makePost(world, { publishedAt }), [keyword])]))
    await world.db.query(sql`delete from keyword_recent where keyword_id = ${keyword.uuid}`)
    expect((await differences()).map(({ count, kept, counted: right }) => [count, kept, right])).toEqual([
      ['judged_relevant', 0, 1],
      ['judged_scored', 0, 1],
      ['published_2', 0, 1],
      ['relevant_of_day', 0, 1],
      ['scored', 0, 1],
    ])
    await deleteKeyword(workspace, keyword.uuid)
  })
})

test('days that nobody asks for are removed, and no other', async () => {
  const keyword = await makeKeyword(workspace)
  await score(world, await store(world, [matchedBy(makePost(world), [keyword])]))
  const days = async () =>
    (
      await world.db.query<{ day: string }>(
        sql`select day::text from keyword_recent where keyword_id = ${keyword.uuid}`,
      )
    ).length
  await pruneRecent(world.db, plus(world.clock.now(), 15 * DAY_MS))
  expect(await days()).toBe(1)
  await pruneRecent(world.db, plus(world.clock.now(), 16 * DAY_MS))
  expect(await days()).toBe(0)
})
