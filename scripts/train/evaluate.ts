import { existsSync } from 'node:fs'
import type { Subject } from '../../src/classify/contract.ts'
import { scorerOf } from '../../src/classify/offline/index.ts'
import { loadLanguages } from '../../src/classify/offline/language.ts'
import { loadModel, MODEL_ADDRESS } from '../../src/classify/offline/model-file.ts'
import { INTENTS, type Intent, SENTIMENTS, type Verdict } from '../../src/domain/mention/classification.ts'
import { uuidFromName } from '../../src/kernel/ids.ts'
import { isValidation, postsOf, type Row, rowsOf, sentimentOfStars, TRAINING_SETS, UNSEEN_SETS } from './data.ts'
import { isValidationTerm, pairings, termsOf } from './relevance.ts'

// The file is long because the tables of sets and peers stand beside the code that prints them.
type Score = (subject: Subject) => Verdict

/** Prints how the shipped model does on every set: on the validation rows of sets that trained it, on all rows of others. */
export async function evaluate(): Promise<void> {
  if (!existsSync(MODEL_ADDRESS)) throw new Error('there is no model yet: train it first')
  const score = scorerOf(await loadModel(), await loadLanguages())
  sentimentTable(score)
  intentTable(score)
  relevanceTable(score)
  languageTable(score)
  confidenceTable(score)
  tagShares(score)
}

const NOBODY = uuidFromName('the sets')

export function subjectOf(text: string, term = 'example', context: string | null = null): Subject {
  return {
    post: { platform: 'x', title: null, text, links: [], languageHint: null, author: null, review: null },
    keyword: { term, kind: 'brand' },
    keywordContext: context,
    companyContext: null,
    marks: [],
    workspaceId: NOBODY,
  }
}

/** Figures of peers on the official holdouts, from the data's own description: reference logistic regression, best lexicon. */
const PEERS = new Map<string, string>([
  ['tweeteval_sentiment', 'lexicon 54.5, reference LR 62.0 (recall: FastText 62.9, RoBERTa-base 71.3)'],
  ['umsab_multilingual', 'lexicon 41.6, reference LR 55.4, FastText 51.0, XLM-R 64.8'],
  ['twitter_entity', 'lexicon 48.1, reference LR 66.2'],
  ['brand_emotion_sxsw', 'lexicon 47.3, reference LR 56.2'],
  ['apple_dfe', 'lexicon 50.5, reference LR 67.0'],
  ['tweet_extraction', 'lexicon 65.8, reference LR 73.3'],
  ['goemotions', 'lexicon 62.4, reference LR 71.1'],
  ['vader_tweets', 'VADER 69.5, reference LR 71.1'],
  ['vader_amazon', 'lexicon 54.1, reference LR 62.2'],
  ['vader_nyt', 'VADER 54.9, reference LR 57.2'],
  ['se_stackoverflow', 'lexicon 73.5, reference LR 84.3'],
  ['se_github', 'lexicon 65.2, reference LR 86.3'],
  ['airline', 'lexicon 51.8, LR without it 63.1'],
  ['sanders', 'lexicon 54.3, LR without it 58.5'],
  ['se_misc', 'lexicon 57.5, LR without it 65.0'],
  ['reviews_stars', 'lexicon 47.1, LR without it 53.4'],
])

