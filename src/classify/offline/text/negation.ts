import { hashesOf, hashOfWord, KIND, lowerOf, type Tokens } from './tokens.ts'
import { hashesOfList, wordsOfList } from './word-list.ts'

/** In the larger European languages. */
export function negates(tokens: Tokens, at: number): boolean {
  const end = tokens.end[at]!
  if (
    end - tokens.start[at]! > 3 &&
    lowerOf(tokens.text.charCodeAt(end - 1)) === 116 &&
    isApostrophe(tokens.text.charCodeAt(end - 2))
  )
    return true
  return NEGATIONS.has(tokens.hash[at]!)
}

function isApostrophe(code: number): boolean {
  return code === 39 || code === 0x2019
}

/** The negation of the word of blame, or -1: "not bad". */
export function negatedBy(tokens: Tokens, at: number): number {
  if (!BLAME.has(tokens.hash[at]!)) return -1
  for (let before = at - 1; before >= 0 && at - before <= 1 + MOST_BETWEEN; before -= 1) {
    if (tokens.kind[before] !== KIND.word) return -1
    if (negates(tokens, before)) return takesBack(tokens, before, at) ? before : -1
    if (!BETWEEN.has(tokens.hash[before]!)) return -1
  }
  return -1
}

function takesBack({ hash }: Tokens, negation: number, at: number): boolean {
  // "Mal" is bad in Spanish and French, but "nicht mal" is "not even".
  if (hash[at] === MAL && GERMAN.has(hash[negation]!)) return false
  // "Never mind" reverses nothing; "I don't mind" does.
  if (hash[at] === MIND && CLOSE.has(hash[negation]!)) return false
  // "Never been so bad" is blame.
  return at - negation === 1 || !CLOSE.has(hash[negation]!)
}

const MOST_BETWEEN = 2
const MAL = hashOfWord('mal')
const MIND = hashOfWord('mind')
const GERMAN = hashesOf('nicht kein keine keinen keiner nie niemals ohne')
const NEGATIONS = hashesOfList('text/words/negations')
/** opinion-seeds.ts trains with the same list. */
export const BLAMING = {
  qualities: wordsOfList('text/words/blame-by-quality'),
  ofPersons: ['hate', 'dislike', 'regret', 'mind'],
  ofThings: ['suck', 'fail', 'disappoint', 'crash'],
  third: ['sucks', 'fails', 'disappoints', 'crashes'],
  /** "No joke" is meant in earnest and not listed. */
  things: wordsOfList('text/words/blame-by-thing'),
  german: ['schlecht', 'übel', 'schlimm'],
  french: ['mal', 'mauvais', 'mauvaise'],
  spanish: ['mal', 'malo', 'mala'],
  others: wordsOfList('text/words/other-blame'),
} as const
const BLAME = new Set(Object.values(BLAMING).flat().map(hashOfWord))
const BETWEEN = hashesOfList('text/words/between-negation-and-blame')
const CLOSE = hashesOf('never no without nothing none nobody hardly barely nie jamais nunca mai')
