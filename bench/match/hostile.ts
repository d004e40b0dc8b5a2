import type { Matcher } from '../../src/matching/index.ts'
import type { BenchRow } from '../contract.ts'
import { asText } from './corpus.ts'
import { postsPerSecond } from './measure.ts'

const BYTES = 8000

/** Texts made to be slow, against plain text of the same length. */
const TEXTS: readonly (readonly [what: string, piece: string])[] = [
  ['marks in the worst order', `a${'\u0315'.repeat(40)}${'\u0316'.repeat(40)}`],
  ['decomposed letters', 'de\u0301ja\u0300 vu\u0308 '],
  ['invisible characters', 'a\u200db\u00adc\ufeff '],
  ['mathematical letters', '𝕠𝕡𝕖𝕟 '],
  ['letters that fold to two', 'ßaß ẞ İ '],
  ['one-letter words', 'a b '],
  ['the same word', 'the the '],
  ['Han', '人工知能的日本語'],
  ['Hangul in parts', '각ᄀ'],
  ['pictographs', '👩\u200d💻👍🏽'],
  ['lone surrogates', 'ab\ud83d '],
  ['Thai', 'น้ำทำไมที่นี่'],
  ['punctuation', '.,;:!?-_'],
  ['spaces', ' \n\t\u3000'],
]
const PLAIN = 'The quick brown fox of Hackney jumps over twelve lazy dogs, and nobody minds at all today. '

export function hostile(matcher: Matcher): BenchRow[] {
  const plain = nanosecondsAByte(matcher, PLAIN)
  const costs = TEXTS.map(([what, piece]) => ({ what, times: nanosecondsAByte(matcher, piece) / plain })).sort((a, b) => b.times - a.times)
  const worst = costs[0]!
  return [
    {
      measure: 'hostile text against plain text, a byte, 1,000,000 terms',
      value: Number(worst.times.toFixed(2)),
      unit: 'times the cost',
      must: 4,
      better: 'lower',
      peer: costs
        .slice(0, 5)
        .map(({ what, times }) => `${what} ${times.toFixed(1)}`)
        .join(', '),
    },
  ]
}

function nanosecondsAByte(matcher: Matcher, piece: string): number {
  const text = Buffer.from(piece.repeat(Math.ceil(BYTES / Buffer.byteLength(piece))), 'utf16le').toString('utf16le')
  const posts = new Array(60).fill(asText(null, text))
  return 1e9 / postsPerSecond(matcher, posts, 4) / Buffer.byteLength(text)
}
