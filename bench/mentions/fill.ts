// Long because the statements that fill the store stand together, in their order.

import { hostAndParents } from '../../src/domain/filter/link-hosts.ts'
import { INTENTS } from '../../src/domain/mention/classification.ts'
import { accountIdOf } from '../../src/domain/person/account.ts'
import { PLATFORMS, platformNumber } from '../../src/domain/platform/platforms.ts'
import { DAY_MS, systemClock } from '../../src/kernel/clock.ts'
import { type Uuid, uuidFromName } from '../../src/kernel/ids.ts'
import { type Database, sql } from '../../src/store/database.ts'
import { accountFacet, commonFacet, commonWordBits, facetHash, isCommonWord } from '../../src/store/filter/facets.ts'
import { readCastTexts } from '../ingest/cast.ts'
import { fillWords, withoutIndexes } from '../ingest/prepared.ts'
import type { Scale } from './scale.ts'

const SPAN_DAYS = 365
/** Of each measured workspace. */
export const KEYWORDS = 500
const AUTHORS = 10_000
const HOSTS = 2000
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

export interface MeasuredWorkspace {
  id: Uuid
  mentions: number
}

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

function hostOf(number: number): string {
  return `host-${number}.example`
}

/**
 * What mentions are put together from: texts with their words, authors and hosts, each with its hashes in each measured
 * workspace. Answers how many texts there are.
 */
async function makeTemplates(db: Database, measured: readonly MeasuredWorkspace[]): Promise<number> {
  const texts = await readCastTexts()
  const rows = measured.flatMap(({ id }) =>
    texts.map(({ words }, number) => {
      const common = words.filter(isCommonWord)
      const own = words.filter((word) => !isCommonWord(word)).map((word) => facetHash(id, 'word', word))
      return { id, number, facets: common.length > 0 ? [...own, commonFacet(id)] : own, common: commonWordBits(common) }
    }),
  )
  await db.query(
    sql`create unlogged table bench_text (workspace_id uuid, number int, body text, facets bigint[], common int)`,
  )
  for (let begin = 0; begin < rows.length; begin += 2000) {
    const portion = rows.slice(begin, begin + 2000)
    await db.query(sql`
      insert into bench_text select workspace_id, number, body, facets::bigint[], common
        from unnest(${portion.map(({ id }) => id)}::uuid[], ${portion.map(({ number }) => number)}::int[],
        ${portion.map(({ number }) => texts[number]!.text)}::text[],
          ${portion.map(({ facets }) => `{${facets.join(',')}}`)}::text[],
        ${portion.map(({ common }) => common)}::int[]) as t (workspace_id, number, body, facets, common)`)
  }
  await db.query(sql`create index on bench_text (workspace_id, number)`)
  const authors = measured.flatMap(({ id }) =>
    Array.from({ length: AUTHORS }, (_, number) => {
      const account = accountIdOf(id, platformOfAuthor(number), {
        id: `author ${number}`,
        handle: null,
        url: null,
        name: null,
      })!
      return { id, number, account, facets: [accountFacet(id, account), facetHash(id, 'author', `author ${number}`)] }
    }),
  )
  await db.query(sql`
    create unlogged table bench_author as select workspace_id, number, account_id, facets::bigint[] as facets
      from unnest(${authors.map(({ id }) => id)}::uuid[],
      ${authors.map(({ number }) => number)}::int[], ${authors.map(({ account }) => account)}::uuid[],
        ${authors.map(({ facets }) => `{${facets.join(',')}}`)}::text[])
      as t (workspace_id, number, account_id, facets)`)
  await db.query(sql`create index on bench_author (workspace_id, number)`)
  const hosts = measured.flatMap(({ id }) =>
    Array.from({ length: HOSTS }, (_, number) => ({
      id,
      number,
      facets: hostAndParents(hostOf(number)).map((host) => facetHash(id, 'host', host)),
    })),
  )
  await db.query(sql`
    create unlogged table bench_host as select workspace_id, number, facets::bigint[] as facets
      from unnest(${hosts.map(({ id }) => id)}::uuid[],
      ${hosts.map(({ number }) => number)}::int[], ${hosts.map(({ facets }) => `{${facets.join(',')}}`)}::text[]) as t
        (workspace_id, number, facets)`)
  await db.query(sql`create index on bench_host (workspace_id, number)`)
  await db.query(sql`
    create unlogged table bench_keyword as select workspace_id, row_number() over (partition by workspace_id
      order by id) - 1 as number, count(*) over (partition by workspace_id) as among, id
    from keyword`)
  await db.query(sql`create index on bench_keyword (workspace_id, number)`)
  await db.query(sql`analyze bench_text, bench_author, bench_host, bench_keyword`)
  return texts.length
}

