import { describe, expect, test } from 'vitest'
import { randomFrom } from '../../test/random.ts'
import { GrowingTrie } from './growing-trie.ts'
import { newControl, SequenceWriting } from './sequence.ts'
import { joined } from './text-scan.ts'
import { halvesSwapped, MANY, mayEnd, NONE } from './token-trie.ts'

const HEAD = 12_345
const STEPS = 20_000

interface Path {
  tokens: Int32Array
  uses: number
}

/** The hashes of the prefixes of a path, the whole of it last. */
function hashesOf(tokens: Int32Array): number[] {
  const hashes = [tokens[0]!]
  for (const token of tokens.subarray(1)) hashes.push(joined(hashes.at(-1)!, token))
  return hashes
}

/** Paths of one to four tokens, few of which are often, so that many share prefixes. */
function randomPath(random: () => number): Int32Array {
  const token = () => (random() < 0.5 ? 1 + Math.floor(random() * 20) : (random() * 2 ** 32) | 1)
  return Int32Array.from({ length: 1 + Math.floor(random() * 4) }, token)
}

/** Every path is found and no bit of the filter that it needs is missing; nothing else is in the table. */
function expectHolds(trie: GrowingTrie, paths: Iterable<Path>): void {
  const ends = new Set<number>()
  const through = new Map<number, number>()
  for (const { tokens, uses } of paths) {
    const hashes = hashesOf(tokens)
    ends.add(hashes.pop()!)
    for (const hash of hashes) through.set(hash, (through.get(hash) ?? 0) + uses)
  }
  const word = (hash: number) => trie.filter[hash >>> trie.filterShift]!
  expect([...ends].filter((hash) => (mayEnd(word(hash), hash) & 1) === 0 || trie.head(hash) !== HEAD)).toEqual([])
  expect([...through.keys()].filter((hash) => (mayEnd(halvesSwapped(word(hash)), hash) & 1) === 0)).toEqual([])
  let used = 0
  const wrong: number[] = []
  for (let slot = 0; slot <= trie.mask; slot += 1) {
    const hash = trie.table[2 * slot]!
    if (hash !== 0) used += 1
    const longer = trie.table[2 * slot + 1]! & MANY
    // A count that reached its most is not counted down again.
    if (longer < MANY && longer !== (through.get(hash) ?? 0)) wrong.push(hash)
    if (trie.headAt(slot) !== NONE && !ends.has(hash)) wrong.push(hash)
  }
  expect(wrong).toEqual([])
  expect(used).toBe(trie.used)
  expect(used).toBeLessThanOrEqual(trie.mask)
}

describe('a trie that grows and shrinks', () => {
  test.each([
    ['alone', false],
    ['shared with readers', true],
  ])('holds every path, and its filter rules none of them out: %s', { timeout: 60_000 }, (_, isShared) => {
    const random = randomFrom(7)
    const trie = new GrowingTrie()
    if (isShared) trie.share(new SequenceWriting(newControl()))
    const paths = new Map<string, Path>()
    let slots = 0
    for (let step = 0; step < STEPS; step += 1) {
      const isAdded = random() < (step < STEPS / 3 ? 0.95 : step < (2 * STEPS) / 3 ? 0.5 : 0.1)
      const known = [...(isAdded ? [] : paths.keys())]
      const tokens =
        known.length === 0 ? randomPath(random) : paths.get(known[Math.floor(random() * known.length)]!)!.tokens
      const key = tokens.join()
      const path = paths.get(key) ?? { tokens, uses: 0 }
      if (known.length === 0) {
        trie.makeRoom(tokens.length)
        trie.setHeadAt(trie.add(tokens[0]!, tokens, tokens.length), HEAD)
        path.uses += 1
        paths.set(key, path)
      } else {
        path.uses -= 1
        if (path.uses === 0) {
          trie.setHeadAt(trie.slotOfPath(tokens[0]!, tokens, tokens.length), NONE)
          paths.delete(key)
        }
        trie.remove(tokens[0]!, tokens, tokens.length)
      }
      // At each growth, too: what is there then is all that the new filter knows.
      if (step % 2000 === 0 || trie.mask !== slots) expectHolds(trie, paths.values())
      slots = trie.mask
    }
    expectHolds(trie, paths.values())
    expect(slots).toBeGreaterThan(10_000)
  })
})