function sentimentTable(score: Score): void {
  console.log('\nSentiment, macro-F1 / macro-recall in % (peers: their figures on the holdouts, each trained on that set alone)')
  const sets = [
    ...TRAINING_SETS.filter(({ weight }) => weight > 0).map(({ name }) => ({ name, seen: true })),
    ...UNSEEN_SETS.map((name) => ({ name, seen: false })),
  ]
  for (const { name, seen } of sets) {
    const rows = rowsOf(name).filter((row) => (!seen || isValidation(name, row)) && sentimentIn(name, row))
    const wanted = rows.map((row) => sentimentIn(name, row)!)
    const given = rows.map((row) => score(subjectOf(row.text)).sentiment)
    const { f1, recall } = macro(wanted, given, SENTIMENTS)
    console.log(line(name, rows.length, seen, `${f1} / ${recall}`, PEERS.get(name) ?? ''))
    if (name === 'umsab_multilingual')
      for (const lang of new Set(rows.map((row) => String(row.lang)))) {
        const own = rows.flatMap((row, at) => (row.lang === lang ? [at] : []))
        console.log(
          line(
            `  ${lang}`,
            own.length,
            seen,
            String(
              macro(
                own.map((at) => wanted[at]!),
                own.map((at) => given[at]!),
                SENTIMENTS,
              ).f1,
            ),
            '',
          ),
        )
      }
  }
}

function sentimentIn(set: string, row: Row): string | undefined {
  if (set === 'appreviews_maalej') return Number.isFinite(row.rating) ? sentimentOfStars(Number(row.rating)) : undefined
  return SENTIMENTS.find((sentiment) => sentiment === (row.sentiment ?? row.label))
}

interface IntentCheck {
  set: string
  intent: Intent
  seen: boolean
  holds: (row: Row) => boolean | null
  peer?: string
}

const CHECKS: IntentCheck[] = [
  ...(['bug_report', 'buy_intent', 'comparison', 'event', 'feedback', 'hiring', 'industry_insight', 'launch', 'promotional', 'question'] as const).map(
    (intent): IntentCheck => ({ set: 'weak_intents', intent, seen: true, holds: (row) => row.label === intent }),
  ),
  {
    set: 'appreviews_maalej',
    intent: 'bug_report',
    seen: true,
    holds: (row) => (row.labels as string[]).includes('bug_report'),
    peer: 'rules 35, reference LR 64',
  },
  {
    set: 'appreviews_maalej',
    intent: 'feedback',
    seen: true,
    holds: (row) => (row.labels as string[]).includes('feature_request'),
    peer: 'rules 27, reference LR 43',
  },
  {
    set: 'appreviews_maalej',
    intent: 'testimonial',
    seen: true,
    holds: (row) => (row.labels as string[]).includes('user_experience'),
    peer: 'reference LR 53',
  },
  { set: 'appreviews_gplay8000', intent: 'bug_report', seen: false, holds: (row) => row.label === 'bug_report', peer: 'LR trained on it 87' },
  { set: 'appreviews_gplay8000', intent: 'feedback', seen: false, holds: (row) => row.label === 'feature_request', peer: 'LR trained on it 82' },
  { set: 'github_issues_nlbse24', intent: 'bug_report', seen: false, holds: (row) => row.label === 'bug' },
  { set: 'github_issues_nlbse24', intent: 'feedback', seen: false, holds: (row) => row.label === 'feature' },
  { set: 'github_issues_nlbse24', intent: 'question', seen: false, holds: (row) => row.label === 'question' },
  { set: 'complaints', intent: 'complaint', seen: false, holds: (row) => row.complaint === true, peer: 'rules 13.5, LR trained on it 77' },
  { set: 'suggestions_semeval19', intent: 'feedback', seen: false, holds: (row) => row.suggestion === true, peer: 'rules 41, LR trained on it 58' },
  { set: 'purchase_intent', intent: 'buy_intent', seen: true, holds: (row) => row.purchase_intent === 'yes', peer: 'rules 53, reference LR 61' },
  { set: 'comparison_compsent19', intent: 'comparison', seen: true, holds: (row) => row.comparison === true, peer: 'rules 38, reference LR 65' },
  { set: 'youtube_spam', intent: 'promotional', seen: true, holds: (row) => row.spam === true, peer: 'rules 85, reference LR 95.5' },
  { set: 'churn_chat', intent: 'churn_intent', seen: false, holds: (row) => row.churn_intent === true, peer: 'rules 49, LR trained on it 71' },
]

