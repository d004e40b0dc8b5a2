import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DEFAULT_MATCHING } from '../src/domain/keyword/keyword.ts'
import type { Replay, RulesPatch, SamplePost } from '../src/domain/keyword/suggestions/evidence.ts'
import { noiseTermsOf } from '../src/domain/keyword/suggestions/noise-terms.ts'
import { phrasesOf } from '../src/domain/keyword/suggestions/phrases.ts'
import { eachPost } from '../src/domain/keyword/suggestions/steps.ts'
import { type Suggestion, suggestionsOf } from '../src/domain/keyword/suggestions/suggestion.ts'
import { withSharedPhrases } from '../src/domain/keyword/suggestions/terms.ts'
import { type SearchedPost, searchedTextOf } from '../src/domain/post/searched-text.ts'
import { MENTION } from '../src/domain/wallet/prices.ts'
import { inTurns } from '../src/kernel/concurrency/steps.ts'
import { tokens } from '../src/matching/index.ts'
import { createReplay } from '../src/queries/keywords/health/replay.ts'
import { randomFrom } from '../test/random.ts'
import type { BenchOptions, BenchRow } from './contract.ts'

const DATA = process.env['EARSHOT_DATA'] ?? new URL('../../shared/data', import.meta.url).pathname
/** With fewer posts to learn from nothing can be asked of a suggestion; the service would wait, too. */
const TO_LEARN_FROM = { noise: 30, relevant: 20 }
const NOISE_REMOVED_PERCENT = 50
const RELEVANT_LOST_PERCENT = 5

/** Words that real posts use in several senses, with what people said of each post. */
const SETS: readonly {
  set: string
  terms: 'term' | 'entity' | readonly string[]
  relevant(post: LabelledPost): boolean
}[] = [
  { set: 'relevance_reddit', terms: 'term', relevant: ({ relevant }) => relevant === true },
  { set: 'sanders', terms: 'entity', relevant: ({ label }) => label !== 'irrelevant' },
  {
    set: 'youtube_spam',
    terms: ['this', 'like', 'video', 'song', 'check', 'love'],
    relevant: ({ spam }) => spam === false,
  },
  {
    set: 'disaster_relevance',
    terms: ['fire', 'burning', 'emergency', 'people'],
    relevant: ({ relevant }) => relevant === true,
  },
]

interface LabelledPost {
  id: string
  text: string
  term?: string
  entity?: string
  label?: string
  relevant?: boolean
  spam?: boolean
}

/**
 * Suggestions for noisy keywords made of real, labelled posts: learned from one half of the posts and tried on the
 * other, which had no part in them. Every combination of the suggestions is weighed by the half they were learned from,
 * and the best one counts.
 */
export async function run(_: BenchOptions): Promise<BenchRow[]> {
  const blocks = [await longestBlock('Latin', latinPost), await longestBlock('Chinese', chinesePost)].flat()
  if (!existsSync(DATA)) {
    console.log(`No labelled posts at ${DATA} (EARSHOT_DATA): no noise is measured.`)
    return blocks
  }
  const rows: BenchRow[] = []
  for (const { set, terms, relevant } of SETS) {
    const posts = labelledPosts(set)
    const keywords = typeof terms === 'string' ? [...new Set(posts.map((post) => post[terms]!))] : terms
    const tried: Trial[] = []
    for (const term of keywords) {
      const own = typeof terms === 'string' ? posts.filter((post) => post[terms] === term) : posts
      const labelled = own.map((post) => ({ ...post, relevant: relevant(post) }))
      const trial = await tryOut(term, labelled)
      if (trial) tried.push(trial)
    }
    rows.push(...tried.map((trial) => rowOf(`${set}: ${trial.term}`, [trial])), ...totalsOf(set, tried))
  }
  return [...rows, ...blocks]
}

/** Posts of a sample at most, and characters of the longest posts that most platforms take. */
const LONG_POSTS = 400
const LONG_CHARACTERS = 2000
/** For so long nothing else in the process may have to wait. */
const BLOCK_MOST_MS = 50

/**
 * How long the process is busy without a stop over a full sample of long posts, whatever they are worth: everything
 * that a report does with them.
 */
