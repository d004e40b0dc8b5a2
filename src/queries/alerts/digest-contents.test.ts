import { beforeEach, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { foldPeople } from '../../commands/people/fold-people.ts'
import { DIGEST_MAX } from '../../domain/delivery/digest.ts'
import type { DigestWindow } from '../../domain/delivery/due-digest.ts'
import type { Verdict } from '../../domain/mention/classification.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import type { Post } from '../../domain/post/post.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { EVERY_MENTION, resolveSearch } from '../mentions/search.ts'
import { contentsStatement, type DigestRequest, digestContents, matchedSince } from './digest-contents.ts'

let keyword: TestKeyword
let begin: Date
const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  keyword = await makeKeyword(acme)
  await world.clock.advance(HOUR_MS)
  begin = world.clock.now()
})

async function scored(verdict: Partial<Verdict> | null = {}, post: Partial<Post> = {}): Promise<NewMention> {
  await world.clock.advance(SECOND_MS)
  const made = await mention(world, keyword, post)
  await score(world, [made], verdict)
  return made
}

const windowOf = (from: Date, to: Date): DigestWindow => ({
  from,
  to,
  scoredFrom: from,
  matchedFrom: plus(from, -DAY_MS),
})

async function contents(change: Partial<DigestRequest> = {}) {
  const wish: DigestRequest = {
    mode: 'daily',
    timezone: 'UTC',
    filter: {},
    window: windowOf(begin, plus(begin, DAY_MS)),
    toldLast: [],
    floors: [40],
    ...change,
  }
  return await digestContents(acme, wish)
}

async function digest(change: Partial<DigestRequest> = {}) {
  return [...(await contents(change)).digests.values()][0]!
}

const idsOf = (shown: readonly { id: string }[]) => shown.map(({ id }) => id)
const idOf = ({ mentionId }: NewMention) => toId('mtn', mentionId)

test('counts all scored mentions that fit, and of the relevant ones their sentiments and who wants to buy', async () => {
  await scored({ relevance: 90, sentiment: 'positive', intents: ['buy_intent', 'pricing'] })
  await scored({ relevance: 40, sentiment: 'negative', intents: ['complaint'] }, { platform: 'reddit' })
  await scored({ relevance: 70, sentiment: 'neutral', intents: [] })
  await scored({ relevance: 39, sentiment: 'negative', intents: ['buy_intent'] })
  await scored(null)
  await mention(world, keyword)
  const { counts, platforms, period } = await digest()
  expect(counts).toEqual({ matched: 4, relevant: 3, positive: 1, neutral: 1, negative: 1, buyIntent: 1 })
  expect(platforms).toEqual([
    { platform: 'bluesky', matched: 3, relevant: 2 },
    { platform: 'reddit', matched: 1, relevant: 1 },
  ])
  expect(period).toEqual({
    mode: 'daily',
    from: begin.toISOString(),
    to: plus(begin, DAY_MS).toISOString(),
    timezone: 'UTC',
  })
})

test('shows whole mentions by priority, at most so many of each part', async () => {
  const made: NewMention[] = []
  for (let number = 0; number < 12; number += 1)
    made.push(await scored({ relevance: 50 + number, sentiment: 'negative', intents: ['buy_intent'] }))
  const best = made.toReversed().map(idOf)
  const { counts, top, negative, buyingSignals } = await digest()
  expect(counts.relevant).toBe(12)
  expect(idsOf(top)).toEqual(best.slice(0, DIGEST_MAX.top))
  expect(idsOf(negative)).toEqual(best.slice(0, DIGEST_MAX.negative))
  expect(idsOf(buyingSignals)).toEqual(best.slice(0, DIGEST_MAX.buyingSignals))
  expect(top[0]).toEqual((await acme.api('GET', `/v1/mentions/${best[0]}`)).body)
})

test('takes what the filter of the rule wants; its floor decides what is relevant to it, and every floor has its own digest of the same moment', async () => {
  const low = await scored({ relevance: 25, sentiment: 'positive' })
  const high = await scored({ relevance: 85, sentiment: 'positive' })
  await scored({ relevance: 85, sentiment: 'negative' })
  const { digests } = await contents({ filter: { sentiments: ['positive'], minRelevance: 20 }, floors: [20, 40] })
  expect(digests.get(20)).toMatchObject({ counts: { matched: 2, relevant: 2, positive: 2, negative: 0 } })
  expect(idsOf(digests.get(20)!.top)).toEqual([idOf(high), idOf(low)])
  expect(digests.get(40)).toMatchObject({ counts: { matched: 2, relevant: 1, positive: 1, negative: 0 } })
  expect(idsOf(digests.get(40)!.top)).toEqual([idOf(high)])
})

test('leaves out what is ignored, done or by somebody muted, and of other workspaces', async () => {
  const [open, ignored, done] = [await scored(), await scored(), await scored()]
  const author = {
    id: 'did:plc:loud',
    name: 'Loud',
    handle: 'loud.example',
    url: null,
    avatarUrl: null,
    followers: 1,
    automated: null,
  }
  await scored({}, { author })
  await acme.api('PATCH', `/v1/mentions/${idOf(ignored)}`, { status: 'ignored' })
  await acme.api('PATCH', `/v1/mentions/${idOf(done)}`, { status: 'done' })
  await foldPeople(acme)
  await acme.api('PATCH', `/v1/people/${toId('aut', accountIdOf(acme.workspaceId, 'bluesky', author)!)}`, {
    muted: true,
  })
  const mine = keyword
  keyword = await makeKeyword(await world.workspace('Other'))
  await scored()
  keyword = mine
  const { counts, top } = await digest()
  expect(counts.matched).toBe(1)
  expect(idsOf(top)).toEqual([idOf(open)])
})

