import { createKeyword, type NewKeyword } from '../src/commands/keywords/create-keyword.ts'
import { ingestPosts, type NewMention } from '../src/commands/mentions/ingest-posts.ts'
import { recordScores } from '../src/commands/mentions/record-scores.ts'
import { authorKeysOfPost, wordsOfPost } from '../src/commands/mentions/search-words.ts'
import type { Verdict } from '../src/domain/mention/classification.ts'
import type { MatchedPost } from '../src/domain/mention/matched-post.ts'
import type { Post } from '../src/domain/post/post.ts'
import { plus, SECOND_MS } from '../src/kernel/clock.ts'
import type { Uuid } from '../src/kernel/ids.ts'
import type { KeywordView } from '../src/queries/keywords/keyword-shape.ts'
import { sql } from '../src/store/database.ts'
import type { NewDelivery } from '../src/store/delivery/rule-deliveries.ts'
import { readUnscored } from '../src/store/model/unscored.ts'
import { madeUpPost } from './makers.ts'
import { accepted, stored, type TestWorkspace, type World } from './world.ts'

/** A keyword of a test: the stored id, and the keyword as its maker was shown it. */
export interface TestKeyword {
  uuid: Uuid
  workspaceId: Uuid
  shown: KeywordView
}

let terms = 0

/** Makes a keyword that collects everywhere. */
export async function makeKeyword(workspace: TestWorkspace, change: Partial<NewKeyword> = {}): Promise<TestKeyword> {
  terms += 1
  const input = {
    term: `term ${terms}`,
    kind: 'brand' as const,
    muted: false,
    platforms: null,
    context: null,
    cap: null,
    reviewSources: [],
    ...change,
  }
  const { hints: _, ...shown } = accepted(await createKeyword(workspace, input))
  return { uuid: stored('kw', shown.id), workspaceId: workspace.workspaceId, shown }
}

/** A post of its own kind unless told otherwise, published now. */
export function makePost(world: World, change: Partial<Post> = {}): Post {
  return { ...madeUpPost(world.clock.now(), 'A post about nothing.'), ...change }
}

/** The post as matching hands it over for these keywords. */
export function matchedBy(post: Post, keywords: readonly TestKeyword[]): MatchedPost {
  return {
    post,
    words: wordsOfPost(post),
    authorKeys: authorKeysOfPost(post),
    keywords: keywords.map(({ workspaceId, uuid }) => ({ workspaceId, keywordId: uuid })),
  }
}

export interface StoreOptions {
  at?: Date
  metered?: boolean
}

/** Stores matched posts in one transaction, as collecting does. */
export function store(
  world: World,
  matched: readonly MatchedPost[],
  { at = world.clock.now(), metered = true }: StoreOptions = {},
): Promise<NewMention[]> {
  return world.db.transaction((tx) => ingestPosts(tx, matched, { at, metered, leasedUntil: plus(at, 30 * SECOND_MS) }))
}

/** Stores one post for one keyword and answers the mention. */
export async function mention(
  world: World,
  keyword: TestKeyword,
  change: Partial<Post> = {},
  options: StoreOptions = {},
): Promise<NewMention> {
  const [made] = await store(world, [matchedBy(makePost(world, change), [keyword])], options)
  if (made === undefined) throw new Error('a matched post made no mention')
  return made
}

export const VERDICT: Verdict = {
  relevance: 80,
  sentiment: 'neutral',
  intents: ['question'],
  automated: false,
  language: 'en',
  confidence: 0.9,
  note: 'It asks about the product.',
}

/** Scores mentions in one transaction, as the scoring stage does. A verdict of null is a failure for good. */
export async function score(
  world: World,
  mentions: readonly NewMention[],
  verdict: Partial<Verdict> | null = {},
  options: StoreOptions = {},
): Promise<NewDelivery[]> {
  const { at = world.clock.now(), metered = true } = options
  const unscored = await readUnscored(world.db, mentions)
  const scores = unscored.map((mention) => ({
    mention: mention,
    verdict: verdict && { ...VERDICT, ...verdict },
    authorKeys: authorKeysOfPost(mention.post),
  }))
  return (await world.db.transaction((tx) => recordScores(tx, scores, { at, metered }))).deliveries
}

