import type { Filter, FilterParam } from './filter-params.ts'

/** Names of the filter line, and the parameters that they set. */
const LISTS: Readonly<Record<string, readonly [wanted: FilterParam, unwanted: FilterParam | null]>> = {
  platform: ['platforms', 'notPlatforms'],
  intent: ['intents', 'notIntents'],
  sentiment: ['sentiments', 'notSentiments'],
  language: ['languages', 'notLanguages'],
  tag: ['tags', 'notTags'],
  link: ['linkHosts', 'notLinkHosts'],
  kind: ['keywordKinds', null],
  status: ['status', null],
}

const RANGES: Readonly<Record<string, readonly [low: FilterParam, high: FilterParam | null]>> = {
  relevance: ['minRelevance', 'maxRelevance'],
  followers: ['minFollowers', 'maxFollowers'],
  likes: ['minLikes', null],
  replies: ['minReplies', null],
  views: ['minViews', null],
  reposts: ['minReposts', null],
}

const FLAGS: Readonly<Record<string, Filter>> = {
  relevant: { relevant: true },
  delivered: { delivered: true },
  unassigned: { unassigned: true },
  automated: { automated: true },
  failed: { failed: true },
  reply: { isReply: true },
  snoozed: { snoozed: true },
  muted: { includeMuted: true },
}

/** A value after a name and a colon may stand in quotes. */
const PART = /(-?)([a-z]+):("[^"]*"|\S+)|"[^"]*"|\S+/giu

/**
 * Reads a line such as `platform:reddit -intent:hiring followers:>1000 "exact words"` on top of a filter. What is no
 * known name becomes words of the text.
 */
export function readFilterLine(line: string, before: Filter): Filter {
  const words: string[] = []
  let filter: Filter = before
  for (const [part, minus = '', name, value] of line.matchAll(PART)) {
    const change = name === undefined ? null : changeFor(filter, name.toLowerCase(), unquoted(value!), minus === '-')
    if (change === null) words.push(part)
    else filter = { ...filter, ...change }
  }
  if (words.length === 0) return filter
  return { ...filter, q: [filter.q, ...words].filter(Boolean).join(' ') }
}

function changeFor(filter: Filter, name: string, value: string, isUnwanted: boolean): Filter | null {
  if (name === 'is') return FLAGS[value] === undefined ? null : signed(FLAGS[value], !isUnwanted)
  if (name === 'rating') return { [isUnwanted ? 'notRatings' : 'ratings']: ratingsIn(value) }
  const list = LISTS[name]
  if (list !== undefined) {
    const param = isUnwanted ? list[1] : list[0]
    return param === null ? null : { [param]: merged(filter[param], value.split(',')) }
  }
  const range = RANGES[name]
  return range === undefined ? null : rangeIn(range, value)
}

function signed(flag: Filter, on: boolean): Filter {
  return Object.fromEntries(Object.keys(flag).map((name) => [name, on]))
}

function merged(present: unknown, added: readonly string[]): string[] {
  const words = Array.isArray(present) ? (present as string[]) : []
  return [...new Set([...words, ...added.filter((word) => word !== '')])]
}

function ratingsIn(value: string): number[] {
  const [low, high] = value.split('..').map(Number)
  const from = low ?? 1
  const to = high ?? from
  return Array.from({ length: Math.max(0, Math.min(to, 5) - from + 1) }, (_, at) => from + at)
}

/** `>100`, `<100`, `10..100`, or a number, which is the least. */
function rangeIn([low, high]: readonly [FilterParam, FilterParam | null], value: string): Filter | null {
  const parts = /^(?:(\d+)\.\.(\d+)|(<)?>?=?(\d+))$/.exec(value)
  if (parts === null) return null
  const [, from, to, below, single] = parts
  if (from !== undefined) return { [low]: Number(from), ...(high === null ? {} : { [high]: Number(to) }) }
  if (below === undefined) return { [low]: Number(single) }
  return high === null ? null : { [high]: Number(single) }
}

function unquoted(text: string): string {
  return text.replaceAll('"', '')
}
