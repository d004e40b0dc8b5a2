import { hostAndParents } from '../../src/domain/filter/link-hosts.ts'
import { accountIdOf } from '../../src/domain/person/account.ts'
import { PLATFORMS } from '../../src/domain/platform/platforms.ts'
import type { Uuid } from '../../src/kernel/ids.ts'
import { type Database, sql } from '../../src/store/database.ts'
import { accountFacet, commonFacet, commonWordBits, facetHash, isCommonWord } from '../../src/store/filter/facets.ts'
import { type Cast, readCastTexts } from '../ingest/cast.ts'

export const AUTHORS = 10_000
export const HOSTS = 2000

/** A workspace whose questions are measured. */
export interface MeasuredWorkspace {
  id: Uuid
  mentions: number
}

export function hostOf(number: number): string {
  return `host-${number}.example`
}

/**
 * What mentions are put together from: texts with their words, authors and hosts, each with its hashes in each measured
 * workspace. Answers how many texts there are.
 */
export async function makeTemplates(db: Database, measured: readonly MeasuredWorkspace[]): Promise<number> {
  const texts = await readCastTexts()
  await makeTexts(db, measured, texts)
  await makeAuthors(db, measured)
  await makeHosts(db, measured)
  await db.query(sql`
    create unlogged table bench_keyword as select workspace_id, row_number() over (partition by workspace_id
      order by id) - 1 as number, count(*) over (partition by workspace_id) as among, id
    from keyword`)
  await db.query(sql`create index on bench_keyword (workspace_id, number)`)
  await db.query(sql`analyze bench_text, bench_author, bench_host, bench_keyword`)
  return texts.length
}

async function makeTexts(db: Database, measured: readonly MeasuredWorkspace[], texts: Cast['texts']): Promise<void> {
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
}

async function makeAuthors(db: Database, measured: readonly MeasuredWorkspace[]): Promise<void> {
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
}

async function makeHosts(db: Database, measured: readonly MeasuredWorkspace[]): Promise<void> {
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
}

function platformOfAuthor(number: number): (typeof PLATFORMS)[number] {
  return PLATFORMS[number % 12]!
}
