import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DAY_MS, HOUR_MS, systemClock } from '../../src/kernel/clock.ts'
import type { Uuid } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createBigints } from '../../src/store/columns.ts'
import { type Database, openDatabase, sql } from '../../src/store/database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts'
import { addFacets, addWords } from '../../src/store/filter/facets.ts'
import { SHELVES } from '../../src/store/filter/search-words.ts'
import { migrateDatabase } from '../../src/store/migrate.ts'
import { seedKeywords, seedWorkspaces, servicesOn } from '../../test/stand-ins/seeded.ts'
import { storesFolder } from '../stores-folder.ts'
import { type Cast, idAt, preparedPostId, readCastTexts, type Watched } from './cast.ts'
import { CopyFile } from './copy-file.ts'

const WORKSPACES = 2000
const KEYWORDS_OTHERS = 20_000
const KEYWORDS_LARGE = 500
const SPAN_DAYS = 60
const PORTION = 500_000
const PREFIX = 'earshot-bench-ingest-'

export interface Prepared {
  postgres: EmbeddedPostgres
  db: Database
  cast: Cast
  close(): Promise<void>
}

/**
 * A database that holds so many mentions, a sixth of them in one of 2,000 workspaces, on the settings that the service
 * is shipped with. In BENCH_STORES it is made once for each schema and kept; what runs leave in it stays, and once it
 * has grown by a tenth it is made anew.
 */
export async function openPrepared(mentions: number, poolSize: number): Promise<Prepared> {
  const dataDir = join(storesFolder(), `${PREFIX}${mentions}-${schemaHash()}`)
  const ready = join(dataDir, 'prepared')
  if (existsSync(ready)) {
    const prepared = await open(dataDir, poolSize)
    const [grown] = await prepared.db.query<{ rows: number }>(
      sql`select sum(reltuples)::bigint as rows from pg_class where relname ~ '^mention_\\d+$'`,
    )
    if (grown!.rows <= mentions * 1.1) return prepared
    await prepared.close()
  }
  for (const name of readdirSync(storesFolder()))
    if (name.startsWith(`${PREFIX}${mentions}-`)) rmSync(join(storesFolder(), name), { recursive: true, force: true })
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o711)
  await fill(dataDir, mentions)
  writeFileSync(ready, '')
  return await open(dataDir, poolSize)
}

/** Another schema is another store. */
function schemaHash(): string {
  const folder = fileURLToPath(new URL('../../src/store/migrations/', import.meta.url))
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, name)))
  return hash.digest('hex').slice(0, 12)
}

async function open(dataDir: string, poolSize: number): Promise<Prepared> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const db = openDatabase({ connection: postgres.connectionString, poolSize, log: silentLog })
  try {
    const watched = await db.query<{ workspace_id: Uuid; id: Uuid; name: string }>(sql`
      select k.workspace_id, k.id, w.name from keyword k join workspace w on w.id = k.workspace_id order by k.id`)
    const pick = (large: boolean): Watched[] =>
      watched
        .filter(({ name }) => (name === LARGE) === large)
        .map((row) => ({ workspaceId: row.workspace_id, keywordId: row.id }))
    const cast = { texts: await readCastTexts(), large: pick(true), others: pick(false) }
    return {
      postgres,
      db,
      cast,
      async close() {
        await db.close()
        await postgres.stop()
      },
    }
  } catch (error) {
    await db.close()
    await postgres.stop()
    throw error
  }
}

const LARGE = 'Workspace 0'

async function fill(dataDir: string, mentions: number): Promise<void> {
  const settings = {
    max_wal_size: '8GB',
    shared_buffers: '1GB',
    maintenance_work_mem: '1GB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    autovacuum: 'off',
  }
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: silentLog,
    durable: false,
    administrator: true,
    settings,
  })
  const db = openDatabase({
    connection: postgres.connectionString,
    poolSize: 1,
    log: silentLog,
    limits: { statementMs: HOUR_MS },
  })
  try {
    // For the one connection of the pool: an index over millions of rows takes its time.
    await db.query(sql`set statement_timeout = 0`)
    await migrateDatabase(postgres.connectionString)
    const services = servicesOn(db)
    const workspaces = await seedWorkspaces(services, WORKSPACES)
    await services.close()
    const [large, ...others] = workspaces as [Uuid, ...Uuid[]]
    await seedKeywords(db, [large], KEYWORDS_LARGE, (number) => `large ${number}`)
    await db.query(sql`delete from keyword_counter`)
    await seedKeywords(db, others, KEYWORDS_OTHERS, (number) => `other ${number}`)
    const restore = await withoutIndexes(db)
    await fillRows(db, dataDir, mentions)
    await fillWords(db, [''])
    for (const statement of restore) await db.query(sql.raw(statement))
    await db.query(sql`vacuum analyze`)
  } finally {
    await db.close()
    await postgres.stop()
  }
}

/** Every shelf holds all words of the texts, with each of the endings, because some workspace of each says them. */
export async function fillWords(db: Database, endings: readonly string[]): Promise<void> {
  const said = [...new Set((await readCastTexts()).flatMap(({ words }) => words))]
  const words = said.flatMap((word) => endings.map((ending) => word + ending))
  await db.query(sql`
    insert into search_word (shelf, word) select shelf, word
      from generate_series(0, ${SHELVES - 1}) shelf, unnest(${words}::text[]) word order by shelf, word collate "C"`)
}

