import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { liftWelcomeLimits } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { INTENTS, SENTIMENTS } from '../../domain/mention/classification.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import { postId } from '../../domain/post/post-id.ts'
import { HOUR_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql, type Transaction } from '../../store/database.ts'
import { findChangedKinds, spreadKindChange } from '../../store/person/kind-changes.ts'
import { holdPeople } from '../../store/person/people-totals.ts'
import type { NewMention } from '../mentions/ingest-posts.ts'
import { removePosts } from '../mentions/remove-posts.ts'
import { foldPeople } from './fold-people.ts'
import { mergePeople } from './merge-people.ts'
import { splitPerson } from './split-person.ts'
import { updatePerson } from './update-person.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  // Neither the limit nor the noise brake of the welcome credit may stop keywords whose mentions are scored at random.
  await liftWelcomeLimits(world)
})

const authorOf = (id: string, change = {}) => ({
  id,
  name: `Name of ${id}`,
  handle: `${id}.example`,
  url: null,
  avatarUrl: null,
  followers: 10,
  automated: null,
  ...change,
})
const idOf = (id: string, workspace = acme) => accountIdOf(workspace.workspaceId, 'bluesky', authorOf(id))!
const shown = async (id: string, workspace = acme) =>
  (await workspace.api('GET', `/v1/people/${toId('aut', idOf(id, workspace))}`)).body
const fold = () => foldPeople(world.services)

/** A scored mention of a post of its own. */
async function scored(
  keyword: TestKeyword,
  id: string,
  verdict: Parameters<typeof score>[2] = {},
  change = {},
): Promise<NewMention> {
  const [mention] = await store(world, [matchedBy(makePost(world, { author: authorOf(id, change) }), [keyword])])
  await score(world, [mention!], verdict)
  return mention!
}

test('a person is there once a mention of theirs is scored, with profile and counts', async () => {
  const keyword = await makeKeyword(acme)
  const [waiting] = await store(world, [matchedBy(makePost(world, { author: authorOf('first') }), [keyword])])
  await fold()
  // Whose first mention is there can be looked up before anything is added up; what is not scored does not count.
  expect((await shown('first')).stats).toMatchObject({ mentions: 0, firstSeenAt: null })
  await score(world, [waiting!], { relevance: 80, sentiment: 'negative', intents: ['complaint'] })
  await scored(keyword, 'first', null)
  await scored(keyword, 'first', { relevance: 10, sentiment: 'positive', intents: [] })
  await fold()
  const id = toId('aut', idOf('first'))
  const account = { id, platform: 'bluesky', name: 'Name of first', handle: 'first.example', url: null }
  expect(await shown('first')).toEqual({
    ...account,
    avatarUrl: null,
    accounts: [account],
    reach: { followers: 10, following: null, posts: null },
    stats: {
      mentions: 3,
      relevant: 1,
      sentiment: { positive: 1, neutral: 0, negative: 1 },
      firstSeenAt: world.clock.now().toISOString(),
      lastSeenAt: world.clock.now().toISOString(),
    },
    annotations: { tags: [], notes: '', muted: false },
  })
})

test('a profile is that of the newest post, in whatever order posts come, and what that does not tell stays', async () => {
  const keyword = await makeKeyword(acme)
  const post = (at: string, change: object) =>
    matchedBy(makePost(world, { author: authorOf('renamed', change), publishedAt: new Date(at) }), [keyword])
  for (const [at, change] of [
    ['2026-11-02T00:00:00Z', { name: 'Newest', followers: null }],
    ['2026-11-01T00:00:00Z', { name: 'Older', followers: 70 }],
  ] as const) {
    await score(world, await store(world, [post(at, change)]))
    await fold()
  }
  expect(await shown('renamed')).toMatchObject({
    name: 'Newest',
    reach: { followers: 70 },
    stats: { firstSeenAt: '2026-11-01T00:00:00.000Z', lastSeenAt: '2026-11-02T00:00:00.000Z' },
  })
})

