import { FILTER_FIELDS, type FilterGroup } from '../../../domain/filter/fields.ts'

/**
 * Conditions that must all hold, in the fields of our filters. Lists have no repeats; a positive list and its not-list
 * of a field with one value are never both there.
 */
export interface Alternative {
  readonly keywordIds?: readonly string[]
  readonly notKeywordIds?: readonly string[]
  readonly platforms?: readonly string[]
  readonly notPlatforms?: readonly string[]
  readonly sentiments?: readonly string[]
  readonly notSentiments?: readonly string[]
  readonly languages?: readonly string[]
  readonly notLanguages?: readonly string[]
  readonly intents?: readonly string[]
  readonly notIntents?: readonly string[]
  readonly ratings?: readonly number[]
  readonly notRatings?: readonly number[]
  readonly status?: string
  readonly isReply?: boolean
  readonly minRelevance?: number
  readonly maxRelevance?: number
  readonly minFollowers?: number
  readonly maxFollowers?: number
  readonly minLikes?: number
  /** Publication, both included, in milliseconds since 1970. No field of ours: see `Wanted`. */
  readonly from?: number
  readonly to?: number
}

/** What one alternative cannot hold. */
export class Unsayable extends Error {
  constructor(readonly what: string) {
    super(what)
    this.name = 'Unsayable'
  }
}

type Entry = string | number

/** A field with one value a mention, as list and as not-list. Unknown values pass the not-list. */
const SINGLE = [
  ['keywordIds', 'notKeywordIds'],
  ['platforms', 'notPlatforms'],
  ['sentiments', 'notSentiments'],
  ['languages', 'notLanguages'],
  ['ratings', 'notRatings'],
] as const
const NOT_LISTS = [
  'notKeywordIds',
  'notPlatforms',
  'notSentiments',
  'notLanguages',
  'notIntents',
  'notRatings',
] as const
const POSITIVE_LISTS = ['keywordIds', 'platforms', 'sentiments', 'languages', 'intents', 'ratings'] as const
const CHOICES = ['status', 'isReply'] as const
const LOWER = ['minRelevance', 'minFollowers', 'minLikes', 'from'] as const
const UPPER = ['maxRelevance', 'maxFollowers', 'to'] as const
const RANGES = [
  ['minRelevance', 'maxRelevance'],
  ['minFollowers', 'maxFollowers'],
  ['from', 'to'],
] as const

type Lists = Record<string, readonly Entry[] | undefined>
type Draft = { -readonly [Name in keyof Alternative]: Alternative[Name] }

/** What both say; null when nothing can satisfy both. */
export function both(a: Alternative, b: Alternative): Alternative | null {
  if (CHOICES.some((name) => inBoth(a, b, name) && a[name] !== b[name])) return null
  const draft: Draft = { ...a, ...b }
  const lists = draft as Lists
  const [first, second] = [a as Lists, b as Lists]
  for (const name of NOT_LISTS) if (inBoth(a, b, name)) lists[name] = united(first[name]!, second[name]!)
  for (const [name] of SINGLE) if (inBoth(a, b, name)) lists[name] = shared(first[name]!, second[name]!)
  if (a.intents !== undefined && b.intents !== undefined) draft.intents = narrower(a.intents, b.intents)
  for (const name of LOWER) if (inBoth(a, b, name)) draft[name] = Math.max(a[name]!, b[name]!)
  for (const name of UPPER) if (inBoth(a, b, name)) draft[name] = Math.min(a[name]!, b[name]!)
  return settled(draft)
}

function inBoth(a: Alternative, b: Alternative, name: keyof Alternative): boolean {
  return a[name] !== undefined && b[name] !== undefined
}

/** Takes not-lists off positive lists and finds contradictions. */
function settled(draft: Draft): Alternative | null {
  const lists = draft as Lists
  for (const [name, not] of SINGLE) {
    const [positive, negative] = [lists[name], lists[not]]
    if (positive === undefined) continue
    const left = negative === undefined ? positive : positive.filter((entry) => !negative.includes(entry))
    if (left.length === 0) return null
    lists[name] = left
    delete lists[not]
  }
  for (const [lower, upper] of RANGES)
    if (draft[lower] !== undefined && draft[upper] !== undefined && draft[lower] > draft[upper]) return null
  for (const name of [...NOT_LISTS, ...POSITIVE_LISTS])
    if ((lists[name]?.length ?? 0) > most(name)) throw new Unsayable(`more than ${most(name)} entries of ${name}`)
  return draft
}

