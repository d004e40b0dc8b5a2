import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { everything } from '../../../test/everything.ts'
import { makeKeyword, makePost, matchedBy, mention, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { liftWelcomeLimits } from '../../../test/rows.ts'
import { useFreshWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import type { Post } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import { DAY_MS, HOUR_MS, plus } from '../../kernel/clock.ts'
import { forgetLastUuid, newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { recountKeywords } from '../../queries/keywords/recount-keywords.ts'
import { verifyLedger } from '../../queries/wallet/verify-ledger.ts'
import { type Database, sql } from '../../store/database.ts'
import { maintainBlocks } from '../../store/filter/mention-blocks.ts'
import { EXPIRED_AT_ONCE } from '../../store/retention/expired-mentions.ts'
import type { NewMention } from '../mentions/ingest-posts.ts'
import { removePosts } from '../mentions/remove-posts.ts'
import { updateMention } from '../mentions/update-mention.ts'
import { foldPeople } from '../people/fold-people.ts'
import { expireMentions } from './expire-mentions.ts'
import { pruneLog } from './prune-log.ts'

const world = useFreshWorld()
let acme: TestWorkspace
let other: TestWorkspace
let keyword: TestKeyword

beforeEach(async () => {
  // The clock of each world begins anew.
  forgetLastUuid()
  acme = await world.workspace('Acme')
  other = await world.workspace('Other')
  await liftWelcomeLimits(world)
  keyword = await makeKeyword(acme)
})

const ACTOR = { kind: 'api_key', id: '01a1f84a-95c0-7000-a498-6e5105a8d288' as Uuid } as const
const keep = (workspace: TestWorkspace, mentions: number | null, deliveries: number | null = null) =>
  world.db.query(sql`update workspace set mentions_kept_days = ${mentions}, deliveries_kept_days = ${deliveries}
    where id = ${workspace.workspaceId}`)
const differences = async () => (await recountKeywords(world.db, world.clock.now())).differences
const expire = (db: Database = world.db) => expireMentions({ ...world.services, db })
const mentionsOf = async ({ workspaceId }: TestWorkspace) =>
  (await world.db.query<{ id: Uuid }>(sql`select id from mention where workspace_id = ${workspaceId} order by id`)).map(
    ({ id }) => id,
  )
const totalOf = async (workspace: TestWorkspace) => (await workspace.api('GET', '/v1/mentions/count')).body.total
const statsOf = async (workspace: TestWorkspace, { shown }: TestKeyword) => {
  const { last7d: _, ...stats } = (await workspace.api('GET', `/v1/keywords/${shown.id}`)).body.stats
  return stats
}
const money = () =>
  world.db.query<Record<string, unknown>>(sql`
    select workspace_id, day, keyword_id, platform, matched, scored, relevant, billable, failed, mention_units,
      gone_matched, gone_scored, gone_relevant from usage_day order by 1, 2, 3, 4`)

test('nothing expires without a period', async () => {
  await mention(world, keyword)
  await world.clock.advance(4000 * DAY_MS)
  expect(await expire()).toBe(0)
  expect(await mentionsOf(acme)).toHaveLength(1)
})

test('two workspaces with different periods lose what is older, and a shared post goes with its last mention', async () => {
  const second = await makeKeyword(other)
  await keep(acme, 30)
  await keep(other, 60)
  const post = makePost(world)
  await score(world, await store(world, [matchedBy(post, [keyword, second])]))
  const usage = await money()
  await world.clock.advance(31 * DAY_MS)
  const young = await mention(world, keyword)
  const before = await statsOf(acme, keyword)
  const untouched = await world.db.query(sql`select * from mention where workspace_id = ${other.workspaceId}`)

  expect(await expire()).toBe(1)
  expect(await mentionsOf(acme)).toEqual([young.mentionId])
  expect(await world.db.query(sql`select * from mention where workspace_id = ${other.workspaceId}`)).toEqual(untouched)
  expect(await world.db.query(sql`select id from post`)).toHaveLength(2)
  expect(await differences()).toEqual([])
  expect(await statsOf(acme, keyword)).toEqual({ ...before, mentions: 2 })
  expect(await totalOf(acme)).toBe(1)
  expect(await totalOf(other)).toBe(1)
  expect(await money()).toEqual(expect.arrayContaining(usage))
  expect((await verifyLedger(world.db, { metered: true })).differences).toEqual([])

  await world.clock.advance(31 * DAY_MS)
  expect(await expire()).toBe(2)
  expect(await world.db.query(sql`select id from post`)).toEqual([])
  expect(await differences()).toEqual([])
  expect(await statsOf(other, second)).toMatchObject({ mentions: 1, relevant: 1 })
  expect(world.logged).toContainEqual(expect.objectContaining({ event: 'mentions.expired', mentions: 2, posts: 2 }))
})

test('the shorter of both periods counts, and a workspace that is being imported loses nothing', async () => {
  await keep(acme, 90)
  await mention(world, keyword)
  await world.clock.advance(40 * DAY_MS)
  const services = { ...world.services, retention: { mentionDays: 30, deliveryDays: 30 } }
  await world.db.query(sql`update workspace set importing = true where id = ${acme.workspaceId}`)
  expect(await expireMentions(services)).toBe(0)
  await world.db.query(sql`update workspace set importing = false`)
  expect(await expireMentions(services)).toBe(1)
})

test('a post that has expired, or is older than the period, is not stored and charged again', async () => {
  await keep(acme, 30)
  const post = makePost(world)
  await store(world, [matchedBy(post, [keyword])])
  await world.clock.advance(31 * DAY_MS)
  const [before, usage] = [await statsOf(acme, keyword), await money()]
  await expire()
  expect(await store(world, [matchedBy(post, [keyword])])).toEqual([])
  expect(await store(world, [matchedBy(post, [await makeKeyword(other)])])).toHaveLength(1)
  expect(await statsOf(acme, keyword)).toEqual(before)
  expect((await money()).filter((row) => row['workspace_id'] === acme.workspaceId)).toEqual(usage)
  expect(await mentionsOf(acme)).toEqual([])
})

test('waiting deliveries are cancelled, sent ones stay for the period of the log, and nobody is told', async () => {
  await keep(acme, 30, 60)
  const old = await mention(world, keyword)
  const at = world.clock.now()
  const [pending, sent, channel] = [newUuid(at), newUuid(at), newUuid(at)]
  await world.db.query(sql`
    insert into channel (workspace_id, id, kind, label, config, secret_sealed, created_at)
    values (${acme.workspaceId}, ${channel}, 'webhook', 'Hook', '{}', 'x', ${at})`)
  for (const [id, status] of [[pending, 'pending'] as const, [sent, 'delivered'] as const])
    await world.db.query(sql`
      insert into delivery (workspace_id, id, channel_id, kind, event, mention_id, status, created_at)
      values (${acme.workspaceId}, ${id}, ${channel}, 'mention', 'mention.matched', ${old.mentionId}, ${status}, ${at})`)
  await world.db.query(sql`
    insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at)
    values (${acme.workspaceId}, ${pending}, ${channel}, ${at})`)
  await world.clock.advance(31 * DAY_MS)
  expect(await expire()).toBe(1)
  const log = () => world.db.query(sql`select id, status, error from delivery order by id`)
  expect(await log()).toEqual([
    { id: pending, status: 'cancelled', error: 'the mention is older than the workspace keeps mentions' },
    { id: sent, status: 'delivered', error: null },
  ])
  expect(await world.db.query(sql`select from delivery_queue`)).toEqual([])
  expect((await acme.api('GET', `/v1/deliveries/${toId('dlv', sent)}`)).status).toBe(200)

  const services = { ...world.services, retention: { mentionDays: null, deliveryDays: 90 } }
  expect(await pruneLog(services)).toBe(0)
  await world.clock.advance(30 * DAY_MS)
  expect(await pruneLog(services)).toBe(2)
  expect(await log()).toEqual([])
})

test('a crash loses one portion, and the next run goes on', async () => {
  await keep(acme, 30)
  const posts = Array.from({ length: EXPIRED_AT_ONCE + 20 }, () => makePost(world))
  await score(
    world,
    await store(
      world,
      posts.map((post) => matchedBy(post, [keyword])),
    ),
  )
  await world.clock.advance(31 * DAY_MS)
  const before = await statsOf(acme, keyword)
  let portions = 0
  const dying: Database = Object.assign(Object.create(world.db), {
    transaction: (work: Parameters<Database['transaction']>[0]) =>
      world.db.transaction(async (tx) => {
        const result = await work(tx)
        portions += 1
        if (portions === 2) throw new Error('killed')
        return result
      }),
  })
  await expect(expire(dying)).rejects.toThrow('killed')
  expect(await mentionsOf(acme)).toHaveLength(20)
  expect(await differences()).toEqual([])
  expect(await expire()).toBe(20)
  expect(await mentionsOf(acme)).toEqual([])
  expect(await world.db.query(sql`select from post`)).toEqual([])
  expect(await differences()).toEqual([])
  expect(await statsOf(acme, keyword)).toEqual(before)
})

test('two processes at once remove everything once', async () => {
  await keep(acme, 30)
  await store(
    world,
    Array.from({ length: 600 }, () => matchedBy(makePost(world), [keyword])),
  )
  await world.clock.advance(31 * DAY_MS)
  const removed = await Promise.all([expire(), expire()])
  expect(removed[0] + removed[1]).toBe(600)
  expect(await differences()).toEqual([])
})

test('a run ends when its time is up, after each workspace had its turn', async () => {
  const second = await makeKeyword(other)
  for (const workspace of [acme, other]) await keep(workspace, 30)
  await store(
    world,
    Array.from({ length: 1100 }, () => matchedBy(makePost(world), [keyword])),
  )
  await mention(world, second)
  await world.clock.advance(31 * DAY_MS)
  const begunMs = world.clock.monotonicMs()
  let looks = 0
  // Three portions fit.
  const clock = { ...world.clock, now: world.clock.now, monotonicMs: () => begunMs + 2600 * looks++ }
  expect(await expireMentions({ ...world.services, clock })).toBe(EXPIRED_AT_ONCE * 2 + 1)
  expect(await mentionsOf(other)).toEqual([])
  expect(await mentionsOf(acme)).toHaveLength(100)
})

test('blocks without mentions go, and counts by filter stay exact', async () => {
  await keep(acme, 60)
  const batch = async (count: number) => {
    const made = await store(
      world,
      Array.from({ length: count }, () => matchedBy(makePost(world), [keyword])),
    )
    await score(world, made.slice(0, count / 2), { relevance: 90 })
    await score(world, made.slice(count / 2), { relevance: 10 })
  }
  await batch(600)
  await world.clock.advance(20 * DAY_MS)
  await batch(300)
  await world.clock.advance(2 * HOUR_MS)
  await maintainBlocks(world.db, world.clock.now())
  const blocks = async () => (await world.db.query(sql`select from mention_block`)).length
  const relevant = async () => (await acme.api('GET', '/v1/mentions/count?minRelevance=40')).body.total
  expect([await blocks(), await relevant(), await totalOf(acme)]).toEqual([3, 450, 900])
  await world.clock.advance(41 * DAY_MS)
  expect(await expire()).toBe(600)
  expect([await blocks(), await relevant(), await totalOf(acme)]).toEqual([1, 150, 300])
  await maintainBlocks(world.db, world.clock.now())
  expect([await blocks(), await relevant(), await totalOf(acme)]).toEqual([1, 150, 300])
  await world.clock.advance(20 * DAY_MS)
  expect(await expire()).toBe(300)
  expect([await blocks(), await relevant(), await totalOf(acme)]).toEqual([0, 0, 0])
})

test('people without mentions go, unless the team wrote about them', async () => {
  await keep(acme, 30)
  const by = (id: string) => ({ author: { ...makePost(world).author!, id, handle: `${id}.example` } })
  for (const id of ['ada', 'ben', 'cem']) await score(world, [await mention(world, keyword, by(id))])
  await foldPeople(world.services)
  await world.db.query(sql`update person set notes = 'A friend' where id = (select id from account
    where handle = 'ben.example')`)
  await world.clock.advance(31 * DAY_MS)
  await score(world, [await mention(world, keyword, by('cem'))])
  await expire()
  await foldPeople(world.services)
  expect(
    await world.db.query(sql`
      select a.handle, p.mentions from person p join account a on a.workspace_id = p.workspace_id and a.person_id = p.id
      order by 1`),
  ).toEqual([
    { handle: 'ben.example', mentions: 0 },
    { handle: 'cem.example', mentions: 1 },
  ])
})

type Step =
  | { kind: 'match'; count: number; ageDays: number }
  | { kind: 'score'; which: number; relevance: number | null }
  | { kind: 'mark'; which: number; relevant: boolean | null }
  | { kind: 'forget'; which: number }
  | { kind: 'wait'; days: number }
  | { kind: 'expire' }

const which = fc.nat(30)
const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('match' as const),
      count: fc.integer({ min: 1, max: 4 }),
      ageDays: fc.integer({ min: -40, max: 29 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('score' as const),
      which,
      relevance: fc.option(fc.constantFrom(0, 40, 100)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mark' as const), which, relevant: fc.option(fc.boolean()) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.constantFrom(1, 13, 31) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'expire' as const }) },
)

describe('whatever happened before', () => {
  const counters = () =>
    world.db.query<Record<string, unknown>>(sql`select * from keyword_counter order by workspace_id, keyword_id`)
  const withoutMarks = (rows: Record<string, unknown>[]) => rows.map(({ marks_version: _, ...row }) => row)

  async function act(step: Step, second: TestKeyword, posts: Post[], made: NewMention[]): Promise<void> {
    const pick = <Value>(list: readonly Value[], at: number) => (list.length === 0 ? [] : [list[at % list.length]!])
    switch (step.kind) {
      case 'match': {
        const publishedAt = plus(world.clock.now(), -step.ageDays * DAY_MS)
        const fresh = Array.from({ length: step.count }, () => makePost(world, { publishedAt }))
        posts.push(...fresh)
        made.push(
          ...(await store(
            world,
            fresh.map((post) => matchedBy(post, [keyword, second])),
          )),
        )
        return
      }
      case 'score':
        await score(world, pick(made, step.which), step.relevance === null ? null : { relevance: step.relevance })
        return
      case 'mark':
        for (const { workspaceId, mentionId } of pick(made, step.which))
          await updateMention(workspaceId === acme.workspaceId ? acme : other, ACTOR, mentionId, {
            relevant: step.relevant,
          })
        return
      case 'forget': {
        const ids = pick(posts, step.which).map((post) => postId(post.platform, post.nativeId))
        await world.db.transaction((tx) => removePosts(tx, ids, world.clock.now()))
        return
      }
      case 'wait':
        return await world.clock.advance(step.days * DAY_MS)
      case 'expire': {
        const before = [withoutMarks(await counters()), await money()]
        await expire()
        expect([withoutMarks(await counters()), await money()]).toEqual(before)
      }
    }
  }

  test('counters and money stand still, a recount agrees, and the other workspace keeps every row', async () => {
    await keep(acme, 30)
    const second = await makeKeyword(other)
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 8, maxLength: 30, size: 'max' }), async (steps) => {
        const [posts, made]: [Post[], NewMention[]] = [[], []]
        for (const step of steps) await act(step, second, posts, made)
        const kept = (await mentionsOf(other)).length
        await world.clock.advance(31 * DAY_MS)
        await expire()
        expect(await mentionsOf(acme)).toEqual([])
        expect(await mentionsOf(other)).toHaveLength(kept)
        expect(await differences()).toEqual([])
        expect((await verifyLedger(world.db, { metered: true })).differences).toEqual([])
        expect([await totalOf(acme), await totalOf(other)]).toEqual([0, kept])
      }),
      { numRuns: 15 },
    )
  }, 120_000)
})

test('a workspace without expired mentions keeps every row of every table', async () => {
  await keep(acme, 30)
  await score(world, [await mention(world, await makeKeyword(other))])
  const before = await everything(world)
  await world.clock.advance(40 * DAY_MS)
  expect(await expire()).toBe(0)
  expect(await everything(world)).toEqual(before)
})
