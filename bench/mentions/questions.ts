import { toId, type Uuid } from '../../src/kernel/ids.ts'
import { tokens } from '../../src/matching/index.ts'
import { type Database, sql } from '../../src/store/database.ts'
import { readCastTexts } from '../ingest/cast.ts'
import { ASSIGNEE, RARE } from './fill.ts'

/** Questions about the mentions of one workspace, as paths with their parameters. */
export interface Questions {
  common: string[]
  rare: string[]
  anyOf: string[]
  words: string[]
  beginnings: string[]
  sorts: string[]
  counts: string[]
  analytics: string[]
  analyticsByWindow: { name: string; paths: string[]; mustMs: number }[]
}

const LIMIT = 'limit=50'

export async function questionsOf(db: Database, workspaceId: Uuid): Promise<Questions> {
  const known: Known = {
    ...(await keywordsOf(db, workspaceId)),
    seldomGroup: await groupOf(db, workspaceId),
    person: await personOf(db, workspaceId),
    words: await wordsToAsk(),
  }
  return {
    common: commonQuestions(known),
    rare: rareQuestions(known),
    anyOf: groupQuestions(known),
    words: wordQuestions(known),
    beginnings: beginningQuestions(known),
    sorts: SORTS.map(list),
    counts: countQuestions(known),
    analytics: ANALYTICS,
    analyticsByWindow: windowQuestions(known),
  }
}

/** What the questions name of the workspace. */
interface Known {
  often: string
  seldom: string
  seldomGroup: string
  person: string
  words: Awaited<ReturnType<typeof wordsToAsk>>
}

function list(parameters: string): string {
  return `/v1/mentions?${LIMIT}&${parameters}`
}

function commonQuestions({ often }: Known): string[] {
  return [
    'relevant=true',
    'platform=reddit',
    'sentiment=negative',
    'language=en'.replace('language', 'languages'),
    'intent=question',
    'status=open',
    'isReply=false',
    'minRelevance=60&platforms=reddit,x&sentiments=positive,neutral',
    `keywordId=${often}`,
    'keywordKinds=competitor&relevant=true',
    'minFollowers=1000&relevant=true',
    'automated=false&notIntents=promotional&notPlatforms=news',
  ].map(list)
}

function rareQuestions({ seldom, seldomGroup, person }: Known): string[] {
  return [
    `platform=${RARE.platform}`,
    `languages=${RARE.language}`,
    `intent=${RARE.intent}`,
    'status=ignored',
    'snoozed=true',
    `assigneeId=${toId('user', ASSIGNEE)}`,
    `keywordId=${seldom}`,
    `groupIds=${seldomGroup}`,
    `linkHosts=${RARE.host}`,
    `tags=${encodeURIComponent(RARE.tag)}`,
    `personId=${person}`,
    'minLikes=50000',
    'failed=true',
    'delivered=true',
    'unassigned=false',
    'minFollowers=2000000',
    'minBookmarks=1',
    'ratings=1&platforms=bluesky',
    `languages=${RARE.language}&intent=${RARE.intent}`,
    `since=${new Date(Date.UTC(2020, 0, 1)).toISOString()}&until=${new Date(Date.UTC(2020, 1, 1)).toISOString()}`,
  ].map(list)
}

function groupQuestions({ seldom }: Known): string[] {
  return [
    [
      { languages: ['sw'], minRelevance: 90 },
      { intents: ['hiring'], sentiments: ['negative'] },
      { minLikes: 100_000 },
      { platforms: ['instagram'], isReply: true },
      { languages: ['is'], intents: ['churn_intent'] },
      { minFollowers: 3_000_000 },
      { ratings: [1], languages: ['fi'], minConfidence: 0.99 },
      { linkHosts: [RARE.host], sentiments: ['negative'] },
      { keywordIds: [seldom], intents: ['bug_report'] },
      { minViews: 5_000_000 },
    ],
    [
      { languages: ['is'], intents: ['bug_report'] },
      { languages: ['fi'], intents: ['churn_intent'], minRelevance: 95 },
      { platforms: ['devto'], intents: ['churn_intent'] },
    ],
  ].map((groups) => list(`anyOf=${encodeURIComponent(JSON.stringify(groups))}`))
}

function wordQuestions({ words }: Known): string[] {
  return [
    words.frequent,
    words.rare,
    `${words.frequent} ${words.rare}`,
    words.chinese,
    words.frequentPair,
    'nosuchwordanywhere',
  ].map((q) => list(`q=${encodeURIComponent(q)}`))
}

function beginningQuestions({ words }: Known): string[] {
  return [...words.beginnings, `${words.beginnings[0]} ${words.rare}`, words.accents, `${words.accents.slice(0, 4)}*`]
    .map((q) => list(`q=${encodeURIComponent(q)}`))
    .concat([
      list(`q=${encodeURIComponent(words.beginnings.at(-1)!)}&platform=${RARE.platform}`),
      list(`anyOf=${encodeURIComponent(JSON.stringify([{ q: words.beginnings.at(-1) }, { minLikes: 100_000 }]))}`),
      list(`sort=published&q=${encodeURIComponent(words.beginnings[1]!)}`),
    ])
}