test('nothing that fits makes an empty digest', async () => {
  expect(await digest()).toMatchObject({
    counts: { matched: 0, relevant: 0, positive: 0, neutral: 0, negative: 0, buyIntent: 0 },
    platforms: [],
    top: [],
  })
})

test('goes by when a mention was scored: from the beginning of the window on, and before its end', async () => {
  const waited = await mention(world, keyword)
  await world.clock.advance(10 * MINUTE_MS)
  const from = world.clock.now()
  await score(world, [waited])
  await world.clock.advance(MINUTE_MS)
  const at = await scored()
  const to = world.clock.now()
  expect(idsOf((await digest({ window: windowOf(begin, from) })).top)).toEqual([])
  expect(idsOf((await digest({ window: windowOf(from, to) })).top)).toEqual([idOf(waited)])
  expect(idsOf((await digest({ window: windowOf(to, plus(to, 1)) })).top)).toEqual([idOf(at)])
})

test('what was told is left out by name, also by the digest after the next where the window between is short', async () => {
  const [told, late] = [await scored(), await scored()]
  const to = plus(world.clock.now(), SECOND_MS)
  const window = { ...windowOf(plus(begin, -MINUTE_MS), to), scoredFrom: plus(begin, -MINUTE_MS) }
  const next = await contents({ window, toldLast: [told.mentionId] })
  expect(idsOf(next.digests.get(40)!.top)).toEqual([idOf(late)])
  expect(new Set(next.toldLast)).toEqual(new Set([told.mentionId, late.mentionId]))
  const short = await contents({ window: { ...window, from: to, to: plus(to, SECOND_MS) }, toldLast: next.toldLast })
  expect(short.digests.get(40)!.counts.matched).toBe(0)
  expect(new Set(short.toldLast)).toEqual(new Set(next.toldLast))
})

test('remembers the oldest match whose score the digests have not told, or may not have', async () => {
  const from = plus(world.clock.now(), -HOUR_MS)
  await world.clock.advance(10 * MINUTE_MS)
  const until = world.clock.now()
  expect(await matchedSince(acme, from, until)).toEqual(plus(until, -2 * MINUTE_MS))
  await world.clock.advance(-9 * MINUTE_MS)
  const waits = await mention(world, keyword)
  expect(await matchedSince(acme, from, until)).toEqual(waits.createdAt)
  await world.clock.advance(9 * MINUTE_MS)
  await score(world, [waits])
  expect(await matchedSince(acme, from, until)).toEqual(waits.createdAt)
  await world.clock.advance(10 * MINUTE_MS)
  expect(await matchedSince(acme, waits.createdAt, world.clock.now())).toEqual(plus(world.clock.now(), -2 * MINUTE_MS))
})

test('a text that would be too large with the others makes the parts shorter, not the digest fail', async () => {
  const links = Array.from({ length: 20 }, (_, number) => `https://example.com/${'"'.repeat(1000)}${number}`)
  for (let number = 0; number < 10; number += 1)
    await scored({ sentiment: 'negative', intents: ['buy_intent'] }, { text: '"'.repeat(8000), links })
  const large = await digest()
  expect(Buffer.byteLength(JSON.stringify(large))).toBeLessThan(1024 * 1024)
  expect(large.counts.relevant).toBe(10)
  expect(large.top.length).toBeGreaterThan(0)
})

test('the digest of a day reads along the ids of that day, however much the workspace has', async () => {
  const count = 100_000
  const end = world.clock.now()
  const first = plus(end, -30 * DAY_MS)
  // As ids are made: the time of the match comes first.
  await world.db.query(sql`
    insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, scored_at,
      relevance, sentiment, intents, facets)
    select ${acme.workspaceId}, (lpad(to_hex((extract(epoch
      from at) * 1000)::bigint), 12, '0') || '7000' || '8' || lpad(to_hex(n), 15, '0'))::uuid, ${keyword.uuid},
      gen_random_uuid(), at, at, n % 16,
      false, at + interval '1 second', n % 101, n % 3, 1 << (n % 15), '{}'
    from (select n, ${first}::timestamptz + n * interval '25.9 seconds' as at from generate_series(1, ${count}) n) t`)
  await world.admin('analyze mention')
  const search = await resolveSearch(acme, { ...EVERY_MENTION, filters: [{ sentiments: ['negative'] }] })
  if (isRefusal(search)) throw new Error('refused')
  const window = windowOf(plus(end, -2 * DAY_MS), plus(end, -DAY_MS))
  const statement = contentsStatement(acme.workspaceId, search, { window, toldLast: [], floors: [40] }, end)
  const rows = await world.db.query<{ 'QUERY PLAN': unknown }>(sql`explain (analyze, format json) ${statement}`)
  const scans = scansOfMentions(rows[0]!['QUERY PLAN'])
  expect(scans.length).toBeGreaterThan(0)
  for (const scan of scans) expect(scan.type).toMatch(/^(Bitmap Heap|Index) Scan$/)
  // A day of thirty, and the day before it for matches that waited.
  expect(Math.max(...scans.map(({ read }) => read))).toBeLessThan(count / 10)
})

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

function scansOfMentions(explained: unknown): { type: string; read: number }[] {
  const walk = (node: PlanNode): { type: string; read: number }[] => [
    ...(node['Relation Name']?.startsWith('mention_')
      ? [{ type: node['Node Type'], read: node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) }]
      : []),
    ...(node.Plans ?? []).flatMap(walk),
  ]
  return walk((explained as [{ Plan: PlanNode }])[0].Plan)
}