function platformOfAuthor(number: number): (typeof PLATFORMS)[number] {
  return PLATFORMS[number % 12]!
}

/**
 * What is random here follows from the number of the mention and a salt, so that two runs fill the same store. Ranks
 * are spread as words are: the value of rank r about 1/r as often as the first.
 */
async function makeFunctions(db: Database, end: Date): Promise<void> {
  const spread = (cases: readonly [share: number, value: string][], rest: string) =>
    `case ${cases.map(([share, value]) => `when u < ${share} then ${value}`).join(' ')} else ${rest} end`
  const place = (name: (typeof PLATFORMS)[number]) => String(platformNumber(name))
  const bit = (name: (typeof INTENTS)[number]) => String(1 << INTENTS.indexOf(name))
  for (const text of [
    `create function bench_unit(n bigint, salt int) returns float8 immutable parallel safe language sql as $$ select (hashint8extended(n, salt) & 1048575) / 1048576.0 $$`,
    `create function bench_zipf(u float8, among int) returns int immutable parallel safe language sql as $$ select least(among - 1, floor(exp(u * ln(among + 1.0)))::int - 1) $$`,
    `create function bench_id(n bigint, among bigint, salt int) returns uuid immutable parallel safe language sql as $$
       select (lpad(to_hex(${end.getTime()} - ${SPAN_DAYS * DAY_MS}::bigint * (among - n) / among), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0') || '8' || right(to_hex(hashint8extended(n, salt) | (1::bigint << 62)), 15))::uuid $$`,
    `create function bench_platform(u float8) returns smallint immutable parallel safe language sql as $$
       select ${spread(
         [
           [0.00005, place('instagram')],
           [0.001, place('devto')],
           [0.01, place('stackoverflow')],
           [0.03, place('hackernews')],
           [0.06, place('github')],
           [0.1, place('linkedin')],
           [0.15, place('youtube')],
           [0.2, place('appstore')],
           [0.25, place('googleplay')],
           [0.35, place('news')],
           [0.5, place('bluesky')],
           [0.7, place('reddit')],
         ],
         place('x'),
       )}::smallint $$`,
    `create function bench_language(u float8) returns text immutable parallel safe language sql as $$
       select ${spread(
         [
           [0.00005, "'sw'"],
           [0.0005, "'is'"],
           [0.005, "'fi'"],
           [0.02, "'ja'"],
           [0.05, "'zh'"],
           [0.1, "'de'"],
           [0.18, "'es'"],
           [0.25, 'null'],
         ],
         "'en'",
       )} $$`,
    `create function bench_count(u float8, scale int) returns int immutable parallel safe language sql as $$ select floor(scale * (power(1 - u + 1e-6, -0.8) - 1))::int $$`,
    `create function bench_intents(u float8) returns int immutable parallel safe language sql as $$
       select ${spread(
         [
           [0.00005, bit('hiring')],
           [0.001, bit('churn_intent')],
           [0.01, bit('bug_report')],
           [0.03, bit('buy_intent')],
           [0.06, bit('comparison')],
           [0.12, bit('complaint')],
           [0.2, bit('praise')],
           [0.3, bit('question')],
           [0.45, bit('promotional')],
         ],
         '0',
       )} $$`,
  ])
    await db.query(sql.raw(text))
}