function most(name: keyof FilterGroup): number {
  const { form } = FILTER_FIELDS[name]
  return form.form === 'list' ? form.max : Number.POSITIVE_INFINITY
}

/** Of two sets of tags that a mention must share, the smaller one where it lies in the other. */
function narrower(a: readonly string[], b: readonly string[]): readonly string[] {
  if (isWithin(a, b)) return a
  if (isWithin(b, a)) return b
  throw new Unsayable('two tags that must both be there')
}

/** How many comparisons one filter may cost: at most half a second of work. */
const COMPARISONS_MAX = 100_000

/** Counts what is spent on a filter, so that none keeps the process busy. */
export class Effort {
  private left = COMPARISONS_MAX

  spend(comparisons: number): void {
    this.left -= comparisons
    if (this.left < 0) throw new Unsayable('that many alternatives')
  }
}

/** Alternatives of which one must hold, as few as these rules find. */
export function merged(alternatives: readonly Alternative[], effort: Effort): Alternative[] {
  let left: Alternative[] = []
  const waiting = alternatives.toReversed()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    effort.spend(left.length)
    const current = next
    const place = left.findIndex((other) => differences(other, current) !== null)
    const together = place === -1 ? null : either(left[place]!, current)
    if (together === null) left.push(current)
    else {
      waiting.push(together)
      left = left.filter((_, at) => at !== place)
    }
  }
  return left
}

const NAMES = [
  ...POSITIVE_LISTS,
  ...NOT_LISTS,
  ...CHOICES,
  ...LOWER,
  ...UPPER,
] as const satisfies readonly (keyof Alternative)[]

/** The fields in which two alternatives differ, where they can become one; null otherwise. */
function differences(a: Alternative, b: Alternative): (keyof Alternative)[] | null {
  const different: (keyof Alternative)[] = []
  let [onlyA, onlyB] = [true, true]
  for (const name of NAMES) {
    if (same(a[name], b[name])) continue
    different.push(name)
    onlyA &&= b[name] === undefined
    onlyB &&= a[name] === undefined
    if (different.length > 1 && !onlyA && !onlyB) return null
  }
  if (onlyA || onlyB) return different
  return canUnite(different[0]!, a, b) ? different : null
}

function canUnite(name: keyof Alternative, a: Alternative, b: Alternative): boolean {
  if (name === 'isReply') return true
  const [first, second] = [a[name], b[name]]
  if (!Array.isArray(first) || !Array.isArray(second)) return false
  // A mention has several tags: it may lack one of each list and have the others.
  if (name === 'notIntents') return isWithin(first, second) || isWithin(second, first)
  return isNotList(name) || united<Entry>(first, second).length <= most(name as keyof FilterGroup)
}

function isNotList(name: string): boolean {
  return (NOT_LISTS as readonly string[]).includes(name)
}

/** One alternative that says the same as both together; null where these rules find none. */
function either(a: Alternative, b: Alternative): Alternative | null {
  const different = differences(a, b)
  if (different === null) return null
  if (different.every((name) => b[name] === undefined)) return b
  if (different.every((name) => a[name] === undefined)) return a
  const name = different[0]!
  const rest = without(a, name)
  if (name === 'isReply') return rest
  const [first, second] = [a[name] as readonly Entry[], b[name] as readonly Entry[]]
  const list = isNotList(name) ? shared(first, second) : united(first, second)
  return list.length === 0 ? rest : ({ ...rest, [name]: list } as Alternative)
}

function without(alternative: Alternative, name: keyof Alternative): Alternative {
  return Object.fromEntries(Object.entries(alternative).filter(([other]) => other !== name))
}

function same(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b
  return a.length === b.length && isWithin(a, b)
}

function isWithin(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.every((entry) => b.includes(entry))
}

function united<Value>(a: readonly Value[], b: readonly Value[]): readonly Value[] {
  return [...new Set([...a, ...b])]
}

function shared<Value>(a: readonly Value[], b: readonly Value[]): readonly Value[] {
  return a.filter((entry) => b.includes(entry))
}
