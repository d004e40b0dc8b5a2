import type { Author } from '../../domain/post/post.ts'
import { holdsPhrase, phraseSet } from './cues.ts'
import type { Reading } from './reading.ts'

/** True when a program seems to have written the post: the platform says so, or several small signs agree. */
export function seemsAutomated(reading: Reading, author: Author | null): boolean {
  if (author?.automated === true) return true
  return signsOfName(author) + signsOfText(reading) >= ENOUGH
}

function signsOfName(author: Author | null): number {
  const handle = author?.handle?.slice(0, 80) ?? ''
  const name = author?.name?.slice(0, 80) ?? ''
  if (handle.endsWith('[bot]')) return 1
  if (BOT_NAME.test(handle) || BOT_NAME.test(name)) return 0.8
  return FEED_NAME.test(handle) ? 0.4 : 0
}

function signsOfText({ tokens, counts }: Reading): number {
  let signs = holdsPhrase(tokens, TEMPLATES) ? 0.8 : 0
  if (counts.hashtags >= 5 && counts.hashtags * 3 >= counts.words) signs += 0.5
  if (counts.hashtags >= 10) signs += 0.3
  if (counts.addresses >= 1 && counts.words <= 4 * counts.addresses && counts.handles + counts.hashtags >= 2) signs += 0.3
  if (counts.numbers >= 6 && counts.numbers * 2 >= counts.words) signs += 0.4
  return signs
}

const ENOUGH = 0.75
/** "bot" as a part of its own: `news_bot`, `NewsBot`, `bot-7`; not `abbott` or `talbot`. */
const BOT_NAME = /(?:^|[^a-z])bot(?:[^a-z]|$)|[a-z]B(?:ot|OT)(?![a-z])/
const FEED_NAME = /(?:rss|feed|alerts|headlines|autopost)\d*$/i
const TEMPLATES = phraseSet([
  'i am a bot',
  "i'm a bot",
  'beep boop',
  'performed automatically',
  'posted automatically',
  'automatically posted',
  'this is an automated',
  'via ifttt',
  'nowplaying',
  'i liked a',
  'new followers and',
  'unfollowers',
  'my week on twitter',
  'daily stats',
  'automatic update',
  'bumps',
])
