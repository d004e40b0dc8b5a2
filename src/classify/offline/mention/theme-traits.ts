import { hashesOf, KIND, type Tokens } from '../text/tokens.ts'
import type { Findings } from './findings.ts'
import { bestOccurrence } from './occurrences.ts'
import type { Occurrence } from './standings.ts'
import { THEMES, type ThemeBits } from './themes.ts'

const PARTS = ['text', 'often', 'sentence', 'before', 'behind', 'title'] as const

/** What the whole post, the sentence of the term, the words at the term and the title speak of. */
export const THEME_TRAITS = THEMES.flatMap((theme) => PARTS.map((part) => `${theme} ${part}`))

export function writeThemes(findings: Findings, into: Float64Array): void {
  const { reading, occurrences, themes } = findings
  const title = countThemes(reading, themes)
  const best = bestOccurrence(occurrences)
  const sentence =
    best === null ? 0 : themesIn(themes, best.from, best.first) | themesIn(themes, best.last + 1, best.to + 1)
  let before = 0
  let behind = 0
  for (const { first, last } of occurrences) {
    before |= themesIn(themes, Math.max(0, first - NEAR), first)
    behind |= themesIn(themes, last + 1, Math.min(reading.tokens.count, last + 1 + NEAR))
  }
  for (let theme = 0; theme < THEMES.length; theme += 1) {
    const at = theme * PARTS.length
    const bit = 1 << theme
    into[at] = Number(COUNTS[theme]! > 0)
    into[at + 1] = Math.log1p(COUNTS[theme]!) / 2
    for (const [part, bits] of [sentence, before, behind, title].entries())
      into[at + 2 + part] = Number((bits & bit) !== 0)
  }
}

/** Counts each theme in COUNTS, and returns the themes of the title. */
function countThemes({ tokens, titleEnd }: Findings['reading'], themes: ThemeBits): number {
  const count = Math.min(tokens.count, MOST_TOKENS)
  let title = 0
  COUNTS.fill(0)
  for (let at = 0; at < count; at += 1) {
    let bits = themes[at]!
    if (bits !== 0 && tokens.end[at]! <= titleEnd) title |= bits
    for (; bits !== 0; bits &= bits - 1) COUNTS[31 - Math.clz32(bits & -bits)]! += 1
  }
  return title
}

function themesIn(themes: ThemeBits, from: number, to: number): number {
  let bits = 0
  for (let at = from; at < to; at += 1) bits |= themes[at]!
  return bits
}

/** Kinds of words at the term. A change of the order needs a new training. */
const CLASSES = [
  ['place', 'on in at inside within across onto under'],
  ['means', 'with using via through by from for of'],
  ['joining', 'and or nor plus & , /'],
  ['likening', 'like as than vs versus unlike over'],
  ['article', 'a an the this that these those any some another every'],
  ['owning', 'my your our their his her its'],
  ['being', "is was are were be been isn't wasn't aren't"],
  ['doing', 'has have had does did can could will would should may might must needs gets got makes made'],
  ['doing-not', "doesn't didn't can't won't cannot not never hasn't haven't don't"],
  ['to', 'to into towards toward'],
  ['about', 'about regarding re why how what when where'],
  ['thanking', 'thanks thank hey hi dear hello'],
] as const
const SIGNS = ['edge', 'comma', 'number', 'address', 'symbol', 'capital', 'small', 'handle', 'hashtag'] as const

/** What stands directly before and behind the term, over all its occurrences. */
export const NEIGHBOUR_TRAITS = ['before', 'behind'].flatMap((side) =>
  [...CLASSES.map(([name]) => name), ...SIGNS, 'owned'].map((name) => `${side} ${name}`),
)

export function writeNeighbours({ reading: { tokens }, occurrences }: Findings, into: Float64Array): void {
  const half = NEIGHBOUR_TRAITS.length / 2
  for (const occurrence of occurrences) {
    writeNeighbour(tokens, occurrence.first - 1, occurrence.from, into.subarray(0, half))
    writeNeighbour(tokens, occurrence.last + 1, -1, into.subarray(half))
    if (isOwner(tokens, occurrence)) into[2 * half - 1] = 1
  }
}

function writeNeighbour(tokens: Tokens, at: number, from: number, into: Float64Array): void {
  const kind = tokens.kind[at]
  if (at < Math.max(0, from) || at >= tokens.count || kind === KIND.stop) into[CLASSES.length] = 1
  else if (kind === KIND.comma) into[CLASSES.length + 1] = 1
  else if (kind === KIND.number) into[CLASSES.length + 2] = 1
  else if (kind === KIND.address) into[CLASSES.length + 3] = 1
  else if (kind === KIND.handle) into[CLASSES.length + 7] = 1
  else if (kind === KIND.hashtag) into[CLASSES.length + 8] = 1
  else if (kind !== KIND.word) into[CLASSES.length + 4] = 1
  else {
    const known = CLASS_OF.get(tokens.hash[at]!)
    const code = tokens.text.charCodeAt(tokens.start[at]!)
    into[known ?? CLASSES.length + (code >= 65 && code <= 90 ? 5 : 6)] = 1
  }
}

function isOwner({ text }: Tokens, { end }: Occurrence): boolean {
  const sign = text.charCodeAt(end)
  return (sign === 39 || sign === 0x2019) && (text.charCodeAt(end + 1) | 32) === 115
}

const CLASS_OF: ReadonlyMap<number, number> = new Map(
  CLASSES.flatMap(([, words], at) => [...hashesOf(words)].map((hash) => [hash, at] as const)),
)
const COUNTS = new Float64Array(32)
/** In tokens on each side of the term. */
const NEAR = 4
/** As for words: longer posts say in their beginning what they are about. */
const MOST_TOKENS = 500
