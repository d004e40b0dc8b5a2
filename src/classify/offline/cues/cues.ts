import { INTENTS } from '../../../domain/mention/classification.ts'
import { readWeightedList } from '../../../kernel/word-list.ts'
import { hashOfWord, KIND, type Tokens } from '../text/tokens.ts'

/** A weight of 3 decides alone; 1 needs other cues. */
interface Cue {
  rest: readonly number[]
  intent: number
  weight: number
}

/** Sums weights by intent, 0 to 4, in the order of INTENTS. */
export function addCues(tokens: Tokens, into: Float64Array): void {
  into.fill(0, 0, INTENTS.length)
  for (let at = 0; at < tokens.count; at += 1) {
    if (tokens.kind[at] !== KIND.word && tokens.kind[at] !== KIND.hashtag) continue
    const cues = CUES.get(tokens.hash[at]!)
    if (cues === undefined) continue
    for (const cue of cues)
      if (follows(tokens, at + 1, cue.rest)) into[cue.intent] = Math.min(MOST, into[cue.intent]! + cue.weight)
  }
}

export function holdsPhrase(tokens: Tokens, phrases: PhraseSet): boolean {
  for (let at = 0; at < tokens.count; at += 1) {
    const rests = phrases.get(tokens.hash[at]!)
    if (rests?.some((rest) => follows(tokens, at + 1, rest))) return true
  }
  return false
}

/** Remaining words by the hash of the first. */
export type PhraseSet = ReadonlyMap<number, readonly (readonly number[])[]>

export function phraseSet(phrases: readonly string[]): PhraseSet {
  const set = new Map<number, (readonly number[])[]>()
  for (const phrase of phrases) {
    const [first, ...rest] = phrase.split(' ').map(hashOfWord)
    set.set(first!, [...(set.get(first!) ?? []), rest])
  }
  return set
}

function follows(tokens: Tokens, from: number, rest: readonly number[]): boolean {
  if (from + rest.length > tokens.count) return false
  for (let at = 0; at < rest.length; at += 1) if (tokens.hash[from + at] !== rest[at]) return false
  return true
}

const MOST = 4

const CUES: ReadonlyMap<number, readonly Cue[]> = cueTable()

function cueTable(): Map<number, Cue[]> {
  const table = new Map<number, Cue[]>()
  for (const [intent, name] of INTENTS.entries()) {
    for (const { weight, entry } of readWeightedList(`classify/offline/cues/intents/${name}`)) {
      const [first, ...rest] = entry.split(' ').map(hashOfWord)
      table.set(first!, [...(table.get(first!) ?? []), { rest, intent, weight }])
    }
  }
  return table
}
