import type { Uuid } from '../kernel/ids.ts'

/** What a facet says of a mention: a word of its text, a host of its links, a name of its author. */
export type FacetKind = 'word' | 'host' | 'author'

const KIND_SEEDS: Readonly<Record<FacetKind, number>> = { word: 0x9e3779b1, host: 0x85ebca77, author: 0xc2b2ae3d }

/**
 * The 64-bit hash under which a facet stands in the one index over all of them, as a signed decimal text. It is salted
 * with the workspace, so that the index finds one workspace's mentions only.
 */
export function facetHash(workspaceId: Uuid, kind: FacetKind, value: string): string {
  let high = KIND_SEEDS[kind]
  let low = ~KIND_SEEDS[kind]
  const mix = (text: string) => {
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      high = Math.imul(high ^ unit, 0x85ebca6b)
      low = Math.imul(low ^ unit, 0xc2b2ae35)
      high = (high << 13) | (high >>> 19)
      low = (low << 17) | (low >>> 15)
    }
  }
  mix(workspaceId)
  mix(value)
  const first = avalanche(high ^ (low >>> 7))
  const second = avalanche(low ^ Math.imul(high, 0x27d4eb2f))
  return BigInt.asIntN(64, (BigInt(first) << 32n) | BigInt(second)).toString()
}

/** Spreads every input bit over all output bits, as an unsigned 32-bit number. */
function avalanche(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
