import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApiKey } from '../src/commands/api-keys/create-api-key.ts'
import type { Services } from '../src/commands/writing.ts'
import { queriesOf } from '../src/domain/keyword/queries.ts'
import { SEARCH_PLATFORMS } from '../src/domain/platform/platforms.ts'
import { systemClock } from '../src/kernel/clock.ts'
import type { Uuid } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { recountKeywords } from '../src/queries/keywords/recount-keywords.ts'
import { type Database, openDatabase, sql } from '../src/store/database.ts'
import { startEmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts'
import { type KeywordRow, keywordFromRow } from '../src/store/keyword/keywords.ts'
import { migrateDatabase } from '../src/store/migrate.ts'
import { setQueries } from '../src/store/source/keyword-queries.ts'
import { registerSources } from '../src/store/source/source-state.ts'
import { createRestServer } from '../src/surfaces/rest/server.ts'
import { accepted } from '../test/makers.ts'
import { seedKeywords, seedWorkspaces, servicesOn } from '../test/stand-ins/seeded.ts'
import { UNLIMITED } from '../test/unlimited.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import type { Asked, Asking } from './mentions/caller.ts'

const KEYWORDS = 500
const FULL = [10_000, 100_000, 1_000_000]
const QUICK = [10_000, 100_000]
/** Mentions are spread over so many days, a million of them more densely than most workspaces will ever have them. */
const SPAN_DAYS = 30
const PORTION = 100_000
const LIST = '/v1/keywords?limit=500'

/**
 * The list of every keyword of a workspace with all statistics, over HTTP, and how its time grows with the mentions.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const stage = await raise(quick ? QUICK : FULL)
  try {
    const times = quick ? 30 : 120
    const measured: Measured[] = []
    for (const site of stage.sites)
      measured.push({ mentions: site.mentions, ...(await measure(stage, site, LIST, times)) })
    const largest = stage.sites.at(-1)!
    const sorted = await measure(stage, largest, `${LIST}&sort=recent`, times)
    const item = await measure(stage, largest, `/v1/keywords/${largest.firstId}`, times)
    return rowsOf(measured, sorted, item, stage.differences)
  } finally {
    await stage.close()
  }
}

interface Measured {
  mentions: number
  p50: number
  p99: number
}

interface Site {
  key: string
  mentions: number
  /** The id of one of the keywords, as callers see it. */
  firstId: string
}

interface Stage {
  port: number
  caller: ChildProcess
  sites: Site[]
  /** Counts that are not what the mentions say. */
  differences: number
  close(): Promise<void>
}