/** Removes the indexes of the large tables, and answers the statements that bring them back as they were. */
export async function withoutIndexes(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string; definition: string }>(sql`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indrelid in ('mention'::regclass, 'post'::regclass, 'usage_day'::regclass) and not i.indisprimary`)
  // Storage parameters of one partition's index are not part of the definition of the whole.
  const settings = await db.query<{ statement: string }>(sql`
    select format('alter index %s set (%s)', c.oid::regclass, array_to_string(c.reloptions, ', ')) as statement
    from pg_class c join pg_index i on i.indexrelid = c.oid where c.relkind = 'i' and c.reloptions is not null
      and c.relname like 'mention%'`)
  for (const { name } of rows) await db.query(sql.raw(`drop index ${name}`))
  return [
    ...rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON ')),
    ...settings.map(({ statement }) => statement),
  ]
}

async function fillRows(db: Database, dataDir: string, mentions: number): Promise<void> {
  const texts = await readCastTexts()
  const watched = await db.query<{ workspace_id: Uuid; id: Uuid; large: boolean }>(sql`
    select k.workspace_id, k.id, w.name = ${LARGE} as large from keyword k join workspace w on w.id = k.workspace_id
      order by k.id`)
  const [large, others] = [watched.filter((row) => row.large), watched.filter((row) => !row.large)]
  const end = systemClock.now()
  const posts = Math.floor(mentions * POSTS_SHARE)
  for (let begin = 0; begin < mentions; begin += PORTION) {
    const path = join(dataDir, 'portion.copy')
    const file = new CopyFile(path)
    for (let number = begin; number < Math.min(begin + PORTION, mentions); number += 1) {
      // Another keyword for a post that comes again.
      const again = Math.floor(number / posts)
      const owner =
        number % 6 === 0
          ? large[(number / 6 + again) % large.length]!
          : others[(number * 7919 + again) % others.length]!
      writeMention(file, { number, mentions, posts, owner, texts, end })
    }
    file.close()
    await db.query(sql.raw(`copy mention (${MENTION_COLUMNS.join(', ')}) from '${path}' (format binary)`))
    rmSync(path)
  }
  await fillPosts(db, texts, posts, end)
  await db.query(sql`
    insert into usage_day (workspace_id, day, keyword_id, platform, matched, scored, relevant, billable)
    select workspace_id, created_at::date, keyword_id, platform, count(*), count(*), count(*), count(*) from mention
      group by 1, 2, 3, 4`)
  await db.query(sql`
    update keyword_counter c set mentions = t.mentions, relevant = t.mentions, month_mentions = t.mentions,
      last_mention_at = t.latest
    from (select workspace_id, keyword_id, count(*) as mentions, max(published_at) as latest from mention
      group by 1, 2) t where c.workspace_id = t.workspace_id and c.keyword_id = t.keyword_id`)
  await db.query(
    sql`insert into keyword_counter (workspace_id, keyword_id, month)
        select workspace_id, id, date_trunc('month', ${end}::timestamptz)::date from keyword on conflict do nothing`,
  )
}

/** Some posts are matched by several keywords. */
const POSTS_SHARE = 0.8

const MENTION_COLUMNS = [
  'workspace_id',
  'id',
  'keyword_id',
  'post_id',
  'created_at',
  'published_at',
  'platform',
  'is_reply',
  'followers',
  'likes',
  'scored_at',
  'relevance',
  'sentiment',
  'intents',
  'automated',
  'facets',
  'common_words',
]

interface PreparedMention {
  number: number
  mentions: number
  posts: number
  owner: { workspace_id: Uuid; id: Uuid }
  texts: Cast['texts']
  end: Date
}

function writeMention(file: CopyFile, { number, mentions, posts, owner, texts, end }: PreparedMention): void {
  const id = idAt(number, mentions, end, SPAN_DAYS * DAY_MS)
  const createdMs = end.getTime() - SPAN_DAYS * DAY_MS + Math.floor((SPAN_DAYS * DAY_MS * number) / mentions)
  const post = number % posts
  file.row(MENTION_COLUMNS.length)
  file.uuid(owner.workspace_id)
  file.uuid(id)
  file.uuid(owner.id)
  file.bytes(preparedPostId(post))
  file.instant(createdMs)
  file.instant(createdMs - 5000)
  file.int16(post % 3)
  file.flag(post % 2 === 0)
  file.int32(post % 5000)
  file.int32(post % 100)
  file.instant(createdMs + 100)
  file.int16(post % 101)
  file.int16(post % 3)
  file.int32(1 << (post % 14))
  file.flag(false)
  const facets = createBigints()
  const common = addWords(facets, owner.workspace_id, texts[(post * 31) % texts.length]!.words)
  addFacets(facets, owner.workspace_id, 'author', [`author ${post % 100_000}`])
  file.bytes(facets.column())
  file.int32(common)
}

async function fillPosts(db: Database, texts: Cast['texts'], posts: number, end: Date): Promise<void> {
  await db.query(
    sql`create table bench_text as select *
        from unnest(${texts.map((_, at) => at)}::int[], ${texts.map(({ text }) => text)}::text[]) as t (number, text)`,
  )
  await db.query(
    sql.raw(`insert into post (id, platform, native_id, url, body, links, published_at, author_id, author, collected_at)
     select md5(n::text)::uuid, n % 3, 'prepared ' || n, 'https://posts.example/' || n, t.text, '{}', at,
       'author ' || n % 100000,
       jsonb_build_object('id', 'author ' || n % 100000, 'name', 'Author', 'handle', 'author', 'url', null,
         'avatarUrl', null, 'followers', n % 5000, 'automated', null), at
     from generate_series(0, ${posts - 1}) n join bench_text t on t.number = (n * 31::bigint) % ${texts.length},
       lateral (select '${end.toISOString()}'::timestamptz
         - (${posts} - n) * interval '${Math.ceil((SPAN_DAYS * 86_400_000) / posts)} ms' as at) times
     order by n`),
  )
  await db.query(sql`drop table bench_text`)
}
