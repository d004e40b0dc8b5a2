import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database-server.ts'
import { lengthOf } from '../../../test/length.ts'
import type { Filterable } from '../../domain/filter/field.ts'
import {
  FILTER_FIELDS,
  FILTER_NAMES,
  type FilterGroup,
  type FilterName,
  type FilterValue,
  type MentionFilter,
  type WordsOf,
} from '../../domain/filter/fields.ts'
import { hostAndParents } from '../../domain/filter/link-hosts.ts'
import { listOf, predicateOf } from '../../domain/filter/predicate.ts'
import { KEYWORD_KINDS } from '../../domain/keyword/keyword.ts'
import { INTENTS, intentBits, SENTIMENTS } from '../../domain/mention/classification.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import { PLATFORMS, platformNumber } from '../../domain/platform/platforms.ts'
import { type Uuid, uuidFromName } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { type Database, openDatabase, type Reader, type Statement, sql } from '../database.ts'
import { accountFacet, commonFacet, commonWordBits, facetHash, isCommonWord } from './facets.ts'
import {
  type Accounts,
  beginningOf,
  byAccounts,
  type FilterFacts,
  filterCondition,
  notByAccounts,
} from './filter-sql.ts'

/** How many pairs of a filter and a mention are compared. */
const PAIRS = lengthOf('FILTER_PAIRS', { usual: 10_000, long: 30_000 })
const MENTIONS = 250
/** Filters of one statement. */
const BATCH = 20
const SEED = Number(process.env['FILTER_SEED'] ?? Math.trunc(Math.random() * 2 ** 31))

const WORKSPACE = uuidFromName('workspace')
const GROUPS = [0, 1, 2].map((at) => uuidFromName('group', String(at)))
const KEYWORDS = Array.from({ length: 6 }, (_, at) => ({
  id: uuidFromName('keyword', String(at)),
  groupId: GROUPS[at % 3]!,
  kind: KEYWORD_KINDS[at % 2]!,
}))
const ELSEWHERE = uuidFromName('not in this workspace')

// Values come from small pools, so that filters and mentions meet. A name of an author is a host as well, to tell the
// kinds of facets apart.
const HOSTS = [
  'example.com',
  'blog.example.com',
  'a.b.blog.example.com',
  'example.org',
  'notexample.com',
  'com',
  'co.uk',
  'shop.example.co.uk',
]
const AUTHORS = [
  'jane doe',
  'https://bsky.app/profile/jane.example.com',
  'example.com',
  'bot',
  'Zoë',
  'https://x.com/acme',
]
const TAGS = ['vip', 'VIP', 'press', 'a, b', 'example.com']
const WORDS = ['example', 'com', 'bot', 'both', 'rocket', 'rocketry', '火', '箭', 'the', 'of', 'are', 'that']
const BEGINNINGS = ['exam*', 'bot*', 'rocket*', 'the*', 'tha*', 'area*', 'nowh*']
/** People with one account each, and what they are called; nobody is tagged by half of them. */
const ACCOUNTS = Array.from({ length: 10 }, (_, at) => ({
  id: uuidFromName('account', String(at)),
  tags: TAGS.filter((_, tag) => at % 2 === 1 && (at * 7 + tag) % 3 === 0),
}))
const LANGUAGES = ['en', 'de', 'fr', 'pt']
const COUNTS = [0, 1, 2, 9, 10, 11, 1000, 2_000_000_000]
const CONFIDENCES = [0, 0.1, 0.3, 0.4, 0.7, 0.1 + 0.6, 0.95, 1]
const RELEVANCES = [0, 1, 39, 40, 41, 79, 80, 100]

const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 4, nil: null })
const countArbitrary = orNull(fc.constantFrom(...COUNTS))

/** A mention as filters see it, and who wrote it. */
interface Stored extends Filterable {
  accountId: Uuid | null
}

