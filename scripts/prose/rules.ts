import { readFileSync } from 'node:fs'
import type { Text } from './texts.ts'

export interface Finding {
  place: string
  file: string
  rule: 'sentence length' | 'word' | 'noun'
  message: string
}

/** Words of a sentence at most; more in decisions, which give reasons, and in cells of tables, which list things. */
const WORDS = 25
const MORE_WORDS = 40

/** Words that leave the reader guessing, with what to write instead. */
const BANNED: Readonly<Record<string, string>> = {
  anew: 'again',
  beside: 'next to, or besides',
  nought: 'zero, or nothing',
  simply: 'leave it out',
  thereof: 'name it',
  whoever: 'a person who, or the role',
  whichever: 'name the choice',
  'in vain': 'failed',
}

/** Former words of the glossary that ordinary sentences need in another meaning. */
const ORDINARY = new Set([
  'facet',
  'stretch',
  'answers',
  'era',
  'held',
  'kept',
  'look',
  'memory',
  'pace',
  'part',
  'portion',
  'ring',
  'room',
  'turns',
])

const FORMER = formerWords(readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8'))
const FORBIDDEN = new Map([...FORMER, ...Object.entries(BANNED)])

/** A sentence whose subject is a clause, in which the reader has to find the noun. */
const RIDDLE = new RegExp(
  String.raw`^(?:what|that which|who|whose|all that)\s(?!if\b)[^?]*\s(?:is|are|was|were|has|have|goes|go|comes|come|` +
    String.raw`gets|stays|counts|holds|ends|does|can|may|will|must)\b[^?]*[.:;]$`,
  'i',
)

/** The third column of the table of the machinery, each word with the one that replaces it. */
export function formerWords(glossary: string): [former: string, now: string][] {
  return [...glossary.matchAll(/^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)]
    .filter(([, now = '']) => now !== 'Word' && !now.startsWith('---'))
    .flatMap(([, now = '', words = '']) => words.split(', ').map((word) => [word.trim(), now] as [string, string]))
    .filter(([word]) => word !== '' && !ORDINARY.has(word))
}

export function findingsIn(texts: readonly Text[]): Finding[] {
  return texts.flatMap((text) => sentencesOf(text.text).flatMap((sentence) => judge(text, sentence)))
}

function judge({ place, file }: Text, sentence: string): Finding[] {
  const findings: Finding[] = []
  const report = (rule: Finding['rule'], message: string) => findings.push({ place, file, rule, message })
  const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
  const isSentence = /[.!?:;]["”)]*$/.test(sentence)
  const limit = file.startsWith('docs/decisions/') || !isSentence ? MORE_WORDS : WORDS
  if (words > limit) report('sentence length', `${words} words, at most ${limit}: "${sentence}"`)
  for (const [word, instead] of FORBIDDEN)
    if (new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'i').test(sentence))
      report('word', `"${word}" (write: ${instead}): "${sentence}"`)
  if (RIDDLE.test(sentence)) report('noun', `begin with the noun: "${sentence}"`)
  return findings
}

/** Sentences of a text; an abbreviation with a dot ends none. */
export function sentencesOf(text: string): string[] {
  return text
    .replace(/\b(e\.g|i\.e|etc|vs|approx)\./g, '$1')
    .split(/(?<=[.!?:]["”)]?)\s+(?=["“(`]*[\p{Lu}`\d])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}