function intentTable(score: Score): void {
  console.log('\nIntents, F1 (precision / recall) of the tag in %')
  for (const { set, intent, seen, holds, peer } of CHECKS) {
    const rows = rowsOf(set).filter((row) => !seen || isValidation(set, row))
    let both = 0
    let given = 0
    let wanted = 0
    for (const row of rows) {
      const tagged = score(subjectOf(row.text)).intents.includes(intent)
      const has = holds(row) === true
      both += Number(tagged && has)
      given += Number(tagged)
      wanted += Number(has)
    }
    console.log(
      line(
        `${set} ${intent}`,
        rows.length,
        seen,
        `${percent((2 * both) / (given + wanted || 1))} (${percent(both / (given || 1))} / ${percent(both / (wanted || 1))})`,
        peer ?? '',
      ),
    )
  }
  const bots = rowsOf('tweepfake_bot')
  const right = bots.filter((row) => score(subjectOf(row.text)).automated === row.bot).length
  if (bots.length > 0) console.log(line('tweepfake_bot accuracy, text alone', bots.length, false, percent(right / bots.length), 'bag of words 78-80'))
}

function relevanceTable(score: Score): void {
  console.log('\nRelevance: AUC, share of the relevant that pass 40, share of the others that fall below')
  const all = pairings()
  const terms = termsOf(all)
  const kept = all.filter((one) => isValidationTerm(one.term, terms))
  if (kept.length > 0)
    printRelevance(
      'relevance_reddit, terms never seen',
      false,
      kept.map((one) => ({ relevance: score(subjectOf(one.text, one.term, one.context)).relevance, relevant: one.relevant })),
      'overlap 63, reference 77.7',
    )
  const seenTerms = all.filter((one) => !isValidationTerm(one.term, terms))
  if (kept.length > 0)
    printRelevance(
      'relevance_reddit, other terms',
      false,
      seenTerms.map((one) => ({ relevance: score(subjectOf(one.text, one.term, one.context)).relevance, relevant: one.relevant })),
      '',
    )
  const others: [string, (row: Row) => { term: string; context: string | null; relevant: boolean }][] = [
    ['apple_fruit', (row) => ({ term: String(row.entity), context: String(row.context), relevant: row.relevant === true })],
    ['twitter_entity', (row) => ({ term: String(row.entity), context: null, relevant: row.label !== 'irrelevant' })],
    ['disaster_relevance', (row) => ({ term: String(row.keyword || 'disaster'), context: null, relevant: row.relevant === true })],
  ]
  for (const [set, read] of others) {
    const results = rowsOf(set).map((row) => {
      const { term, context, relevant } = read(row)
      return { relevance: score(subjectOf(row.text, term, context)).relevance, relevant }
    })
    if (results.length > 0) printRelevance(set, false, results, '')
  }
}

function printRelevance(name: string, seen: boolean, results: { relevance: number; relevant: boolean }[], peer: string): void {
  const share = (relevant: boolean, passes: (value: number) => boolean) => {
    const own = results.filter((one) => one.relevant === relevant)
    return percent(own.filter((one) => passes(one.relevance)).length / (own.length || 1))
  }
  console.log(
    line(name, results.length, seen, `${percent(auc(results))}, ${share(true, (value) => value >= 40)}, ${share(false, (value) => value < 40)}`, peer),
  )
}

function languageTable(score: Score): void {
  console.log('\nLanguage: accuracy, right among those named, share named')
  const sources: [string, Row[]][] = ['eld-tweets', 'lingua-sentences'].map((source) => [source, rowsOf('langid').filter((row) => row.source === source)])
  sources.push(['umsab without hi', rowsOf('umsab_multilingual').filter((row) => row.lang !== 'hi' && row.lang !== 'hindi')])
  for (const [name, rows] of sources) {
    const given = rows.map((row) => score(subjectOf(row.text)).language)
    const named = given.filter((language) => language !== null).length
    const right = rows.filter((row, at) => isLanguage(String(row.lang), given[at] ?? null)).length
    console.log(
      line(name, rows.length, false, `${percent(right / (rows.length || 1))}, ${percent(right / (named || 1))}, ${percent(named / (rows.length || 1))}`, ''),
    )
  }
}