const mentionArbitrary: fc.Arbitrary<Stored> = fc
  .record({
    keyword: fc.constantFrom(...KEYWORDS),
    platform: fc.constantFrom(...PLATFORMS),
    status: fc.constantFrom(...MENTION_STATUSES),
    relevance: orNull(fc.oneof(fc.constantFrom(...RELEVANCES), fc.integer({ min: 0, max: 100 }))),
    confidence: orNull(fc.oneof(fc.constantFrom(...CONFIDENCES), fc.double({ min: 0, max: 1, noNaN: true }))),
    sentiment: orNull(fc.constantFrom(...SENTIMENTS)),
    intents: orNull(fc.subarray([...INTENTS], { maxLength: 4 })),
    automated: orNull(fc.boolean()),
    language: orNull(fc.constantFrom(...LANGUAGES)),
    followers: countArbitrary,
    isReply: fc.boolean(),
    delivered: fc.boolean(),
    failed: fc.boolean(),
    unassigned: fc.boolean(),
    rating: orNull(fc.integer({ min: 1, max: 5 })),
    likes: countArbitrary,
    reposts: countArbitrary,
    replies: countArbitrary,
    quotes: countArbitrary,
    views: countArbitrary,
    bookmarks: countArbitrary,
    hosts: fc.subarray(HOSTS, { maxLength: 2 }),
    authorKeys: fc.subarray(AUTHORS, { maxLength: 2 }),
    account: orNull(fc.constantFrom(...ACCOUNTS)),
    words: fc.subarray(WORDS),
  })
  .map(({ keyword, hosts, account, ...rest }) => ({
    ...rest,
    accountId: account?.id ?? null,
    tags: account?.tags ?? [],
    keywordId: keyword.id,
    keywordKind: keyword.kind,
    groupId: keyword.groupId,
    linkHosts: [...new Set(hosts.flatMap(hostAndParents))],
  }))

/** Lists may be empty, as a rule's is that lost its last keyword. */
function valueArbitrary(name: FilterName): fc.Arbitrary<FilterValue> {
  const { form, test } = FILTER_FIELDS[name]
  switch (form.form) {
    case 'word':
      return fc.constantFrom(...form.words)
    case 'boolean':
      return fc.boolean()
    case 'number':
      if ('attribute' in test && test.attribute === 'confidence')
        return fc.oneof(fc.constantFrom(...CONFIDENCES), fc.double({ min: 0, max: 1, noNaN: true }))
      if ('attribute' in test && test.attribute === 'relevance')
        return fc.oneof(fc.constantFrom(...RELEVANCES, 39.5, 40.000001), fc.double({ min: 0, max: 100, noNaN: true }))
      return fc.oneof(fc.constantFrom(...COUNTS), fc.double({ min: 0, max: 1e15, noNaN: true }))
    case 'list':
      return listArbitrary(form)
    case 'words':
      return fc.subarray([...WORDS, ...BEGINNINGS, 'nowhere'], { maxLength: 3 }).map((words) => words.join(' '))
  }
}

function listArbitrary(
  form: Extract<(typeof FILTER_FIELDS)[FilterName]['form'], { form: 'list' }>,
): fc.Arbitrary<FilterValue> {
  switch (form.of) {
    case 'word':
      return fc.subarray([...form.words])
    case 'id':
      return fc.subarray([...(form.prefix === 'kw' ? KEYWORDS.map((keyword) => keyword.id) : GROUPS), ELSEWHERE])
    case 'language':
      return fc.subarray(LANGUAGES)
    case 'host':
      return fc.subarray(HOSTS, { maxLength: 3 })
    case 'author':
      return fc.subarray(AUTHORS, { maxLength: 3 })
    case 'tag':
      return fc.subarray([...TAGS, 'nobody'])
    case 'rating':
      return fc.subarray([1, 2, 3, 4, 5])
  }
}

function groupArbitrary(minLength: number, maxLength: number): fc.Arbitrary<FilterGroup> {
  return fc
    .subarray(FILTER_NAMES, { minLength, maxLength })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, valueArbitrary(name)]))),
    ) as fc.Arbitrary<FilterGroup>
}