const SORTS = [
  'sort=priority',
  'sort=published',
  'sort=engagement',
  'sort=priority&sentiment=negative',
  'sort=published&platform=reddit',
  'sort=oldest',
  'sort=oldest&minLikes=50000',
  'sort=relevance',
  'sort=relevance&minLikes=1000',
  'sort=relevance&maxRelevance=30',
]

function countQuestions({ words }: Known): string[] {
  return [
    '',
    'relevant=true',
    'sentiment=negative&platform=reddit',
    `languages=${RARE.language}`,
    `q=${encodeURIComponent(words.rare)}`,
    `q=${encodeURIComponent(words.beginnings[0]!)}`,
  ].map((parameters) => `/v1/mentions/count?${parameters}`)
}

const ANALYTICS = [
  '/v1/analytics/summary?range=30d&compare=true',
  '/v1/analytics/series?range=30d&interval=day&by=sentiment',
  '/v1/analytics/series?range=365d&interval=week&by=platform',
  '/v1/analytics/breakdown?range=90d&by=keyword',
  '/v1/analytics/share-of-voice?range=30d',
  '/v1/analytics/reviews?range=90d',
  '/v1/analytics/summary?range=365d&relevant=true',
]

/** Every kind of figures over a month and over a year, of all mentions and by the most usual filters. */
function windowQuestions({ often }: Known): Questions['analyticsByWindow'] {
  const filters = [
    'relevant=true',
    'platform=reddit',
    `keywordId=${often}`,
    'sentiment=negative',
    'intent=question',
    'languages=en',
  ]
  return [
    { days: 30, interval: 'day', mustMs: 100 },
    { days: 365, interval: 'week', mustMs: 250 },
  ].flatMap(({ days, interval, mustMs }) => {
    const kinds = [
      `summary?range=${days}d&compare=true`,
      `series?range=${days}d&interval=${interval}`,
      `series?range=${days}d&interval=${interval}&by=platform`,
      `series?range=${days}d&interval=${interval}&by=keyword`,
      `breakdown?range=${days}d&by=keyword`,
      `share-of-voice?range=${days}d`,
    ].map((kind) => `/v1/analytics/${kind}`)
    return [
      { name: `analytics of ${days} days`, paths: kinds, mustMs },
      {
        name: `analytics of ${days} days, filtered`,
        paths: filters.map((filter, at) => `${kinds[at % kinds.length]}&${filter}`),
        mustMs,
      },
    ]
  })
}

async function groupOf(db: Database, workspaceId: Uuid): Promise<string> {
  const [row] = await db.query<{ id: Uuid }>(
    sql`select id from keyword_group where workspace_id = ${workspaceId} and not is_default`,
  )
  return toId('grp', row!.id)
}

async function keywordsOf(db: Database, workspaceId: Uuid): Promise<{ often: string; seldom: string }> {
  const rows = await db.query<{ keyword_id: Uuid }>(
    sql`select keyword_id from keyword_counter where workspace_id = ${workspaceId} order by mentions desc`,
  )
  return { often: toId('kw', rows[0]!.keyword_id), seldom: toId('kw', rows.at(-1)!.keyword_id) }
}

async function personOf(db: Database, workspaceId: Uuid): Promise<string> {
  const [row] = await db.query<{ id: Uuid }>(
    sql`select id from person where workspace_id = ${workspaceId} and ${RARE.tag} = any(tags)`,
  )
  return toId('aut', row!.id)
}

/**
 * A word of most texts, one of a single text, two of many texts that seldom meet, some Chinese, one with an accent, and
 * beginnings: of the most words, of a frequent word, of one in some of the texts, and of one in few.
 */
async function wordsToAsk() {
  const texts = await readCastTexts()
  const counts = new Map<string, number>()
  for (const { words } of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  const latin = ranked.filter(([word]) => /^[a-z]{3,}$/.test(word))
  const chinese = texts.flatMap(({ text }) => /\p{Script=Han}{2,}/u.exec(text)?.[0].slice(0, 2) ?? [])[0] ?? '东京'
  const beginnings = new Map<string, number>()
  for (const [word] of latin)
    if (word.length > 3) beginnings.set(word.slice(0, 3), (beginnings.get(word.slice(0, 3)) ?? 0) + 1)
  const [widest] = [...beginnings].sort(([, m], [, n]) => n - m)[0]!
  const long = latin.filter(([word]) => word.length > 6).map(([word]) => word)
  const accents = texts.flatMap(
    ({ text }) => /(?<![\p{L}])[a-z]{2,}[áéíóúãçñ][a-z]{2,}(?![\p{L}])/u.exec(text)?.[0] ?? [],
  )
  return {
    beginnings: [
      widest,
      long[5]!.slice(0, 5),
      long[Math.floor(long.length / 10)]!.slice(0, 5),
      long.at(-1)!.slice(0, 6),
    ].map((text) => `${text}*`),
    accents: accents[0] ?? 'música',
    frequent: latin[0]![0],
    rare: latin.findLast(([, count]) => count === 1)![0],
    frequentPair: `${latin[40]![0]} ${latin[90]![0]}`,
    chinese: tokens(chinese).join(''),
  }
}