async function longestBlock(script: string, textOf: (random: () => number) => string): Promise<BenchRow[]> {
  const random = randomFrom(7)
  const keyword = { term: 'python', platforms: null, matching: DEFAULT_MATCHING, excludedAuthorKeys: [] }
  const texts = Array.from({ length: LONG_POSTS }, () => textOf(random))
  const watch = monitorEventLoopDelay({ resolution: 1 })
  const began = performance.now()
  watch.enable()
  await nextTurn()
  const searched: SearchedPost[] = []
  const posts: SamplePost[] = []
  const read = eachPost(texts, (text, at) => {
    searched.push(searchedTextOf({ platform: 'reddit', title: null, text, links: [], author: null }))
    posts.push({ relevant: at % 2 === 0, platform: 'reddit', phrases: phrasesOf(null, text, tokens), author: null })
  })
  await inTurns(read)
  const replay = createReplay(keyword, searched)
  await inTurns(replay({}))
  const shared = await inTurns(withSharedPhrases(posts))
  await inTurns(noiseTermsOf(shared, ['python'], 10))
  const half = LONG_POSTS / 2
  const ground = {
    rules: keyword,
    posts: shared,
    replay,
    window: { noise: half, relevant: half },
    exact: true,
    price: MENTION,
  }
  await inTurns(suggestionsOf({ termWords: ['python'], ...ground }))
  await nextTurn()
  const tookMs = performance.now() - began
  watch.disable()
  const megabytes = Math.round(process.memoryUsage().heapUsed / 1024 ** 2)
  return [
    {
      measure: `${LONG_POSTS} ${script} posts of ${LONG_CHARACTERS} characters, the longest block`,
      value: watch.max / 1e6,
      unit: 'ms',
      better: 'lower',
      must: BLOCK_MOST_MS,
      note: `${tookMs.toFixed(0)} ms in all; heap of ${megabytes} MB afterwards, garbage included`,
    },
  ]
}

/** Words as uneven as those of a language, so that posts share many and hold some of their own. */
function latinPost(random: () => number): string {
  let text = 'python'
  while (text.length < LONG_CHARACTERS) text += ` w${Math.floor(20_000 * random() ** 4).toString(36)}x`
  return text.slice(0, LONG_CHARACTERS)
}

function chinesePost(random: () => number): string {
  const characters = Array.from({ length: LONG_CHARACTERS - 7 }, () => 0x4e00 + Math.floor(4000 * random() ** 3))
  return `python ${String.fromCodePoint(...characters)}`
}

function labelledPosts(set: string): LabelledPost[] {
  const full = `${DATA}/full/${set}/dev.jsonl`
  const lines = readFileSync(existsSync(full) ? full : `${DATA}/sets/${set}/dev.jsonl`, 'utf8').trim()
  return lines.split('\n').map((line) => JSON.parse(line) as LabelledPost)
}

interface Trial {
  term: string
  learned: { noise: number; relevant: number }
  tested: { noise: number; relevant: number }
  removed: { noise: number; relevant: number }
  suggested: string[]
  tookMs: number
}

/** Null where there is too little to learn from. */
async function tryOut(
  term: string,
  labelled: readonly (LabelledPost & { relevant: boolean })[],
): Promise<Trial | null> {
  const keyword = { term, platforms: null, matching: DEFAULT_MATCHING, excludedAuthorKeys: [] }
  const searched = labelled.map(({ text }) =>
    searchedTextOf({ platform: 'reddit', title: null, text, links: [], author: null }),
  )
  const admitted = await inTurns(createReplay(keyword, searched)({}))
  const halves = [0, 1].map((half) =>
    labelled.flatMap((post, at) =>
      admitted[at] && halfOf(post.id) === half ? [{ post, searched: searched[at]! }] : [],
    ),
  )
  const [learning, testing] = halves as [Labelled[], Labelled[]]
  const learned = count(learning)
  if (learned.noise < TO_LEARN_FROM.noise || learned.relevant < TO_LEARN_FROM.relevant) return null

  const began = performance.now()
  const posts: SamplePost[] = learning.map(({ post }) => ({
    relevant: post.relevant,
    platform: 'reddit',
    phrases: phrasesOf(null, post.text, tokens),
    author: null,
  }))
  const replay = createReplay(keyword, texts(learning))
  const shared = await inTurns(withSharedPhrases(posts))
  const ground = {
    termWords: tokens(term),
    rules: keyword,
    posts: shared,
    replay,
    window: learned,
    exact: true,
    price: MENTION,
  }
  const suggestions = await inTurns(suggestionsOf(ground))
  const tookMs = performance.now() - began
  const patch = await bestOf(suggestions, learning, replay)
  const kept = await inTurns(createReplay(keyword, texts(testing))(patch))
  return {
    term,
    learned,
    tested: count(testing),
    removed: count(testing.filter((_, at) => !kept[at])),
    suggested: suggestions.flatMap(({ values }) => values),
    tookMs,
  }
}