const filterArbitrary: fc.Arbitrary<MentionFilter> = fc
  .tuple(
    groupArbitrary(0, 3),
    fc.option(fc.array(groupArbitrary(1, 2), { minLength: 1, maxLength: 4 }), { nil: undefined }),
  )
  .map(([group, anyOf]) => (anyOf === undefined ? group : { ...group, anyOf }))

let database: TestDatabase
let db: Database
const mentions = fc.sample(mentionArbitrary, { numRuns: MENTIONS, seed: SEED })

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase({ connection: database.connection, poolSize: 2, log: silentLog })
  const at = new Date('2026-11-20T09:30:00.000Z')
  await db.query(
    sql`insert into workspace (id, name, created_at, settled_through)
        values (${WORKSPACE}, 'Acme', ${at}, '2026-11-19')`,
  )
  for (const [place, id] of GROUPS.entries())
    await db.query(sql`
      insert into keyword_group (workspace_id, id, name, name_folded, is_default, created_at, updated_at)
      values (${WORKSPACE}, ${id}, ${`Group ${place}`}, ${`group ${place}`}, ${place === 0}, ${at}, ${at})`)
  for (const keyword of KEYWORDS)
    await db.query(sql`
      insert into keyword (workspace_id, id, group_id, term, term_folded, kind, required_terms, required_mode,
        excluded_terms, excluded_authors, excluded_author_keys, case_sensitive,
        muted, created_at, judged_since)
      values (${WORKSPACE}, ${keyword.id}, ${keyword.groupId}, ${keyword.id}, ${keyword.id}, ${keyword.kind}, '{}',
        'any', '{}', '{}', '{}', false, false, ${at}, ${at})`)
  for (const [place, mention] of mentions.entries()) await store(mention, place, at)
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

/**
 * As ingestion and scoring store a mention, some of them as they did before common words had bits; the place among all
 * stands in the note.
 */
async function store(mention: Stored, place: number, at: Date): Promise<void> {
  const common = place % 3 === 0 ? [] : mention.words.filter(isCommonWord)
  const facets = [
    ...(common.length > 0 ? [commonFacet(WORKSPACE)] : []),
    ...mention.linkHosts.map((host) => facetHash(WORKSPACE, 'host', host)),
    ...mention.authorKeys.map((key) => facetHash(WORKSPACE, 'author', key)),
    ...mention.words.filter((word) => !common.includes(word)).map((word) => facetHash(WORKSPACE, 'word', word)),
    ...(mention.accountId === null ? [] : [accountFacet(WORKSPACE, mention.accountId)]),
  ]
  await db.query(sql`
    insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, status, is_reply,
      rating, followers, likes, reposts, replies, quotes, views, bookmarks,
      relevance, sentiment, intents, automated, language, confidence, note, facets, account_id, common_words, delivered,
        failed, assignee_id)
    values (${WORKSPACE}, ${uuidFromName('mention', String(place))}, ${mention.keywordId},
      ${uuidFromName('post', String(place))}, ${at}, ${at}, ${platformNumber(mention.platform)},
      ${MENTION_STATUSES.indexOf(mention.status)}, ${mention.isReply}, ${mention.rating}, ${mention.followers},
        ${mention.likes}, ${mention.reposts}, ${mention.replies}, ${mention.quotes},
      ${mention.views}, ${mention.bookmarks}, ${mention.relevance},
        ${mention.sentiment && SENTIMENTS.indexOf(mention.sentiment)},
        ${mention.intents && intentBits(mention.intents)},
      ${mention.automated}, ${mention.language}, ${mention.confidence}, ${String(place)}, ${facets}::bigint[],
        ${mention.accountId},
      ${commonWordBits(common)}, ${mention.delivered}, ${mention.failed},
        ${mention.unassigned ? null : uuidFromName('assignee')})`)
}

