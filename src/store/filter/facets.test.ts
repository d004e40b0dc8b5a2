import { expect, test } from 'vitest'
import { newUuid } from '../../kernel/ids.ts'
import { createBigints } from '../columns.ts'
import {
  accountFacet,
  addWords,
  commonFacet,
  commonWordBits,
  type FacetKind,
  facetHash,
  isCommonWord,
} from './facets.ts'

const WORKSPACE = '01900000-0000-7000-8000-000000000001' as ReturnType<typeof newUuid>
const WORDS = Array.from({ length: 40_000 }, (_, at) => `w${at.toString(36)}`)

test('a hash is a signed 64-bit number, the same on every machine', () => {
  expect(facetHash(WORKSPACE, 'word', 'rocket')).toBe('1822729466085')
  for (const word of WORDS.slice(0, 1000)) {
    const hash = BigInt(facetHash(WORKSPACE, 'word', word))
    expect(hash).toBe(BigInt.asIntN(64, hash))
  }
})

test('a hundred and sixty thousand facets of one workspace do not meet', () => {
  const kinds: FacetKind[] = ['word', 'host', 'author', 'common']
  const hashes = kinds.flatMap((kind) => WORDS.map((word) => facetHash(WORKSPACE, kind, word)))
  expect(new Set(hashes).size).toBe(hashes.length)
})

test('the same word of another workspace is another number', () => {
  const workspaces = Array.from({ length: 2000 }, () => newUuid(new Date(0)))
  expect(new Set(workspaces.map((workspace) => facetHash(workspace, 'word', 'rocket'))).size).toBe(2000)
})

test('the hashes of a workspace begin with the end of its id, and stand together', () => {
  const workspace = newUuid(new Date(0))
  for (const word of WORDS.slice(0, 1000)) {
    const hash = BigInt.asUintN(64, BigInt(facetHash(workspace, 'word', word)))
    expect((hash >> 40n).toString(16).padStart(6, '0')).toBe(workspace.slice(-6))
  }
})

test('what the migration makes of a hash of the older form is the hash of the newer one', () => {
  const older = 5984359938714267877n
  expect(facetHash(WORKSPACE, 'word', 'rocket')).toBe(String((1n << 40n) | (older & 1099511627775n)))
})

test('every other bit is set half of the time', () => {
  const counts = new Array<number>(40).fill(0)
  for (const word of WORDS) {
    const hash = BigInt.asUintN(64, BigInt(facetHash(WORKSPACE, 'word', word)))
    for (let bit = 0; bit < 40; bit += 1) if ((hash >> BigInt(bit)) & 1n) counts[bit]! += 1
  }
  // Ten standard deviations of a fair coin.
  for (const count of counts) expect(Math.abs(count - WORDS.length / 2)).toBeLessThan(5 * Math.sqrt(WORDS.length))
})

test('the facet of an account is 24 bits of the workspace and the first 40 of the account, as a migration can make it', () => {
  const account = 'f1234567-89ab-8cde-8f01-23456789abcd' as ReturnType<typeof newUuid>
  expect(
    BigInt.asUintN(64, BigInt(accountFacet(WORKSPACE, account)))
      .toString(16)
      .padStart(16, '0'),
  ).toBe('000001f123456789')
})

/** What a mention is found by for these words: the column of facets, and the bits of common words. */
function foundBy(words: readonly string[]): { facets: string[]; bits: number } {
  const facets = createBigints()
  const bits = addWords(facets, WORKSPACE, words)
  const column = facets.column()
  return {
    facets: Array.from({ length: facets.length }, (_, at) => column.readBigInt64BE(24 + at * 12).toString()),
    bits,
  }
}

test('common words are bits, with one facet for all of them, and every other word is a facet of its own', () => {
  const word = (text: string) => facetHash(WORKSPACE, 'word', text)
  expect(foundBy(['the', 'rocket', 'not', 'launched'])).toEqual({
    facets: [word('rocket'), word('launched'), commonFacet(WORKSPACE)],
    bits: commonWordBits(['not', 'the']),
  })
  expect(foundBy(['rocket'])).toEqual({ facets: [word('rocket')], bits: 0 })
})

test('each common word has a bit of its own for ever', () => {
  const [first, second, last] = ['the', 'to', 'are'].map((word) => foundBy([word]).bits)
  expect([first, second, last]).toEqual([1, 2, 1 << 21])
  expect([first, second, last]).toEqual(['the', 'to', 'are'].map((word) => commonWordBits([word])))
  expect(['the', 'are', 'some', 'rocket', ''].map(isCommonWord)).toEqual([true, true, false, false, false])
})