async function fillPosts(db: Database, posts: number, model: Uuid, texts: number): Promise<void> {
  for (let begin = 0; begin < posts; begin += PORTION)
    await db.query(
      sql.raw(`insert into post (id, platform, native_id, url, body, links, published_at, author_id, author, engagement, review, collected_at)
     select md5(n::text)::uuid, bench_platform(bench_unit(n, 1)), 'made ' || n, 'https://posts.example/' || n, t.body, case when n % 4 = 0 then array['https://host-' || n % ${HOSTS} || '.example/a'] else '{}' end,
       at, 'author ' || n % ${AUTHORS}, jsonb_build_object('id', 'author ' || n % ${AUTHORS}, 'name', 'Author ' || n % ${AUTHORS}, 'handle', 'author' || n % ${AUTHORS}, 'url', null, 'avatarUrl', null, 'followers', bench_count(bench_unit(n, 6), 100), 'automated', null),
       jsonb_build_object('likes', bench_count(bench_unit(n, 7), 2), 'reposts', 1, 'replies', 2, 'quotes', null, 'views', null, 'bookmarks', null), null, at
     from generate_series(${begin}, ${Math.min(begin + PORTION, posts) - 1}) n
     join bench_text t on t.workspace_id = '${model}' and t.number = (n * 31::bigint) % ${texts},
       lateral (select now() - (${posts} - n) * interval '${Math.ceil((SPAN_DAYS * DAY_MS) / posts)} ms' as at) times order by n`),
    )
}

const COLUMNS = `workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, rating, followers, likes, reposts, replies, views, scored_at, relevance, sentiment, intents,
  automated, language, confidence, note, account_id, common_words, facets`

/** What a mention has whoever it belongs to. The post decides over platform and counts. */
const VALUES = `
  v.id, k.id, md5(p.n::text)::uuid, v.at, v.at - interval '1 minute' * bench_count(bench_unit(g.n, 2), 10), bench_platform(bench_unit(p.n, 1)), bench_unit(p.n, 3) < 0.3,
  case when bench_platform(bench_unit(p.n, 1)) >= 12 then 1 + floor(5 * sqrt(bench_unit(p.n, 4)))::smallint end, bench_count(bench_unit(p.n, 6), 100), bench_count(bench_unit(p.n, 7), 2), 1, 2,
  case when p.n % 3 = 0 then bench_count(bench_unit(p.n, 8), 100) end, v.at, floor(100 * bench_unit(g.n, 9))::smallint, case when bench_unit(g.n, 10) < 0.6 then 1 when bench_unit(g.n, 10) < 0.85 then 0 else 2 end,
  bench_intents(bench_unit(g.n, 11)), bench_unit(g.n, 12) < 0.03, bench_language(bench_unit(g.n, 13)), bench_unit(g.n, 14), 'Made for a benchmark.',`

const from = (begin: number, end: number, among: number, posts: number, salt: number) => `
  generate_series(${begin}, ${end - 1}) g (n)
  cross join lateral (select ${posts > among ? `g.n * ${Math.floor(posts / among)}` : `g.n / ${Math.ceil(among / posts)}`}::bigint as n) p
  cross join lateral (select bench_id(g.n, ${among}, ${salt}) as id) i
  cross join lateral (select i.id, to_timestamp(('x' || left(replace(i.id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) as at) v`

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
      join bench_keyword k on k.workspace_id = '${workspaceId}' and k.number = bench_zipf(bench_unit(g.n, 15), ${KEYWORDS})
      join bench_text t on t.workspace_id = '${workspaceId}' and t.number = (p.n * 31) % ${texts}
      join bench_author a on a.workspace_id = '${workspaceId}' and a.number = bench_zipf(bench_unit(p.n, 16), ${AUTHORS})
      left join bench_host h on h.workspace_id = '${workspaceId}' and p.n % 4 = 0 and h.number = bench_zipf(bench_unit(p.n, 17), ${HOSTS})`),
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
      select o.id, ${VALUES} md5(o.id::text || p.n % ${AUTHORS})::uuid, t.common, array(select o.prefix | (facet & 1099511627775) from unnest(t.facets) facet)
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
