import { type Intent, RELEVANCE_THRESHOLD } from '../../domain/mention/classification.ts'
import type { Compared } from './comparing/comparing.ts'
import type { PreparedKeyword } from './keyword/keyword.ts'
import type { Standing } from './mention/standings.ts'
import type { Relevance } from './relevance/relevance.ts'
import type { Mood } from './sentiment/sentiment.ts'

export interface NoteFindings {
  keyword: PreparedKeyword
  relevance: Relevance
  /** Where the term stands, for the mention layer's verdicts; null for others. */
  standing: Standing | null
  mood: Mood
  telling: readonly string[]
  intents: readonly Intent[]
  compared: Compared
  automated: boolean
}

/** One plain sentence of at most 200 characters that names the evidence. */
export function noteOf({
  keyword,
  relevance,
  standing,
  mood,
  telling,
  intents,
  compared,
  automated,
}: NoteFindings): string {
  const parts = [
    (standing === null ? undefined : BESIDE_NOTES[standing]) ?? whereOf(relevance),
    ...aboutOf(keyword, relevance, standing),
    wordingOf(mood, telling),
    ...purposeOf(intents, compared),
    ...(automated ? ['seems written by a program'] : []),
  ]
  let note = ''
  for (const part of parts)
    if (part !== '' && note.length + part.length + 3 <= MOST_CHARACTERS) note += note === '' ? part : `; ${part}`
  return `${note.charAt(0).toUpperCase()}${note.slice(1)}.`
}

function whereOf({ places, ownLink, score }: Relevance): string {
  if (score === 100 && places.count === 0) return 'a review of the watched product'
  if (places.inTitle) return 'names the keyword in the title'
  if (places.asHandle) return "names the keyword's handle"
  if (places.asHashtag) return 'names the keyword as a hashtag'
  if (places.count > 1) return `names the keyword ${places.count} times`
  if (places.count === 1) return 'names the keyword'
  return ownLink ? "links to the keyword's address" : 'matches the keyword'
}

function aboutOf(
  keyword: PreparedKeyword,
  { score, shared, excluded, looksLikeSpam, ownLink, marks }: Relevance,
  standing: Standing | null,
): string[] {
  const about: string[] = []
  if (looksLikeSpam) about.push('reads like promotion or a list of hashtags')
  if (marks !== null) about.push(`like posts that your team marked as ${marks}`)
  if (keyword.everySense) about.push('the context asks for every post about it')
  else if (excluded !== null && isPlain(excluded)) about.push(`the context excludes '${excluded}'`)
  else if (shared !== null && isPlain(shared)) about.push(`shares '${shared}' with the context`)
  else if (standing !== null) about.push(...readingOf(score, standing))
  else if (keyword.wanted.size > 0)
    about.push(marks === null && !ownLink && !looksLikeSpam ? nearTo(score) : 'shares no word with the context')
  return about
}

function readingOf(score: number, standing: Standing): string[] {
  if (score >= 70) return ['worth reading']
  if (score >= RELEVANCE_THRESHOLD) return ['in passing']
  return standing in BESIDE_NOTES ? [] : ['seems to mean something else than the context']
}

const BESIDE_NOTES: Partial<Record<Standing, string>> = {
  heading: 'names the keyword only in a heading',
  field: 'names the keyword only in a field of a form',
  tags: 'names the keyword only in a list of tags',
  code: 'names the keyword only in code',
  comment: 'names the keyword only in a hidden comment',
  signature: 'names the keyword only in a signature',
  link: 'names the keyword only in a link',
}

/** Without a shared word or other evidence, the relevance measures how near the post's words are to the context's. */
function nearTo(score: number): string {
  if (score >= 70) return 'is about what the context is about'
  return score < 40 ? 'is about something else than the context' : 'shares no word with the context'
}

function wordingOf({ sentiment, probability, stars }: Mood, telling: readonly string[]): string {
  if (stars !== null) return `the review gives ${stars} of 5 stars`
  if (sentiment === 'neutral') return 'wording is neutral'
  const words = telling.filter((word) => isPlain(word.replace(/^not /, ''))).map((word) => `'${word}'`)
  const strength = probability >= 0.8 ? 'strongly ' : ''
  const weakness = probability < 0.5 ? 'mildly ' : ''
  return `wording is ${strength}${weakness}${sentiment}${words.length > 0 ? ` (${words.join(', ')})` : ''}`
}

function purposeOf(intents: readonly Intent[], compared: Compared): string[] {
  const named = (intent: Intent) => (intent === 'comparison' ? COMPARISONS[compared] : (PURPOSES.get(intent) ?? []))
  const purposes = intents.flatMap(named).slice(0, 2)
  return purposes.length > 0 ? [purposes.join(' and ')] : []
}

/** Only short words of letters and digits are quoted, so that no post can shape the note. */
function isPlain(word: string): boolean {
  return word.length <= 24 && /^[\p{L}\p{N}]+$/u.test(word)
}

const MOST_CHARACTERS = 200
const COMPARISONS: Readonly<Record<Compared, string>> = {
  none: 'compares products',
  better: 'finds the keyword better than something else',
  worse: 'finds something else better than the keyword',
}
const PURPOSES: ReadonlyMap<Intent, string> = new Map([
  ['bug_report', 'reports a fault'],
  ['buy_intent', 'considers buying'],
  ['churn_intent', 'speaks of leaving'],
  ['event', 'is about an event'],
  ['feedback', 'asks for a change'],
  ['hiring', 'offers a job'],
  ['industry_insight', 'comments on the market'],
  ['launch', 'announces something new'],
  ['pricing', 'speaks of the price'],
  ['promotional', 'advertises'],
  ['question', 'asks a question'],
  ['testimonial', 'tells of own use'],
])
