import { conditionsKey } from './conditions.ts'
import type { MatchRules } from './contract.ts'
import { foldTerm, plainForm, spaced } from './fold.ts'

/** A sum of fingerprints, so independent of their order. */
export class Checksum {
  private low = 0
  private high = 0

  add(id: string, term: string, caseSensitive: boolean, conditions: string): void {
    const print = fingerprint(id, term, caseSensitive, conditions)
    this.low = (this.low + print.low) | 0
    this.high = (this.high + print.high) | 0
  }

  /** 16 hexadecimal digits. */
  toString(): string {
    return hexadecimal(this.high) + hexadecimal(this.low)
  }
}

/** The checksum of a matcher with exactly these subscribers, without building one. */
export function checksumOf(loaded: Iterable<readonly [id: string, rules: MatchRules]>): string {
  const sum = new Checksum()
  for (const [id, rules] of loaded) {
    const term = rules.caseSensitive ? spaced(plainForm(rules.term)) : foldTerm(rules.term)
    sum.add(id, term, rules.caseSensitive, conditionsKey(rules))
  }
  return sum.toString()
}

function fingerprint(
  id: string,
  term: string,
  caseSensitive: boolean,
  conditions: string,
): { low: number; high: number } {
  let low = caseSensitive ? 0x1b873593 : 0x27d4eb2f
  let high = 0x165667b1
  for (const part of [id, term, conditions]) {
    for (let at = 0; at < part.length; at += 1) {
      const unit = part.charCodeAt(at)
      low = Math.imul(low ^ unit, 0x01000193)
      high = Math.imul(high ^ (unit + 0x9e37), 0x85ebca6b)
      high ^= high >>> 13
    }
    low = Math.imul(low ^ 0x10000, 0xcc9e2d51)
    high = Math.imul(high ^ part.length, 0xc2b2ae35)
  }
  return { low: (low ^ (low >>> 15)) | 0, high: (high ^ (high >>> 16)) | 0 }
}

function hexadecimal(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}