/** What a workspace's counters and days of usage say, beside what its mentions say when they are counted anew. */
export async function recount(world: World, workspaceId: Uuid) {
  const [counters] = await world.db.query<{ kept: unknown; counted: unknown }>(sql`
    select
      (select coalesce(jsonb_object_agg(keyword_id, jsonb_build_array(mentions, relevant, feedback_relevant,
        feedback_not_relevant) order by keyword_id), '{}') from keyword_counter
        where workspace_id = ${workspaceId}) as kept,
      (select coalesce(jsonb_object_agg(k.id, jsonb_build_array((select count(*) from mention m
        where m.workspace_id = k.workspace_id and m.keyword_id = k.id),
        (select count(*) from mention m where m.workspace_id = k.workspace_id and m.keyword_id = k.id
          and m.relevance >= 40),
        (select count(*) from mention m where m.workspace_id = k.workspace_id and m.keyword_id = k.id
          and m.feedback_relevant),
        (select count(*) from mention m where m.workspace_id = k.workspace_id and m.keyword_id = k.id
          and not m.feedback_relevant)) order by k.id), '{}')
        from keyword k where k.workspace_id = ${workspaceId}) as counted`)
  const days = await world.db.query<Record<string, unknown>>(sql`
    select day, keyword_id, platform, matched, scored, relevant, billable, failed, mention_units from usage_day
      where workspace_id = ${workspaceId} order by day, keyword_id, platform`)
  const counted = await world.db.query<Record<string, unknown>>(sql`
    select day, keyword_id, platform, sum(matched)::int as matched, sum(scored)::int as scored,
      sum(relevant)::int as relevant, sum(scored)::int as billable, sum(failed)::int as failed,
      (24 * sum(scored))::bigint as mention_units
    from (
      select created_at::date as day, keyword_id, platform, 1 as matched, 0 as scored, 0 as relevant, 0 as failed
        from mention where workspace_id = ${workspaceId}
      union all
      select coalesce(counted_on, scored_at::date), keyword_id, platform, 0, (not failed)::int, coalesce(relevance >= 40
        and not failed, false)::int, failed::int from mention where workspace_id = ${workspaceId}
        and scored_at is not null
    ) rows group by day, keyword_id, platform order by day, keyword_id, platform`)
  return { counters: counters!, days: { kept: days, counted } }
}

/**
 * Where reports of keywords would show other figures than the mentions themselves. Clocks that differ may count a match
 * on another day than its own.
 */
export async function wrongReports(world: World, workspaceId: Uuid) {
  return await world.db.query(sql`
    select day, keyword_id, platform, sum(matched) as matched, sum(scored) as scored, sum(relevant) as relevant
    from (
      select v.day, u.keyword_id, u.platform, v.matched, v.scored, v.relevant from usage_day u
        join keyword k on k.workspace_id = u.workspace_id and k.id = u.keyword_id
      cross join lateral (values (null, u.matched - u.gone_matched, 0, 0), (u.day, 0, u.scored - u.gone_scored,
        u.relevant - u.gone_relevant)) v (day, matched, scored, relevant)
      where u.workspace_id = ${workspaceId}
      union all
      select null, keyword_id, platform, -1, 0, 0 from mention where workspace_id = ${workspaceId}
      union all
      select coalesce(counted_on, (scored_at at time zone 'UTC')::date), keyword_id, platform, 0, -1,
        -coalesce(relevance >= 40, false)::int
      from mention where workspace_id = ${workspaceId} and scored_at is not null and not failed) days
    group by 1, 2, 3 having (sum(matched), sum(scored), sum(relevant)) <> (0, 0, 0)`)
}
