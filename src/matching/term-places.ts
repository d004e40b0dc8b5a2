import { GAP } from './character-classes.ts'
import { FOLDED, PLAIN } from './characters.ts'
import { Normaliser } from './normaliser.ts'
import { fromFirstCharacter, lengthOf, type MatchPhrase, PhraseReader, standsAt } from './phrase.ts'
import { ANCHOR, ANCHOR_SHIFT, CASED, MIXED_GAP, SYMBOLS } from './phrase-flags.ts'
import { SearchedText } from './prepared-text.ts'
import { multiplierOf, TextScan } from './text-scan.ts'

/** UTF-16 offsets of whole characters; `to` is excluded. */
export interface TermPlace {
  from: number
  to: number
}

/** No stranger adds terms here, so hashes need no secret. */
const MULTIPLIER = multiplierOf(1)
const FOLDING = new Normaliser('folded')
const COMPOSING = new Normaliser('composed')
const SPACE = 0x20
const HYPHEN = 0x2d
const FIRST = 1

/** A text in a form of the engine, with the place in the text that each unit of the form comes from. */
interface TracedForm {
  scan: TextScan
  froms: readonly number[]
  tos: readonly number[]
}

/**
 * Where the term stands by the rules of a matcher, in order and without overlaps. The slice of a place, matched alone,
 * holds the term.
 */
export function findTerm(
  text: string,
  term: string,
  { caseSensitive, most }: { caseSensitive: boolean; most: number },
): TermPlace[] {
  const phrase = new PhraseReader(MULTIPLIER).term(term, caseSensitive)
  if (phrase === null) return []
  const searched = new SearchedText(MULTIPLIER)
  const folded = traced(text, FOLDING, searched.scan)
  const cased = (phrase.packed & CASED) !== 0
  const form = cased ? traced(text, COMPOSING, new TextScan(MULTIPLIER)) : folded
  const found: TermPlace[] = []
  let end = 0
  for (const at of startsOf(phrase, searched, form.scan)) {
    // Before the comparison, whose time for hyphens and spaces grows with the length of the gap.
    if (at < end || !stands(form.scan, at, phrase)) continue
    const stretch = stretchAt(form.scan, at, phrase)
    const [from, to] = [form.froms[stretch.from - FIRST]!, form.tos[stretch.to - FIRST - 1]!]
    end = stretch.to
    if (from < (found.at(-1)?.to ?? 0)) continue
    found.push({ from, to })
    if (found.length === most) break
  }
  return found
}

function traced(text: string, normaliser: Normaliser, scan: TextScan): TracedForm {
  const source = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  const { froms, tos } = normaliser.trace(source)
  scan.addFolded(Buffer.from(normaliser.units.buffer, 0, 2 * normaliser.length).toString('utf16le'))
  return { scan, froms, tos }
}

/** Where the term may stand, found in the way of `holdsPhrase`. */
function* startsOf(phrase: MatchPhrase, searched: SearchedText, exact: TextScan): Generator<number> {
  if ((phrase.packed & SYMBOLS) !== 0) {
    const unit = phrase.units[phrase.offset]!
    for (let at = FIRST; at < exact.end; at += 1) if ((FOLDED[exact.units[at]!]! & 0xffff) === unit) yield at
    return
  }
  const first = phrase.path[0]!
  for (let token = searched.places.first(first); token >= 0; token = searched.places.next(token, first))
    yield exact.starts[token]!
}

function stands({ units }: TextScan, at: number, { packed, units: pool, offset }: MatchPhrase): boolean {
  if ((packed & SYMBOLS) !== 0) return standsAt(units, FOLDED, at, pool, offset, fromFirstCharacter(packed))
  return standsAt(units, (packed & CASED) === 0 ? FOLDED : PLAIN, at, pool, offset, packed)
}

/** The units of the scan that the phrase covers from a start where it stands. */
function stretchAt({ units }: TextScan, at: number, { packed, units: pool, offset }: MatchPhrase): TermPlace {
  const anchor = (packed & SYMBOLS) === 0 ? (packed & ANCHOR) >>> ANCHOR_SHIFT : 0
  const pattern = pool.subarray(offset, offset + lengthOf(packed))
  const isMixed = (packed & MIXED_GAP) !== 0
  let to = at + unitsOver(pattern.subarray(anchor), (step) => units[at + step]!, isMixed)
  let from = at - unitsOver(pattern.slice(0, anchor).reverse(), (step) => units[at - 1 - step]!, isMixed)
  while (units[from] === SPACE) from += 1
  while (units[to - 1] === SPACE) to -= 1
  return { from, to }
}

/** How many units of the text the pattern covers; a gap in the pattern covers the whole gap of the text. */
function unitsOver(pattern: Uint16Array, unitAt: (step: number) => number, isMixed: boolean): number {
  const isGap = (unit: number) => unit === SPACE || (isMixed && unit === HYPHEN)
  let steps = 0
  for (let next = 0; next < pattern.length; next += 1) {
    if (!isGap(pattern[next]!)) steps += 1
    else if (next === 0 || !isGap(pattern[next - 1]!)) while ((FOLDED[unitAt(steps)]! & GAP) !== 0) steps += 1
  }
  return steps
}