const wordsOf: WordsOf = (text) =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({ word: word.replace('*', ''), begins: word.endsWith('*') }))
const taggedWith = (tags: readonly string[]) =>
  ACCOUNTS.filter((account) => account.tags.some((tag) => tags.includes(tag))).map(({ id }) => id)

/** Accounts as they are handed over while they are few, and when they are many. */
const FEW: FilterFacts = {
  workspaceId: WORKSPACE,
  wordsOf,
  beginning: (word) => ({
    ...beginningOf(
      WORKSPACE,
      word,
      WORDS.filter((text) => text.startsWith(word)),
    ),
    often: word.startsWith('rocket'),
  }),
  accountsTagged: taggedWith,
}
/** Beginnings are looked for in each mention where they are frequent, or the index is not asked. */
const MANY: FilterFacts = {
  ...FEW,
  inEach: ({ often }) => often,
  accountsTagged: (tags) => ({ selecting: sql`select t.id from unnest(${taggedWith(tags)}::uuid[]) as t (id)` }),
}

const FROM = sql`from mention m join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id
    where m.workspace_id = ${WORKSPACE}`

/** The places of the mentions that a list with this condition finds. */
async function foundBy(condition: Statement<unknown>, reader: Reader = db): Promise<number[]> {
  const rows = await reader.query<{ note: string }>(sql`select m.note ${FROM} and ${condition}`)
  return rows.map((row) => Number(row.note)).sort((a, b) => a - b)
}

/** The places of the mentions that a rule sends. */
function foundByRule(filter: MentionFilter): number[] {
  const holds = predicateOf(filter, wordsOf)
  return mentions.flatMap((mention, place) => (holds(mention) ? [place] : []))
}

test(`a list and a rule with the same filter agree on every mention, ${PAIRS} times`, async () => {
  const filters = fc.sample(filterArbitrary, { numRuns: Math.ceil(PAIRS / MENTIONS), seed: SEED })
  for (let from = 0; from < filters.length; from += BATCH) {
    const batch = filters.slice(from, from + BATCH)
    // Each row says of its mention which of the filters find it: many pairs for one statement.
    const conditions = batch.map((filter, at) => sql`coalesce(${filterCondition(filter, at % 2 ? MANY : FEW)}, false)`)
    const rows = await db.query<{ note: string; found: boolean[] }>(
      sql`select m.note, array[${sql.join(conditions)}] as found ${FROM}`,
    )
    expect(rows).toHaveLength(MENTIONS)
    for (const [at, filter] of batch.entries()) {
      const listed = rows.flatMap(({ note, found }) => (found[at] ? [Number(note)] : [])).sort((a, b) => a - b)
      const sent = foundByRule(filter)
      if (String(listed) !== String(sent))
        expect(listed, `${JSON.stringify(filter)} with FILTER_SEED=${SEED}`).toEqual(sent)
    }
  }
}, 1_200_000)

test('they agree as well when every way through an index is taken', async () => {
  const filters = fc.sample(filterArbitrary, { numRuns: 60, seed: SEED + 1 })
  await db.transaction(async (tx) => {
    await tx.query(sql`set local enable_seqscan = off`)
    for (const filter of filters)
      expect(
        await foundBy(filterCondition(filter, FEW), tx),
        `${JSON.stringify(filter)} with FILTER_SEED=${SEED}`,
      ).toEqual(foundByRule(filter))
  })
})

/** Names that no mention has, beside which those of a filter are hardly seen. */
const strangers = (kind: string, group: number) =>
  Array.from({ length: 20 }, (_, at) => `${kind}-${group}-${at}.example`)
const crowded = (group: FilterGroup, at: number): FilterGroup => ({
  ...group,
  notLinkHosts: [...listOf(group.notLinkHosts ?? []), ...strangers('host', at)] as string[],
  excludeAuthors: [...listOf(group.excludeAuthors ?? []), ...strangers('author', at)] as string[],
})

