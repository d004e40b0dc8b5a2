import { DAY_MS, systemClock } from '../../src/kernel/clock.ts'
import { type Uuid, uuidFromName } from '../../src/kernel/ids.ts'
import { type Database, sql } from '../../src/store/database.ts'
import { fillWords, withoutIndexes } from '../ingest/prepared.ts'
import { makeFunctions, SPAN_DAYS } from './functions.ts'
import type { Scale } from './scale.ts'
import { AUTHORS, HOSTS, hostOf, type MeasuredWorkspace, makeTemplates } from './templates.ts'

/** Of each measured workspace. */
export const KEYWORDS = 500
const PORTION = 250_000

/** Values that very few mentions have, for the questions that look for them. */
export const RARE = {
  platform: 'instagram',
  language: 'sw',
  intent: 'hiring',
  host: hostOf(HOSTS - 1),
  tag: 'seldom seen',
  common: 'customer',
} as const

/**
 * Fills the store inside the database: posts, the mentions of the measured workspaces and those of everybody else, with
 * values as unevenly spread as in real life. Words, hosts and authors of the measured workspaces have their true
 * hashes, those of the others hashes of their own, so that the indexes are as large as they would be.
 */
export async function fill(
  db: Database,
  measured: readonly MeasuredWorkspace[],
  others: readonly Uuid[],
  scale: Scale,
): Promise<void> {
  const end = systemClock.now()
  const largest = Math.max(...scale.measured)
  const texts = await makeTemplates(db, measured)
  await makeFunctions(db, end)
  const restore = await withoutIndexes(db)
  await fillPosts(db, largest, measured.at(-1)!.id, texts)
  for (const { id, mentions } of measured) await fillMeasured(db, id, { mentions, posts: largest, texts })
  await fillOthers(db, others, measured.at(-1)!.id, { mentions: scale.others, posts: largest, texts })
  for (const statement of restore) await db.query(sql.raw(statement))
  await fillPeople(db, measured)
  await fillTriage(db, measured)
  await fillCounters(db, end)
  await fillWords(db, ENDINGS)
  await db.query(
    sql`drop function bench_zipf, bench_id, bench_platform, bench_language, bench_count, bench_intents, bench_unit`,
  )
  await db.query(sql`drop table bench_text, bench_author, bench_host, bench_keyword`)
  await db.query(sql`vacuum analyze`)
}

async function fillPosts(db: Database, posts: number, model: Uuid, texts: number): Promise<void> {
  for (let begin = 0; begin < posts; begin += PORTION)
    await db.query(
      sql.raw(`insert into post (id, platform, native_id, url, body, links, published_at, author_id, author, engagement,
       review, collected_at)
     select md5(n::text)::uuid, bench_platform(bench_unit(n, 1)), 'made ' || n, 'https://posts.example/' || n, t.body,
       case when n % 4 = 0 then array['https://host-' || n % ${HOSTS} || '.example/a'] else '{}' end,
       at, 'author ' || n % ${AUTHORS},
       jsonb_build_object('id', 'author ' || n % ${AUTHORS}, 'name', 'Author ' || n % ${AUTHORS},
         'handle', 'author' || n % ${AUTHORS}, 'url', null, 'avatarUrl', null,
         'followers', bench_count(bench_unit(n, 6), 100), 'automated', null),
       jsonb_build_object('likes', bench_count(bench_unit(n, 7), 2), 'reposts', 1, 'replies', 2, 'quotes', null,
         'views', null, 'bookmarks', null), null, at
     from generate_series(${begin}, ${Math.min(begin + PORTION, posts) - 1}) n
     join bench_text t on t.workspace_id = '${model}' and t.number = (n * 31::bigint) % ${texts},
       lateral (select now() - (${posts} - n) * interval '${Math.ceil((SPAN_DAYS * DAY_MS) / posts)} ms' as at) times
     order by n`),
    )
}

const COLUMNS = `workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, rating,
  followers, likes, reposts, replies, views, scored_at, relevance, sentiment, intents,
  automated, language, confidence, note, account_id, common_words, facets`

/** What a mention has whoever it belongs to. The post decides over platform and counts. */
const VALUES = `
  v.id, k.id, md5(p.n::text)::uuid, v.at, v.at - interval '1 minute' * bench_count(bench_unit(g.n, 2), 10),
  bench_platform(bench_unit(p.n, 1)), bench_unit(p.n, 3) < 0.3,
  case when bench_platform(bench_unit(p.n, 1)) >= 12 then 1 + floor(5 * sqrt(bench_unit(p.n, 4)))::smallint end,
  bench_count(bench_unit(p.n, 6), 100), bench_count(bench_unit(p.n, 7), 2), 1, 2,
  case when p.n % 3 = 0 then bench_count(bench_unit(p.n, 8), 100) end, v.at, floor(100 * bench_unit(g.n, 9))::smallint,
  case when bench_unit(g.n, 10) < 0.6 then 1 when bench_unit(g.n, 10) < 0.85 then 0 else 2 end,
  bench_intents(bench_unit(g.n, 11)), bench_unit(g.n, 12) < 0.03, bench_language(bench_unit(g.n, 13)),
  bench_unit(g.n, 14), 'Made for a benchmark.',`

const from = (begin: number, end: number, among: number, posts: number, salt: number) => `
  generate_series(${begin}, ${end - 1}) g (n)
  cross join lateral (
    select ${posts > among ? `g.n * ${Math.floor(posts / among)}` : `g.n / ${Math.ceil(among / posts)}`}::bigint as n) p
  cross join lateral (select bench_id(g.n, ${among}, ${salt}) as id) i
  cross join lateral (
    select i.id, to_timestamp(('x' || left(replace(i.id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) as at) v`