test('mentions without an author, and names that nobody should have, leave the fold standing', async () => {
  const keyword = await makeKeyword(acme)
  const [none] = await store(world, [matchedBy(makePost(world, { author: null }), [keyword])])
  await score(world, [none!])
  for (const name of [
    "'; drop table person; --",
    '\\',
    '"',
    '\u202e\u0301',
    'x'.repeat(3000),
    '{a,b}',
    '👩‍👩‍👧',
    '漢字'.repeat(100),
  ]) {
    await scored(keyword, `odd ${name}`.slice(0, 100), {}, { name, handle: name.slice(0, 400), followers: -5 })
  }
  await fold()
  expect(await world.db.query(sql`select from account_change`)).toEqual([])
})

test('who has no mention any more is forgotten, but not what the team said of them', async () => {
  const keyword = await makeKeyword(acme)
  const gone = [await scored(keyword, 'leaves'), await scored(keyword, 'noted')]
  await fold()
  await updatePerson(acme, idOf('noted'), { notes: 'Met in Berlin.', muted: true })
  await world.db.transaction((tx) =>
    removePosts(
      tx,
      gone.map(({ post }) => postId(post.platform, post.nativeId)),
      world.clock.now(),
    ),
  )
  await fold()
  expect((await shown('leaves')).error.code).toBe('not_found')
  expect(await shown('noted')).toMatchObject({
    stats: { mentions: 0, relevant: 0 },
    annotations: { notes: 'Met in Berlin.', muted: true },
  })
})