function isLanguage(wanted: string, given: string | null): boolean {
  return (
    given === wanted ||
    given ===
      (new Map([
        ['english', 'en'],
        ['german', 'de'],
        ['french', 'fr'],
        ['spanish', 'es'],
        ['portuguese', 'pt'],
        ['italian', 'it'],
        ['arabic', 'ar'],
      ]).get(wanted) ?? '')
  )
}

function confidenceTable(score: Score): void {
  console.log('\nConfidence on tweeteval_sentiment: share right by how sure it was')
  const bins = Array.from({ length: 10 }, () => ({ count: 0, right: 0, sure: 0 }))
  let uncertain = 0
  for (const row of rowsOf('tweeteval_sentiment').filter((one) => isValidation('tweeteval_sentiment', one))) {
    const { sentiment, confidence } = score(subjectOf(row.text))
    const bin = bins[Math.min(9, Math.floor(confidence * 10))]!
    bin.count += 1
    bin.right += Number(sentiment === row.sentiment)
    bin.sure += confidence
    uncertain += Number(confidence < 0.4)
  }
  const all = bins.reduce((sum, bin) => sum + bin.count, 0)
  console.log(bins.map((bin, at) => `${at * 10}%: ${bin.count === 0 ? '-' : percent(bin.right / bin.count)} (${bin.count})`).join('  '))
  console.log(
    `expected calibration error ${percent(bins.reduce((sum, bin) => sum + Math.abs(bin.right - bin.sure), 0) / all)}, uncertain ${percent(uncertain / all)}`,
  )
}

/** How often each tag is given to real posts: no labels, but a tag on every second post would be worth nothing. */
function tagShares(score: Score): void {
  const posts = postsOf()
  if (posts.length === 0) return
  const counts = new Map<string, number>()
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const post of posts) {
    const subject = subjectOf(post.text)
    const { intents, sentiment, automated } = score({ ...subject, post: { ...subject.post, title: typeof post.title === 'string' ? post.title : null } })
    for (const intent of intents) add(intent)
    add(sentiment)
    if (automated) add('automated')
  }
  console.log(`\nShare of ${posts.length} unlabelled posts, in %`)
  console.log([...SENTIMENTS, ...INTENTS, 'automated'].map((key) => `${key} ${percent((counts.get(key) ?? 0) / posts.length)}`).join(', '))
}

function macro(wanted: readonly string[], given: readonly string[], labels: readonly string[]): { f1: string; recall: string } {
  const parts = labels.map((label) => {
    const both = wanted.filter((one, at) => one === label && given[at] === label).length
    const has = wanted.filter((one) => one === label).length
    const gave = given.filter((one) => one === label).length
    return { f1: (2 * both) / (has + gave || 1), recall: both / (has || 1) }
  })
  return {
    f1: percent(parts.reduce((sum, part) => sum + part.f1, 0) / labels.length),
    recall: percent(parts.reduce((sum, part) => sum + part.recall, 0) / labels.length),
  }
}

/** The chance that a relevant post scores above another, ties counting half. */
function auc(results: { relevance: number; relevant: boolean }[]): number {
  const relevant = new Float64Array(101)
  const others = new Float64Array(101)
  for (const one of results) (one.relevant ? relevant : others)[one.relevance]! += 1
  let below = 0
  let wins = 0
  for (let score = 0; score <= 100; score += 1) {
    wins += relevant[score]! * (below + others[score]! / 2)
    below += others[score]!
  }
  return wins / (relevant.reduce((a, b) => a + b) * below || 1)
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}

function line(name: string, count: number, seen: boolean, figure: string, peer: string): string {
  return `${name.padEnd(42)} ${String(count).padStart(6)} ${seen ? 'split ' : 'unseen'}  ${figure.padEnd(22)} ${peer}`
}
