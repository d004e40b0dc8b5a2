import type { Uuid } from '../../kernel/ids.ts'
import type { Bigints } from '../columns.ts'

/**
 * What a facet says of a mention: a word of its text, a host of its links, a name of its author, or that common words
 * stand in it. Its account has a facet too, `accountFacet`.
 */
export type FacetKind = 'word' | 'host' | 'author' | 'common'

const KIND_SEEDS: Readonly<Record<FacetKind, number>> = {
  word: 0x9e3779b1,
  host: 0x85ebca77,
  author: 0xc2b2ae3d,
  common: 0x27d4eb2f,
}

/** The workspace's part of the hashes of one kind, worked out once for all of them: two halves of 32 bits. */
interface FacetSalt {
  /** The uppermost 24 bits of each hash, above eight of the value's own. */
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
 * Hexadecimal digits of the workspace's id that its hashes begin with: what a mention adds to the index then lies close
 * together, on pages that are in memory already, instead of on one of millions for each word. The last ones, because an
 * id begins with its time.
 */
const PREFIX_DIGITS = 6

/**
 * The 64-bit hash under which a facet stands in the one index over all of them, as a signed decimal text: 24 bits of
 * the workspace, then 40 of the value salted with the workspace, so that the index finds one workspace's mentions only.
 */
export function facetHash(workspaceId: Uuid, kind: FacetKind, value: string): string {
  let hash = 0n
  const item = { add: (high: number, low: number) => (hash = (BigInt(high) << 32n) | BigInt(low >>> 0)) }
  addHash(item, facetSalt(workspaceId, kind), value)
  return hash.toString()
}

/**
 * The facet of an account: 24 bits of the workspace, then the first 40 of the account's id, which is a hash already. A
 * migration makes the same of stored rows with nothing but bit strings.
 */
export function accountFacet(workspaceId: Uuid, accountId: Uuid): string {
  let hash = 0n
  addAccountFacet({ add: (high, low) => (hash = (BigInt(high) << 32n) | BigInt(low >>> 0)) }, workspaceId, accountId)
  return hash.toString()
}

/** Adds the facet of an account to a column of facets. */
export function addAccountFacet(into: Pick<Bigints, 'add'>, workspaceId: Uuid, accountId: Uuid): void {
  const low = accountId.slice(2, 8) + accountId.slice(9, 11)
  into.add(prefixOf(workspaceId) | Number.parseInt(accountId.slice(0, 2), 16), Number.parseInt(low, 16))
}

/** The uppermost 24 bits of every hash of a workspace, above eight that are nought. */
function prefixOf(workspaceId: Uuid): number {
  return Number.parseInt(workspaceId.slice(-PREFIX_DIGITS), 16) << 8
}

/**
 * English words that stand in one of eight posts or more: a mention has a bit for each, by its place here, and one
 * facet for all, instead of an entry for each in the index. Rarer ones stay there: who asks for several such words, and
 * for nothing else, has the newest mentions looked through, which goes on for long where they seldom meet. The places
 * are stored: none may ever change, and there is room for thirty-one.
 */
export const COMMON_WORDS: readonly string[] =
  'the to i a and of is for in it you s on this that my t with have not but are'.split(' ')

const COMMON_PLACES: ReadonlyMap<string, number> = new Map(COMMON_WORDS.map((word, place) => [word, place]))

/** True when mentions have a bit for the word instead of a facet. */
export function isCommonWord(word: string): boolean {
  return COMMON_PLACES.has(word)
}

/** The bits of common words together. */
export function commonWordBits(words: readonly string[]): number {
  return words.reduce((bits, word) => bits | (1 << COMMON_PLACES.get(word)!), 0)
}

/** The facet of mentions that say any common word: where they are few, it finds them. */
export function commonFacet(workspaceId: Uuid): string {
  return facetHash(workspaceId, 'common', '')
}

/**
 * Adds what a mention is found by for its words, which must not repeat, to a column of facets; answers the bits of the
 * common ones.
 */
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

/** Adds the hashes of values, which must not repeat, to a column of facets. */
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

/** Spreads every input bit over all output bits. */
function avalanche(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return mixed ^ (mixed >>> 16)
}