async function raise(sizes: readonly number[]): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  await migrateDatabase(postgres.connectionString)
  const db = openDatabase({ connection: postgres.connectionString, poolSize: 10, log: silentLog })
  const services = servicesOn(db)
  const server = createRestServer({ services, log: silentLog, limits: UNLIMITED })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const caller = fork(fileURLToPath(new URL('mentions/caller.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
  const stage: Stage = {
    port: (server.server.address() as AddressInfo).port,
    caller,
    sites: [],
    differences: 0,
    async close() {
      caller.kill()
      await server.close()
      await services.close()
      await db.close()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  const workspaces = await seedWorkspaces(services, sizes.length)
  await seedKeywords(db, workspaces, KEYWORDS * sizes.length, (number) => `term ${number}`)
  await seedQueries(db)
  for (const [at, workspaceId] of workspaces.entries()) await seedMentions(db, workspaceId, sizes[at]!)
  await seedCounts(db)
  await db.query(sql`vacuum analyze`)
  stage.differences = (await recountKeywords(db, systemClock.now())).off
  for (const [at, workspaceId] of workspaces.entries()) {
    const site = { key: await keyOf(services, workspaceId), mentions: sizes[at]!, firstId: '' }
    const { body } = await ask(stage, site, '/v1/keywords?limit=1', 1)
    stage.sites.push({ ...site, firstId: JSON.parse(body).data[0].id })
  }
  return stage
}

async function keyOf(services: Services, workspaceId: Uuid): Promise<string> {
  return accepted(await createApiKey({ ...services, workspaceId }, { name: 'bench', scope: 'read', expiresAt: null }))
    .key
}

/** Every platform is asked for every keyword, and has been just now. */
async function seedQueries(db: Database): Promise<void> {
  const at = systemClock.now()
  await db.transaction(async (tx) => {
    await registerSources(
      tx,
      SEARCH_PLATFORMS.filter((source) => source !== 'bluesky').map((source) => ({ source, scheduled: true })),
      at,
    )
    const rows = await tx.query<KeywordRow & { term_folded: string }>(sql`select * from keyword order by id`)
    for (const row of rows) {
      const asks = {
        workspaceId: row.workspace_id,
        keywordId: row.id,
        queries: queriesOf(keywordFromRow(row), row.term_folded),
      }
      await setQueries(tx, { ...asks, looksBack: () => false, at })
    }
    await tx.query(sql`update source_query set last_polled_at = ${at}, empty_polls = 1`)
    await tx.query(sql`update source_state set last_polled_at = ${at}`)
  })
}

/**
 * Mentions evenly over days and keywords, on six platforms, one in ten relevant, and the last hundred not scored yet.
 * Their posts are of no use here.
 */
async function seedMentions(db: Database, workspaceId: Uuid, count: number): Promise<void> {
  const end = systemClock.now()
  for (let begin = 0; begin < count; begin += PORTION)
    await db.query(sql`
      with keywords as (select array_agg(id order by id) as ids from keyword where workspace_id = ${workspaceId}),
      made as (
        select n, ${end}::timestamptz - make_interval(secs => ${SPAN_DAYS}::float8 * 86400 * (${count}::float8 - n) /
          ${count}::float8) as at
        from generate_series(${begin}::int + 1, ${Math.min(count, begin + PORTION)}::int) n)
      insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, facets,
        scored_at, relevance, sentiment, intents)
      select ${workspaceId}::uuid, (lpad(to_hex(floor(extract(epoch
        from date_trunc('milliseconds', at)) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8'
          || lpad(to_hex(n), 15, '0'))::uuid, ids[1 + n % ${KEYWORDS}::int], gen_random_uuid(),
            date_trunc('milliseconds', at), date_trunc('milliseconds', at) - interval '1 minute', n % 6, false, '{}',
        case when n <= ${count - 100}::int then at end, case when n <= ${count - 100}::int then case
          when n % 10 = 0 then 80 else 10 end end, 1, 0
      from made, keywords`)
}

/** What the transactions of these matches and scores would have counted. */
async function seedCounts(db: Database): Promise<void> {
  const month = sql`date_trunc('month', now() at time zone 'UTC')::date`
  const hour = sql`extract(hour from published_at at time zone 'UTC')`
  await db.query(
    sql`update keyword set created_at = created_at - interval '1 year', judged_since = judged_since - interval
        '1 year'`,
  )
  await db.query(sql`
    insert into usage_day (workspace_id, day, keyword_id, platform, matched, scored, relevant, billable, mention_units)
    select workspace_id, (created_at at time zone 'UTC')::date, keyword_id, platform, count(*), count(scored_at),
      count(*) filter (where relevance >= 40), count(scored_at), 24 * count(scored_at)
    from mention group by 1, 2, 3, 4`)
  await db.query(sql`
    insert into keyword_day (workspace_id, day, keyword_id, units)
    select workspace_id, day::date, id, 500 from keyword, generate_series(current_date - ${SPAN_DAYS}::int,
      current_date, interval '1 day') day`)
  await db.query(sql`
    update keyword_counter c set mentions = m.mentions, relevant = m.relevant, last_mention_at = m.last,
      month = ${month}, month_mentions = m.month_mentions
    from (select workspace_id, keyword_id, count(*) as mentions, count(*) filter (where relevance >= 40) as relevant,
      max(published_at) as last,
      count(*) filter (where (created_at at time zone 'UTC')::date >= ${month}) as month_mentions from mention
        group by 1, 2) m
    where c.workspace_id = m.workspace_id and c.keyword_id = m.keyword_id`)
  await db.query(sql`
    update keyword_counter c set cost_month = ${month}, month_billable = u.billable, month_units = u.units
    from (select workspace_id, keyword_id, sum(billable) as billable, sum(mention_units) as units from usage_day
      where day >= ${month} group by 1, 2) u
    where c.workspace_id = u.workspace_id and c.keyword_id = u.keyword_id`)
  await db.query(sql`
    insert into keyword_recent (workspace_id, keyword_id, day, published_1, published_2, published_3, published_4,
      scored, relevant, judged_scored, judged_relevant)
    select workspace_id, keyword_id, day, sum(q1), sum(q2), sum(q3), sum(q4), sum(scored), sum(relevant), sum(scored),
      sum(relevant) from (
      select workspace_id, keyword_id, (published_at at time zone 'UTC')::date as day, (${hour} < 6)::int as q1,
        (${hour} between 6 and 11)::int as q2, (${hour} between 12 and 17)::int as q3,
        (${hour} >= 18)::int as q4, 0 as scored, 0 as relevant from mention
          where published_at > now() - interval '15 days'
      union all
      select workspace_id, keyword_id, (created_at at time zone 'UTC')::date, 0, 0, 0, 0, count(relevance),
        (relevance >= 40)::int from mention
      where created_at > now() - interval '15 days' and relevance is not null
        group by workspace_id, id, keyword_id, created_at, relevance) moves
    group by 1, 2, 3`)
}

/** Asked one at a time; the first ones are not counted. */
async function measure(stage: Stage, site: Site, path: string, times: number): Promise<{ p50: number; p99: number }> {
  const { tookMs } = await ask(stage, site, path, times + 5)
  const took = tookMs[path]!.slice(5).sort((a, b) => a - b)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(share * took.length))]!
  return { p50: at(0.5), p99: at(0.99) }
}

async function ask(
  { caller, port }: Stage,
  { key }: Site,
  path: string,
  times: number,
): Promise<Exclude<Asked, { failed: string }>> {
  const asked = await new Promise<Asked>((resolve) => {
    caller.once('message', (message) => resolve(message as Asked))
    caller.send({ port, key, paths: [path], times } satisfies Asking)
  })
  if ('failed' in asked) throw new Error(asked.failed)
  return asked
}

function rowsOf(
  measured: readonly Measured[],
  sorted: { p50: number; p99: number },
  item: { p50: number; p99: number },
  differences: number,
): BenchRow[] {
  const [least, most] = [measured[0]!, measured.at(-1)!]
  const isFull = most.mentions === FULL.at(-1)
  const row = (measure: string, value: number): BenchRow => ({ measure, value, unit: 'ms', better: 'lower' })
  return [
    {
      ...row(`list of ${KEYWORDS}, ${most.mentions} mentions, p99`, most.p99),
      ...(isFull ? { must: 120, goal: 30 } : {}),
      note: `mentions of ${SPAN_DAYS} days, over HTTP, one at a time`,
    },
    ...measured.map(({ mentions, p50 }) => row(`list of ${KEYWORDS}, ${mentions} mentions, p50`, p50)),
    row(`the same sorted by recent, ${most.mentions} mentions, p50`, sorted.p50),
    row(`the same sorted by recent, ${most.mentions} mentions, p99`, sorted.p99),
    row(`one keyword, ${most.mentions} mentions, p50`, item.p50),
    row(`one keyword, ${most.mentions} mentions, p99`, item.p99),
    {
      measure: 'slope of the time of the list over the mentions (log-log)',
      value: Math.log(most.p50 / least.p50) / Math.log(most.mentions / least.mentions),
      unit: 'slope',
      better: 'lower',
    },
    { measure: 'counts that a recount finds wrong', value: differences, unit: '', must: 0, better: 'lower' },
  ]
}
