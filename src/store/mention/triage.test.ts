import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, recount, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { rescoreMention } from '../../commands/mentions/rescore-mention.ts'
import { updateMentions } from '../../commands/mentions/update-mentions.ts'
import { SENTIMENTS } from '../../domain/mention/classification.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import type { TriageActor, TriageChange } from '../../domain/mention/triage.ts'
import { HOUR_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { verifyLedger } from '../../queries/wallet/verify-ledger.ts'
import { sql } from '../database.ts'

const world = useWorld()

let made = 0
async function workspace(): Promise<TestWorkspace> {
  made += 1
  const workspace = await world.workspace(`Workspace ${made}`)
  await world.db.query(sql`update workspace set welcome_limits = false where id = ${workspace.workspaceId}`)
  return workspace
}

async function keyOf({ workspaceId }: TestWorkspace): Promise<TriageActor> {
  const [key] = await world.db.query<{ id: Uuid }>(
    sql`select id from api_key where workspace_id = ${workspaceId} and scope = 'write'`,
  )
  return { kind: 'api_key', id: key!.id }
}

/** Sums over what was noted of accounts, beside what the scored mentions say of them. */
async function accounts(workspaceId: Uuid) {
  const noted = await world.db.query(sql`
    select account_id, sum(mentions)::int as mentions, sum(relevant)::int as relevant, sum(positive)::int as positive,
      sum(neutral)::int as neutral, sum(negative)::int as negative
    from account_change where workspace_id = ${workspaceId} group by 1 having sum(mentions) > 0 order by 1`)
  const counted = await world.db.query(sql`
    select account_id, count(*)::int as mentions, count(*) filter (where relevance >= 40)::int as relevant,
      count(*) filter (where sentiment = 0)::int as positive,
      count(*) filter (where sentiment = 1)::int as neutral, count(*) filter (where sentiment = 2)::int as negative
    from mention where workspace_id = ${workspaceId} and scored_at is not null group by 1 order by 1`)
  return { noted, counted }
}

const change: fc.Arbitrary<TriageChange> = fc.record(
  {
    status: fc.constantFrom(...MENTION_STATUSES),
    relevant: fc.option(fc.boolean(), { nil: null }),
    sentiment: fc.option(fc.constantFrom(...SENTIMENTS), { nil: null }),
  },
  { requiredKeys: [] },
)
const MENTIONS = 5
const which = fc.uniqueArray(fc.nat(MENTIONS - 1), { minLength: 1, maxLength: MENTIONS })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const), which, change }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('score' as const),
      which,
      verdict: fc.option(
        fc.record({ relevance: fc.constantFrom(0, 39, 40, 90), sentiment: fc.constantFrom(...SENTIMENTS) }),
        { nil: null },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rescore' as const), which }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })

test('whatever is marked, restored, closed and scored at the same time, every count is that of a recount, and what the scorer said is never lost', async () => {
  const acme = await workspace()
  const actor = await keyOf(acme)
  const keywords = [await makeKeyword(acme), await makeKeyword(acme)]
  await fc.assert(
    fc.asyncProperty(rounds, async (steps) => {
      const mentions = await fiveMentions(keywords)
      for (const together of steps) {
        await Promise.all(together.map((each) => take(each, mentions)))
        await world.clock.advance(5 * HOUR_MS)
      }
      const { counters, days } = await recount(world, acme.workspaceId)
      expect(counters.kept).toEqual(counters.counted)
      const worth = (rows: Record<string, unknown>[]) =>
        rows.filter((row) => [row['matched'], row['scored'], row['failed']].some((count) => count !== 0))
      expect(worth(days.kept)).toEqual(worth(days.counted))
      const { noted, counted } = await accounts(acme.workspaceId)
      expect(noted).toEqual(counted)
      expect(
        await world.db.query(sql`select id from mention where workspace_id = ${acme.workspaceId} and (${BROKEN})`),
      ).toEqual([])
      expect((await verifyLedger(world.db, { metered: true })).differences).toEqual([])
    }),
    { numRuns: 25 },
  )

  async function take(each: Step, mentions: readonly NewMention[]): Promise<void> {
    const chosen = each.which.map((at) => mentions[at]!)
    if (each.do === 'change')
      await updateMentions(
        acme,
        actor,
        chosen.map((mention) => mention.mentionId),
        each.change,
      )
    else if (each.do === 'score') await score(world, chosen, each.verdict)
    else for (const mention of chosen) await rescoreMention(acme, actor, mention.mentionId)
  }
})

/** What must not be true of any mention. */
const BROKEN = sql`
  (feedback_relevant is null and original_relevance is not null) or (feedback_sentiment is null
    and original_sentiment is not null)
  or (feedback_at is null) <> (feedback_relevant is null and feedback_sentiment is null)
  or (feedback_at is not null and scored_at is null)
  or relevance <> case when feedback_relevant then 100 when not feedback_relevant then 0 else relevance end
  or (not failed and scored_at is not null and case when feedback_relevant is null then relevance
    else original_relevance end is null)
  or (failed and case when feedback_relevant is null then relevance else original_relevance end is not null)
  or (scored_at is null) <> exists (select from score_queue q where q.workspace_id = mention.workspace_id
    and q.mention_id = mention.id)`

function fiveMentions(keywords: readonly TestKeyword[]): Promise<NewMention[]> {
  const author = (at: number) => ({
    id: `author ${at % 2}`,
    name: `Author ${at % 2}`,
    handle: null,
    url: null,
    avatarUrl: null,
    followers: 1,
    automated: null,
  })
  return store(
    world,
    Array.from({ length: MENTIONS }, (_, at) =>
      matchedBy(makePost(world, { author: author(at) }), [keywords[at % keywords.length]!]),
    ),
  )
}

test('a mark on a score that came after its day was settled moves the day under which the score was counted', async () => {
  const acme = await workspace()
  const keyword = await makeKeyword(acme)
  const [late] = await store(world, [matchedBy(makePost(world), [keyword])])
  await world.db.query(
    sql`update workspace set settled_through = ${world.clock.now().toISOString().slice(0, 10)}::date
        where id = ${acme.workspaceId}`,
  )
  await score(world, [late!])
  await updateMentions(acme, await keyOf(acme), [late!.mentionId], { relevant: false })
  const { days } = await recount(world, acme.workspaceId)
  expect(days.kept).toEqual(days.counted)
  expect(days.kept.map((row) => [row['scored'], row['relevant']])).toEqual([
    [0, 0],
    [1, 0],
  ])
})

async function rule(workspace: TestWorkspace): Promise<void> {
  const { body } = await workspace.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' })
  await workspace.api('POST', '/v1/alerts', {
    name: 'All',
    mode: 'instant',
    event: 'mention.matched',
    filter: {},
    channelIds: [body.id],
  })
}

test('of what is closed while its score comes in nothing is left to be sent, whoever is first', async () => {
  const acme = await workspace()
  await rule(acme)
  const actor = await keyOf(acme)
  const keyword = await makeKeyword(acme)
  for (let at = 0; at < 12; at += 1) {
    const mentions = await fiveMentions([keyword])
    const ids = mentions.map((mention) => mention.mentionId)
    const racing = [() => score(world, mentions), () => updateMentions(acme, actor, ids, { status: 'done' })]
    await Promise.all((at % 2 ? racing : racing.reverse()).map((start) => start()))
  }
  const left = sql`select status from delivery where workspace_id = ${acme.workspaceId} and status <> 'cancelled'
      union all
    select 'queued' from delivery_queue where workspace_id = ${acme.workspaceId}`
  expect(await world.db.query(left)).toEqual([])
  expect(
    await world.db.query(
      sql`select distinct status from mention where workspace_id = ${acme.workspaceId} and scored_at is not null`,
    ),
  ).toEqual([{ status: 2 }])
})

test('whoever closes a mention waits for its deliveries before holding it, as who writes their results down does', async () => {
  const acme = await workspace()
  await rule(acme)
  const keyword = await makeKeyword(acme)
  const [sent] = await store(world, [matchedBy(makePost(world), [keyword])])
  await score(world, [sent!])
  const actor = await keyOf(acme)
  const closing = await world.db.transaction(async (tx) => {
    await tx.query(sql`select from delivery_queue where workspace_id = ${acme.workspaceId} for update`)
    const closed = updateMentions(acme, actor, [sent!.mentionId], { status: 'done' })
    await expect
      .poll(() =>
        world.db.query(
          sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      )
      .toHaveLength(1)
    await tx.query(sql`set local lock_timeout = '100ms'`)
    await tx.query(
      sql`update mention set delivered = true where workspace_id = ${acme.workspaceId} and id = ${sent!.mentionId}`,
    )
    return { closed }
  })
  expect(await closing.closed).toEqual({ updated: 1, skipped: [] })
  expect(
    await world.db.query(sql`select status, delivered from mention where workspace_id = ${acme.workspaceId}`),
  ).toEqual([{ status: 2, delivered: true }])
})
