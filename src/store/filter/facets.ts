import type { Uuid } from '../../kernel/ids.ts'
import type { Bigints } from '../columns.ts'

/** What is hashed: a word, a link's host, an author's name, or the presence of common words. */
export type FacetKind = 'word' | 'host' | 'author' | 'common'

const KIND_SEEDS: Readonly<Record<FacetKind, number>> = {
  word: 0x9e3779b1,
  host: 0x85ebca77,
  author: 0xc2b2ae3d,
  common: 0x27d4eb2f,
}

interface FacetSalt {
  readonly prefix: number
  readonly high: number
  readonly low: number
}

function facetSalt(workspaceId: Uuid, kind: FacetKind): FacetSalt {
  let high = KIND_SEEDS[kind]
  let low = ~KIND_SEEDS[kind]
  for (let at = 0; at < workspaceId.length; at += 1) {
    const unit = workspaceId.charCodeAt(at)
    high = mixHigh(high, unit)
    low = mixLow(low, unit)
  }
  return { prefix: prefixOf(workspaceId), high, low }
}

/**
 * With the workspace in front, a mention's index entries lie close together on cached pages, not on one of millions for
 * each word. The last digits of its id, because an id begins with its time.
 */
const PREFIX_DIGITS = 6

/**
 * A signed decimal text of 64 bits: 24 of the workspace, then 40 of the salted value, so that the index over all
 * workspaces finds only this one's mentions.
 */
export function facetHash(workspaceId: Uuid, kind: FacetKind, value: string): string {
  let hash = 0n
  const item = { add: (high: number, low: number) => (hash = (BigInt(high) << 32n) | BigInt(low >>> 0)) }
  addHash(item, facetSalt(workspaceId, kind), value)
  return hash.toString()
}

/**
 * 24 bits of the workspace, then 40 of the account's id, itself a hash. A migration computes the same with bit strings.
 */
export function accountFacet(workspaceId: Uuid, accountId: Uuid): string {
  let hash = 0n
  addAccountFacet({ add: (high, low) => (hash = (BigInt(high) << 32n) | BigInt(low >>> 0)) }, workspaceId, accountId)
  return hash.toString()
}

export function addAccountFacet(into: Pick<Bigints, 'add'>, workspaceId: Uuid, accountId: Uuid): void {
  const low = accountId.slice(2, 8) + accountId.slice(9, 11)
  into.add(prefixOf(workspaceId) | Number.parseInt(accountId.slice(0, 2), 16), Number.parseInt(low, 16))
}

function prefixOf(workspaceId: Uuid): number {
  return Number.parseInt(workspaceId.slice(-PREFIX_DIGITS), 16) << 8
}

/**
 * English words in at least one of eight posts. A mention has a bit for each, by position here, and one token hash for
 * all. Rarer words stay in the index: a search for unindexed words alone scans the newest mentions, which takes long
 * where they seldom meet. The positions are stored: never change one. At most 31.
 */
export const COMMON_WORDS: readonly string[] =
  'the to i a and of is for in it you s on this that my t with have not but are'.split(' ')

const COMMON_PLACES: ReadonlyMap<string, number> = new Map(COMMON_WORDS.map((word, place) => [word, place]))

export function isCommonWord(word: string): boolean {
  return COMMON_PLACES.has(word)
}

export function commonWordBits(words: readonly string[]): number {
  return words.reduce((bits, word) => bits | (1 << COMMON_PLACES.get(word)!), 0)
}

export function commonFacet(workspaceId: Uuid): string {
  return facetHash(workspaceId, 'common', '')
}

/** `words` must be unique. Returns the bits of the common words. */
export function addWords(into: Bigints, workspaceId: Uuid, words: Iterable<string>): number {
  const salt = facetSalt(workspaceId, 'word')
  let bits = 0
  for (const word of words) {
    const place = COMMON_PLACES.get(word)
    if (place === undefined) addHash(into, salt, word)
    else bits |= 1 << place
  }
  if (bits !== 0) addFacets(into, workspaceId, 'common', [''])
  return bits
}

export function addFacets(into: Bigints, workspaceId: Uuid, kind: FacetKind, values: Iterable<string>): void {
  const salt = facetSalt(workspaceId, kind)
  for (const value of values) addHash(into, salt, value)
}

function addHash(into: Pick<Bigints, 'add'>, salt: FacetSalt, value: string): void {
  let { high, low } = salt
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at)
    high = mixHigh(high, unit)
    low = mixLow(low, unit)
  }
  into.add(salt.prefix | (avalanche(high ^ (low >>> 7)) & 0xff), avalanche(low ^ Math.imul(high, 0x27d4eb2f)))
}

function mixHigh(high: number, unit: number): number {
  const mixed = Math.imul(high ^ unit, 0x85ebca6b)
  return (mixed << 13) | (mixed >>> 19)
}

function mixLow(low: number, unit: number): number {
  const mixed = Math.imul(low ^ unit, 0xc2b2ae35)
  return (mixed << 17) | (mixed >>> 15)
}

function avalanche(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return mixed ^ (mixed >>> 16)
}
