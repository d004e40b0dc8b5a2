import type { Subject } from '../../contract.ts'
import { extractFeatures, type Features, newFeatures } from './features.ts'
import { hasStem, stemHash } from './terms.ts'
import { KIND, newTokens, type Tokens, tokenise } from './tokens.ts'

/** One post as the heads see it. The arrays are reused: a reading is valid until the next one. */
export interface TextReading {
  tokens: Tokens
  features: Features
  /** The stem hash of each word, hashtag or unspaced run; other entries are stale. */
  stem: Int32Array
  /** In code units of `tokens.text`. */
  titleEnd: number
  counts: Counts
}

export interface Counts {
  words: number
  hashtags: number
  handles: number
  addresses: number
  numbers: number
  questions: number
  exclamations: number
}

export function newReading(): TextReading {
  const tokens = newTokens()
  return {
    tokens,
    features: newFeatures(tokens),
    stem: new Int32Array(tokens.hash.length),
    titleEnd: 0,
    counts: noCounts(),
  }
}

export function read(post: Subject['post'], into: TextReading): void {
  const title = post.title ?? post.review?.title ?? ''
  into.titleEnd = title.length
  tokenise(title === '' ? post.text : `${title}\n${post.text}`, into.tokens)
  extractFeatures(into.tokens, into.features)
  for (let at = 0; at < into.tokens.count; at += 1)
    if (hasStem(into.tokens, at))
      into.stem[at] = stemHash(into.tokens.text, into.tokens.start[at]!, into.tokens.end[at]!)
  into.counts = count(into.tokens)
}

export function readPlain(text: string, into: TextReading): void {
  read({ platform: 'x', title: null, text, links: [], languageHint: null, author: null, review: null }, into)
}

function count(tokens: Tokens): Counts {
  const counts = noCounts()
  for (let at = 0; at < tokens.count; at += 1) {
    const kind = tokens.kind[at]
    if (kind === KIND.word || kind === KIND.unspaced || kind === KIND.code) counts.words += 1
    else if (kind === KIND.hashtag) counts.hashtags += 1
    else if (kind === KIND.handle) counts.handles += 1
    else if (kind === KIND.address) counts.addresses += 1
    else if (kind === KIND.number) counts.numbers += 1
    else if (kind === KIND.question) counts.questions += 1
    else if (kind === KIND.exclamation) counts.exclamations += 1
  }
  return counts
}

function noCounts(): Counts {
  return { words: 0, hashtags: 0, handles: 0, addresses: 0, numbers: 0, questions: 0, exclamations: 0 }
}