test('when somebody was seen is looked up in the index over facets, however much the workspace has', async () => {
  const large = await world.workspace('Large')
  const keyword = await makeKeyword(large)
  const gone = await scored(keyword, 'seen')
  await scored(keyword, 'seen')
  await fold()
  await world.db.query(sql`
    insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, facets)
    select ${large.workspaceId}, gen_random_uuid(), ${keyword.uuid}, gen_random_uuid(), now(), now(), 0, false,
      array[number, -number] from generate_series(1, 20000) number`)
  await world.admin('vacuum analyze mention')
  await world.db.transaction((tx) =>
    removePosts(tx, [postId(gone.post.platform, gone.post.nativeId)], world.clock.now()),
  )
  const plans: string[] = []
  const planning = (tx: Transaction): Transaction => ({
    ...tx,
    async query<Row>(statement: Statement<Row>) {
      if (JSON.stringify(statement.toOperationNode()).includes('m.facets @>'))
        for (const line of await tx.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`))
          plans.push(line['QUERY PLAN'])
      return await tx.query(statement)
    },
  })
  await foldPeople({ db: { ...world.db, transaction: (work) => world.db.transaction((tx) => work(planning(tx))) } })
  expect(plans.join('\n')).toMatch(/Bitmap Index Scan on mention_\d+_facets_idx/)
  await world.db.query(sql`delete from mention where workspace_id = ${large.workspaceId} and account_id is null`)
})

test('while somebody else holds the people of a workspace, they are passed over and those of others are folded', async () => {
  const other = await world.workspace('Other')
  await scored(await makeKeyword(acme), 'held')
  await scored(await makeKeyword(other), 'free')
  await world.db.transaction(async (tx) => {
    await holdPeople(tx, acme.workspaceId)
    await fold()
    expect((await shown('free', other)).stats.mentions).toBe(1)
    expect(await world.db.query(sql`select from account where id = ${idOf('held')}`)).toEqual([])
  })
  await fold()
  expect((await shown('held')).stats.mentions).toBe(1)
})

test('what is left of a workspace that is gone keeps nobody from going on', async () => {
  const going = await world.workspace('Going')
  await world.db.query(sql`
    insert into account_change (workspace_id, account_id, mentions, relevant, positive, neutral, negative, intents)
      values (${randomUUID()}, ${randomUUID()}, 1, 0, 0, 0, 0, 0)`)
  await scored(await makeKeyword(going), 'stays')
  await fold()
  expect(await world.db.query(sql`select from account_change`)).toEqual([])
  expect((await shown('stays', going)).stats.mentions).toBe(1)
})

test('a workspace with very much to add up leaves every other its share', async () => {
  const [much, little] = [await world.workspace('Much'), await world.workspace('Little')]
  await world.db.query(sql`
    insert into account_change (workspace_id, account_id, platform, kind, mentions, relevant, positive, neutral,
      negative, intents)
    select ${much.workspaceId}, ${randomUUID()}::uuid, 0, 'brand', 1, 0, 0, 0, 0, 0 from generate_series(1, 120000)`)
  await scored(await makeKeyword(little), 'waits')
  // In the time that the one takes the other is done: what is left of the one stays for the next turn.
  expect(await fold()).toBeLessThan(120_000)
  expect((await shown('waits', little)).stats.mentions).toBe(1)
  await world.db.query(sql`delete from account_change where workspace_id = ${much.workspaceId}`)
})

const NAMES = ['a', 'b', 'c', 'd', 'e']
type Step =
  | { do: 'mention'; author: number; keyword: number; verdict: number; hour: number }
  | { do: 'mark'; which: number; relevant: boolean | null; sentiment: (typeof SENTIMENTS)[number] | null }
  | { do: 'drop post'; which: number }
  | { do: 'drop keyword'; keyword: number }
  | { do: 'kind'; keyword: number; kind: 'brand' | 'competitor' | 'topic' }
  | { do: 'merge'; one: number; other: number }
  | { do: 'split'; one: number }
  | { do: 'tag'; one: number; muted: boolean }
  | { do: 'spread' }
  | { do: 'fold' }

const place = fc.nat(4)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('mention' as const),
      author: place,
      keyword: fc.nat(2),
      verdict: fc.nat(7),
      hour: fc.nat(40),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('mark' as const),
      which: fc.nat(30),
      relevant: fc.constantFrom(true, false, null),
      sentiment: fc.constantFrom(...SENTIMENTS, null),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drop post' as const), which: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop keyword' as const), keyword: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('kind' as const),
      keyword: fc.nat(2),
      kind: fc.constantFrom('brand', 'competitor', 'topic'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('merge' as const), one: place, other: place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('split' as const), one: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tag' as const), one: place, muted: fc.boolean() }) },
  // A kind changes again, and mentions come and go, while one portion is through and the others are not.
  { weight: 4, arbitrary: fc.constant({ do: 'spread' as const }) },
  { weight: 4, arbitrary: fc.constant({ do: 'fold' as const }) },
)

test('whatever happens in whatever order, counts are what counting anew answers once all is folded, by two processes at once', async () => {
  let made = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      made += 1
      const workspace = await world.workspace(`Property ${made}`)
      const keywords = [await makeKeyword(workspace), await makeKeyword(workspace), await makeKeyword(workspace)]
      const mentions: NewMention[] = []
      for (const next of steps) await perform(next, workspace, keywords, mentions)
      await Promise.all([fold(), fold()])
      await fold()
      await expectRecount(workspace.workspaceId)
      await world.clock.advance(SECOND_MS)
    }),
    { numRuns: 25 },
  )
}, 180_000)

/** What the verdict of a mention is made of: failed, or relevant or not, of some mood, with some intent. */
function verdictOf(number: number) {
  if (number === 7) return null
  return {
    relevance: number % 2 === 0 ? 90 : 10,
    sentiment: SENTIMENTS[number % 3]!,
    intents: [INTENTS[number]!, INTENTS[number + 1]!],
  }
}

async function perform(
  next: Step,
  workspace: TestWorkspace,
  keywords: TestKeyword[],
  mentions: NewMention[],
): Promise<void> {
  const shownAs = (which: number) => `/v1/mentions/${toId('mtn', mentions[which % mentions.length]!.mentionId)}`
  switch (next.do) {
    case 'mention': {
      const author = authorOf(NAMES[next.author]!)
      const made = await store(world, [
        matchedBy(makePost(world, { author, publishedAt: plus(world.clock.now(), -next.hour * HOUR_MS) }), [
          keywords[next.keyword]!,
          keywords[0]!,
        ]),
      ])
      await score(world, made, verdictOf(next.verdict))
      mentions.push(...made)
      return
    }
    case 'mark':
      if (mentions.length > 0)
        await workspace.api('PATCH', shownAs(next.which), { relevant: next.relevant, sentiment: next.sentiment })
      return
    case 'drop post':
      if (mentions.length > 0) {
        const { post } = mentions[next.which % mentions.length]!
        await world.db.transaction((tx) => removePosts(tx, [postId(post.platform, post.nativeId)], world.clock.now()))
      }
      return
    case 'drop keyword':
      await workspace.api('DELETE', `/v1/keywords/${keywords[next.keyword]!.shown.id}`)
      keywords[next.keyword] = await makeKeyword(workspace)
      return
    case 'kind':
      expect(
        (await workspace.api('PATCH', `/v1/keywords/${keywords[next.keyword]!.shown.id}`, { kind: next.kind })).status,
      ).toBe(200)
      return
    case 'merge':
      await Promise.all([
        mergePeople(workspace, idOf(NAMES[next.one]!, workspace), idOf(NAMES[next.other]!, workspace)),
        fold(),
      ])
      return
    case 'split':
      await splitPerson(workspace, idOf(NAMES[next.one]!, workspace), undefined)
      return
    case 'tag':
      await updatePerson(workspace, idOf(NAMES[next.one]!, workspace), { tags: ['seen'], muted: next.muted })
      return
    case 'spread':
      for (const { workspaceId, keywordId } of await findChangedKinds(world.db, 10))
        await world.db.transaction((tx) => spreadKindChange(tx, workspaceId, keywordId, 1))
      return
    case 'fold':
      await fold()
  }
}

/** Compares people and accounts with what the mentions say. */
async function expectRecount(workspaceId: Uuid): Promise<void> {
  const kept = await world.db.query(sql`
    select id, mentions, relevant, positive, neutral, negative, coalesce((select array_agg(place order by place)
      from unnest(intent_counts) with ordinality c (n, place) where n <> 0), '{}') as intents,
      (select array_agg(n order by place) from unnest(kind_counts) with ordinality c (n, place)) as kinds,
        first_seen_at, last_seen_at
    from account where workspace_id = ${workspaceId} and mentions <> 0 order by id`)
  const counted = await world.db.query(sql`
    select account_id as id, count(*)::int as mentions, count(*) filter (where relevance >= 40)::int as relevant,
      count(*) filter (where sentiment = 0)::int as positive,
      count(*) filter (where sentiment = 1)::int as neutral, count(*) filter (where sentiment = 2)::int as negative,
      coalesce((select array_agg(place::bigint order by place) from generate_series(1, ${INTENTS.length}::int) place
        where bit_or(coalesce(m.intents, 0)) & (1 << (place - 1)) <> 0), '{}') as intents,
      array[count(*) filter (where k.kind = 'brand'), count(*) filter (where k.kind = 'competitor'),
        count(*) filter (where k.kind = 'topic')]::int[] as kinds,
      min(m.published_at) as first_seen_at, max(m.published_at) as last_seen_at
    from mention m join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id
    where m.workspace_id = ${workspaceId} and m.scored_at is not null and m.account_id is not null group by account_id
      order by account_id`)
  expect(kept).toEqual(counted)
  const people = await world.db.query(sql`
    select id, mentions, relevant, positive, neutral, negative, kinds, followers from person
      where workspace_id = ${workspaceId} order by id`)
  const summed = await world.db.query(sql`
    select person_id as id, sum(mentions)::int as mentions, sum(relevant)::int as relevant,
      sum(positive)::int as positive, sum(neutral)::int as neutral, sum(negative)::int as negative,
      bit_or((kind_counts[1] > 0)::int + 2 * (kind_counts[2] > 0)::int + 4 * (kind_counts[3] > 0)::int) as kinds,
        max(followers) as followers
    from account where workspace_id = ${workspaceId} group by person_id order by person_id`)
  expect(people).toEqual(summed)
  const [total] = await world.db.query<{ people: number }>(
    sql`select coalesce((select people from people_total where workspace_id = ${workspaceId}), 0) as people`,
  )
  expect(total!.people).toBe(people.length)
}