test('they agree as well when the groups leave out very many hosts and authors', async () => {
  const filters = fc
    .sample(filterArbitrary, { numRuns: 150, seed: SEED + 2 })
    .filter(({ anyOf = [] }) => anyOf.length > 1)
  const left = HOSTS.slice(0, 2).map((host) => ({ notLinkHosts: [host] }))
  expect(filters.length).toBeGreaterThan(50)
  for (const filter of [
    ...filters,
    { anyOf: left },
    { anyOf: [{ excludeAuthors: [AUTHORS[0]!] }, { notLinkHosts: [HOSTS[1]!] }] },
  ]) {
    const many = { ...filter, anyOf: filter.anyOf!.map(crowded) }
    expect(await foundBy(filterCondition(many, FEW)), `${JSON.stringify(many)} with FILTER_SEED=${SEED}`).toEqual(
      foundByRule(many),
    )
  }
})

test('ten groups that leave out very many take hardly longer than one', async () => {
  const groups = Array.from({ length: 10 }, (_, at) => ({ ...crowded({}, at), minLikes: 1 + at }))
  const took = async (anyOf: readonly FilterGroup[]) => {
    const condition = filterCondition({ anyOf: [...anyOf] }, FEW)
    const rows = sql`select array(select n * g * 1000003::bigint from generate_series(1, 30) n) as facets, 0 as likes
        from generate_series(1, 3000) g`
    const explained = sql<{ 'QUERY PLAN': [{ 'Execution Time': number }] }>`
      explain (analyze, timing off, format json) with m as materialized (${rows}) select count(*) from m
        where ${condition}`
    const times = []
    for (let at = 0; at < 3; at += 1) times.push((await db.query(explained))[0]!['QUERY PLAN'][0]['Execution Time'])
    return Math.min(...times)
  }
  const value = await took([{ ...crowded({}, 0), minLikes: 0 }])
  expect((await took(groups.map((group) => ({ ...group, minLikes: 0 })))) / value).toBeLessThan(2.5)
  expect((await took(groups)) / value).toBeLessThan(2.5)
})

test.each(FILTER_NAMES)('%s alone tells mentions apart, and the same way in lists and rules', async (name) => {
  let apart = false
  for (const value of fc.sample(valueArbitrary(name), { numRuns: 12, seed: SEED })) {
    const found = foundByRule({ [name]: value })
    for (const facts of [FEW, MANY])
      expect(
        await foundBy(filterCondition({ [name]: value }, facts)),
        `${JSON.stringify(value)} with FILTER_SEED=${SEED}`,
      ).toEqual(found)
    apart ||= found.length > 0 && found.length < MENTIONS
  }
  expect(apart, `FILTER_SEED=${SEED}`).toBe(true)
})

test('an empty filter finds everything, and an empty list nothing', async () => {
  expect(await foundBy(filterCondition({}, FEW))).toHaveLength(MENTIONS)
  expect(await foundBy(filterCondition({ keywordIds: [] }, FEW))).toEqual([])
  expect(await foundBy(filterCondition({ notKeywordIds: [] }, FEW))).toHaveLength(MENTIONS)
})

test('mentions are found and left out by their accounts, however many those are', async () => {
  const ids = ACCOUNTS.slice(0, 3).map(({ id }) => id)
  const several: Accounts[] = [
    ids,
    [...ids, ...Array.from({ length: 400 }, (_, at) => uuidFromName('stranger', String(at)))],
    { selecting: sql`select unnest(${ids}::uuid[])` },
  ]
  const by = mentions.flatMap(({ accountId }, place) => (accountId !== null && ids.includes(accountId) ? [place] : []))
  for (const accounts of several) {
    expect(await foundBy(byAccounts(WORKSPACE, accounts))).toEqual(by)
    expect(await foundBy(notByAccounts(accounts))).toEqual(
      mentions.flatMap((_, place) => (by.includes(place) ? [] : [place])),
    )
  }
  expect(by.length > 0 && by.length < MENTIONS).toBe(true)
})