interface Labelled {
  post: LabelledPost & { relevant: boolean }
  searched: SearchedPost
}

const texts = (posts: readonly Labelled[]) => posts.map(({ searched }) => searched)

function count(posts: readonly Labelled[]): { noise: number; relevant: number } {
  const relevant = posts.filter(({ post }) => post.relevant).length
  return { noise: posts.length - relevant, relevant }
}

function halfOf(id: string): number {
  return createHash('sha256').update(id).digest()[0]! & 1
}

/** The combination that removes the most noise of the posts it was learned from, within the loss that is allowed. */
async function bestOf(
  suggestions: readonly Suggestion[],
  learning: readonly Labelled[],
  replay: Replay,
): Promise<RulesPatch> {
  const all = count(learning)
  let best: { patch: RulesPatch; noise: number } = { patch: {}, noise: 0 }
  for (let chosen = 1; chosen < 2 ** suggestions.length; chosen += 1) {
    const patches = suggestions.filter((_, at) => (chosen & (1 << at)) !== 0).map(({ patch }) => patch)
    const patch: RulesPatch = Object.assign({}, ...patches, {
      matching: Object.assign({}, ...patches.map(({ matching }) => matching)),
    })
    const kept = await inTurns(replay(patch))
    const removed = count(learning.filter((_, at) => !kept[at]))
    if (removed.noise > best.noise && removed.relevant <= (RELEVANT_LOST_PERCENT / 100) * all.relevant)
      best = { patch, noise: removed.noise }
  }
  return best.patch
}

function rowOf(measure: string, trials: readonly Trial[], goals: Partial<BenchRow> = {}): BenchRow {
  const [noise, lost] = [shareOf(trials, 'noise'), shareOf(trials, 'relevant')]
  const [first] = trials
  const learned =
    first && trials.length === 1
      ? `learned from ${first.learned.noise} noise and ${first.learned.relevant} relevant posts; `
      : ''
  const terms = first && trials.length === 1 ? `; ${first.suggested.length} terms in ${first.tookMs.toFixed(0)} ms` : ''
  return {
    measure: `${measure}, noise removed`,
    value: noise,
    unit: '%',
    ...goals,
    note: `${learned}${lost.toFixed(1)} % of the relevant posts lost${terms}`,
  }
}

function totalsOf(set: string, trials: readonly Trial[]): BenchRow[] {
  if (trials.length === 0) return []
  // The labels of the other sets are of other questions (the language of a post, its tone) that words answer in part
  // only.
  const asked = set === 'relevance_reddit'
  return [
    rowOf(`${set}: all ${trials.length} keywords`, trials, asked ? { must: NOISE_REMOVED_PERCENT } : {}),
    {
      measure: `${set}: all ${trials.length} keywords, relevant posts lost`,
      value: shareOf(trials, 'relevant'),
      unit: '%',
      better: 'lower',
      must: RELEVANT_LOST_PERCENT,
    },
  ]
}

function shareOf(trials: readonly Trial[], sort: 'noise' | 'relevant'): number {
  const sum = (part: 'tested' | 'removed') => trials.reduce((total, trial) => total + trial[part][sort], 0)
  return (100 * sum('removed')) / Math.max(1, sum('tested'))
}