interface Amounts {
  mentions: number
  posts: number
  texts: number
}

async function fillMeasured(db: Database, workspaceId: Uuid, { mentions, posts, texts }: Amounts): Promise<void> {
  for (let begin = 0; begin < mentions; begin += PORTION)
    await db.query(
      sql.raw(`insert into mention (${COLUMNS})
      select '${workspaceId}', ${VALUES} a.account_id, t.common, t.facets || a.facets || coalesce(h.facets, '{}')
      from ${from(begin, Math.min(begin + PORTION, mentions), mentions, posts, 1)}
      join bench_keyword k on k.workspace_id = '${workspaceId}'
        and k.number = bench_zipf(bench_unit(g.n, 15), ${KEYWORDS})
      join bench_text t on t.workspace_id = '${workspaceId}' and t.number = (p.n * 31) % ${texts}
      join bench_author a on a.workspace_id = '${workspaceId}'
        and a.number = bench_zipf(bench_unit(p.n, 16), ${AUTHORS})
      left join bench_host h on h.workspace_id = '${workspaceId}' and p.n % 4 = 0
        and h.number = bench_zipf(bench_unit(p.n, 17), ${HOSTS})`),
    )
}

/** Everybody else has the same texts, with hashes that begin with the end of their own ids. */
async function fillOthers(
  db: Database,
  others: readonly Uuid[],
  model: Uuid,
  { mentions, posts, texts }: Amounts,
): Promise<void> {
  await db.query(
    sql`create unlogged table bench_other as select id, number - 1 as number, ('x' || right(id::text,
        6))::bit(24)::bigint << 40 as prefix from unnest(${others}::uuid[]) with ordinality as t (id, number)`,
  )
  await db.query(sql`create index on bench_other (number)`)
  await db.query(sql`analyze bench_other`)
  for (let begin = 0; begin < mentions; begin += PORTION)
    await db.query(
      sql.raw(`insert into mention (workspace_id, ${COLUMNS.replace('workspace_id, ', '')})
      select o.id, ${VALUES} md5(o.id::text || p.n % ${AUTHORS})::uuid, t.common,
        array(select o.prefix | (facet & 1099511627775) from unnest(t.facets) facet)
      from ${from(begin, Math.min(begin + PORTION, mentions), mentions, posts, 2)}
      join bench_other o on o.number = (g.n * 613::bigint) % ${others.length}
      join bench_keyword k on k.workspace_id = o.id and k.number = g.n % k.among
      join bench_text t on t.workspace_id = '${model}' and t.number = (p.n * 31) % ${texts}`),
    )
  await db.query(sql`drop table bench_other`)
}

/** A person for each account; a few of them muted or tagged. */
async function fillPeople(db: Database, measured: readonly MeasuredWorkspace[]): Promise<void> {
  for (const { id } of measured) {
    await db.query(sql`
      insert into account (workspace_id, id, person_id, platform, name, handle, followers)
      select workspace_id, account_id, account_id, number % 12, 'Author ' || number, 'author' || number, 100
        from bench_author where workspace_id = ${id}`)
    await db.query(sql`
      insert into person (workspace_id, id, tags, muted)
      select workspace_id, account_id, case when number % 500 = 3 then array[${RARE.common}]
        when number = ${AUTHORS - 2} then array[${RARE.tag}] else '{}' end, number % 400 = 7 and number > 100
      from bench_author where workspace_id = ${id}`)
  }
}

/** Most mentions are as they came; of some somebody has taken care. */
async function fillTriage(db: Database, measured: readonly MeasuredWorkspace[]): Promise<void> {
  for (const { id } of measured) {
    await db.query(
      sql`update mention set status = 2 where workspace_id = ${id} and bench_unit(hashtextextended(id::text, 0),
          21) < 0.02`,
    )
    await db.query(
      sql`update mention set status = 1 where workspace_id = ${id} and bench_unit(hashtextextended(id::text, 0),
          22) < 0.00005`,
    )
    await db.query(
      sql`update mention set snoozed_until = now() + interval '30 days'
          where workspace_id = ${id} and bench_unit(hashtextextended(id::text, 0), 23) < 0.0001`,
    )
    await db.query(
      sql`update mention set assignee_id = ${ASSIGNEE}
          where workspace_id = ${id} and bench_unit(hashtextextended(id::text, 0), 24) < 0.0005`,
    )
  }
}

/** What others say beside the words of the texts: each shelf holds several times as many words as a workspace has. */
const ENDINGS = ['', 'ery', 'ness2', 'zz', 'ology']

export const ASSIGNEE = uuidFromName('somebody of the team')

async function fillCounters(db: Database, end: Date): Promise<void> {
  await db.query(sql`
    insert into usage_day (workspace_id, day, keyword_id, platform, matched, scored, relevant, billable)
    select workspace_id, created_at::date, keyword_id, platform, count(*), count(*), count(*) filter (where relevance >=
      40), count(*) from mention group by 1, 2, 3, 4`)
  await db.query(sql`
    insert into keyword_counter as c (workspace_id, keyword_id, month, mentions, relevant, month_mentions,
      last_mention_at)
    select workspace_id, keyword_id, date_trunc('month', ${end}::timestamptz)::date, count(*),
      count(*) filter (where relevance >= 40), 0, max(published_at) from mention group by 1, 2
    on conflict (workspace_id, keyword_id) do update set mentions = excluded.mentions, relevant = excluded.relevant,
      last_mention_at = excluded.last_mention_at`)
}
