import type { Filter, FilterParam } from '../app/filter/filter-params.ts'
import { INTENTS } from '../app/post/intent-list.ts'
import { words as postWords } from '../app/post/words.ts'
import type { Dimension } from './report-query.ts'

/** Stands for all values without a row of their own. A key of null stands for an unknown value. */
export const OTHER = Symbol('other')

interface Lists {
  wanted: FilterParam
  unwanted: FilterParam
  /** Entries that a list of the API holds at most. */
  most: number
  /** All values, where mentions without a value are those with none of them. */
  all: readonly string[] | null
}

const SENTIMENTS = Object.keys(postWords.sentiments)

const LISTS: Readonly<Record<Dimension, Lists>> = {
  keyword: { wanted: 'keywordIds', unwanted: 'notKeywordIds', most: 50, all: null },
  group: { wanted: 'groupIds', unwanted: 'notGroupIds', most: 50, all: null },
  platform: { wanted: 'platforms', unwanted: 'notPlatforms', most: 20, all: null },
  sentiment: { wanted: 'sentiments', unwanted: 'notSentiments', most: 3, all: SENTIMENTS },
  intent: { wanted: 'intents', unwanted: 'notIntents', most: 20, all: INTENTS },
  language: { wanted: 'languages', unwanted: 'notLanguages', most: 20, all: null },
}

export interface Narrowing {
  by: Dimension
  filter: Filter
  /** Keys that have a row or series of their own. */
  keys: readonly (string | null)[]
  /** Whether every value has one. */
  isComplete: boolean
}

/** The filter of exactly the mentions of one value; null where no filter of the API says so. */
export function narrowed(narrowing: Narrowing, key: string | null | typeof OTHER): Filter | null {
  if (key === OTHER) return withoutKeys(narrowing)
  return key === null ? unknownOnly(narrowing) : only(narrowing, key)
}

function only({ by, filter }: Narrowing, key: string): Filter | null {
  const { wanted } = LISTS[by]
  const present = filter[wanted] as readonly string[] | undefined
  // A mention with several intents may match the filter by another one, and lists of intents mean any of them.
  if (by === 'intent' && present !== undefined && !present.includes(key)) return null
  if (by === 'language' && !/^[a-z]{2}$/i.test(key)) return null
  return { ...filter, [wanted]: [key] }
}

function unknownOnly({ by, filter, keys, isComplete }: Narrowing): Filter | null {
  const { wanted, all } = LISTS[by]
  if (filter[wanted] !== undefined) return null
  if (all !== null) return excluding(by, filter, all)
  return isComplete && by === 'language' ? excluding(by, filter, known(keys)) : null
}

/** Unknown values are among the others unless they have a row. */
function withoutKeys({ by, filter, keys }: Narrowing): Filter | null {
  if (by === 'intent' || keys.includes(null)) return null
  return excluding(by, filter, known(keys))
}

function excluding(by: Dimension, filter: Filter, keys: readonly string[]): Filter | null {
  const { unwanted, most } = LISTS[by]
  const list = [...new Set([...((filter[unwanted] as readonly string[] | undefined) ?? []), ...keys])]
  return list.length > most ? null : { ...filter, [unwanted]: list }
}

function known(keys: readonly (string | null)[]): string[] {
  return keys.filter((key) => key !== null)
}
