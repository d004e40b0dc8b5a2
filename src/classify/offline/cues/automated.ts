import type { Author } from '../../../domain/post/post.ts'
import type { TextReading } from '../text/reading.ts'
import { wordsOfList } from '../text/word-list.ts'
import { holdsPhrase, phraseSet } from './cues.ts'

/** Hashtags are not counted, because newcomers to a platform write many. */
export function seemsAutomated(reading: TextReading, author: Author | null): boolean {
  if (author?.automated === true) return true
  return signsOfName(author) + signsOfText(reading) >= ENOUGH
}

function signsOfName(author: Author | null): number {
  const handle = author?.handle?.slice(0, 80) ?? ''
  const name = author?.name?.slice(0, 80) ?? ''
  if (handle.endsWith('[bot]')) return 1
  if (BOT_NAME.test(handle) || BOT_NAME.test(name)) return 0.8
  return FEED_NAME.test(handle) || FEED_NAME.test(name) ? 0.4 : 0
}

function signsOfText(reading: TextReading): number {
  const { tokens, counts } = reading
  let signs = holdsPhrase(tokens, TEMPLATES) ? 0.8 : 0
  if (opensLikeReport(reading)) signs += 0.8
  // Prices, scores and measurements.
  if (counts.numbers >= 6 && counts.numbers * 2 >= counts.words) signs += 0.4
  if (counts.numbers >= 4 && holdsPhrase(tokens, TICKERS)) signs += 0.5
  // A bare headline and its address.
  if (counts.addresses >= 1 && counts.questions + counts.exclamations + counts.handles === 0 && counts.words <= 20)
    signs += 0.2
  return signs
}

/** "Bump x from 1.0 to 1.1", "Release v2.3.1", "Build #512 failed". */
function opensLikeReport({ tokens }: TextReading): boolean {
  const beginning = tokens.text.slice(0, 160)
  return REPORTS.test(beginning) && /\d/.test(beginning)
}

const ENOUGH = 0.75
/** Matches `news_bot`, `NewsBot` and `bot-7`, not `abbott` or `talbot`. */
const BOT_NAME = /(?:^|[^a-z])bot(?:[^a-z]|$)|[a-z]B(?:ot|OT)(?![a-z])/
const FEED_NAME = /(?:rss|feed|alerts|headlines|autopost|releases|changelog)\d*$/i
const REPORT_OPENINGS = [
  /bumps? \S{1,60} (?:and \S{1,60} )?from/,
  /(?:chore|build|fix)\(deps(?:-dev)?\)/,
  /update dependency/,
  /update \S{1,60} to v?\d/,
  /\[?snyk\]?/,
  /release v?\d/,
  /new release/,
  /version bump/,
  /build #?\d+ (?:failed|passed|succeeded)/,
  /coverage (?:increased|decreased|remained)/,
  /price alert/,
  /\[?automated\]?[ :]/,
  /daily (?:report|digest|summary)[ :]/,
]
const REPORTS = new RegExp(String.raw`^\W{0,4}(?:${REPORT_OPENINGS.map(({ source }) => source).join('|')})`, 'i')
const TEMPLATES = phraseSet(wordsOfList('cues/words/automated'))
const TICKERS = phraseSet(wordsOfList('cues/words/tickers'))
