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
  if (a.every((entry) => b.includes(entry))) return a
  if (b.every((entry) => a.includes(entry))) return b
  throw new Unsayable('two tags that must both be there')
}

/** Alternatives of which one must hold, as few as these rules find. */
export function merged(alternatives: readonly Alternative[]): Alternative[] {
  let left: Alternative[] = []
  let waiting = [...alternatives]
  while (waiting.length > 0) {
    const [next, ...rest] = waiting as [Alternative, ...Alternative[]]
    waiting = rest
    const partner = left.findIndex((other) => either(other, next) !== null)
    if (partner === -1) left.push(next)
    else {
      waiting.push(either(left[partner]!, next)!)
      left = left.filter((_, at) => at !== partner)
    }
  }
  return left
}

/** One alternative that says the same as both together; null where these rules find none. */
function either(a: Alternative, b: Alternative): Alternative | null {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof Alternative)[]
  const different = names.filter((name) => !same(a[name], b[name]))
  if (different.every((name) => b[name] === undefined)) return b
  if (different.every((name) => a[name] === undefined)) return a
  const [name, ...others] = different
  if (name === undefined || others.length > 0) return null
  const rest = without(a, name)
  if (name === 'isReply') return rest
  const [first, second] = [a[name], b[name]]
  if (!Array.isArray(first) || !Array.isArray(second)) return null
  if ((NOT_LISTS as readonly string[]).includes(name)) {
    const list = shared<Entry>(first, second)
    return list.length === 0 ? rest : ({ ...rest, [name]: list } as Alternative)
  }
  const list = united<Entry>(first, second)
  return list.length > most(name as keyof FilterGroup) ? null : ({ ...rest, [name]: list } as Alternative)
}

function without(alternative: Alternative, name: keyof Alternative): Alternative {
  return Object.fromEntries(Object.entries(alternative).filter(([other]) => other !== name))
}

function same(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b
  return a.length === b.length && a.every((entry) => b.includes(entry))
}

function united<Value>(a: readonly Value[], b: readonly Value[]): readonly Value[] {
  return [...new Set([...a, ...b])]
}

function shared<Value>(a: readonly Value[], b: readonly Value[]): readonly Value[] {
  return a.filter((entry) => b.includes(entry))
}
