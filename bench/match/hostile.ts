import type { Matcher, MatchText } from '../../src/matching/index.ts'
import { randomFrom } from '../../test/random.ts'
import type { BenchRow } from '../contract.ts'
import { asText, name } from './corpus.ts'
import { idOf, postsPerSecond, rulesFor } from './measure.ts'

const BYTES = 8000
const COPIES = 60
const ROUNDS = 4

/** Texts made to be slow, as pieces that are repeated. */
const PIECES: readonly (readonly [what: string, piece: string])[] = [
  ['marks in the worst order', `a${'\u0315'.repeat(40)}${'\u0316'.repeat(40)}`],
  ['marks of many orders', `a${'\u0345\u035c\u0301\u031b\u0321\u0334'.repeat(5)}`],
  ['marks of many orders on a letter that takes iotas', `α${'\u0345\u035c\u0301\u031b\u0321\u0334'.repeat(5)}`],
  ['marks that are two', 'a\u0344\u0f73\u0344 '],
  ['decomposed letters', 'de\u0301ja\u0300 vu\u0308 '],
  ['letters with two marks', 'o\u0323\u0302a\u0302\u0323u\u031b\u0309'],
  ['marks that make no letter', 'q\u0301x\u0316'],
  ['invisible characters', 'a\u200db\u00adc\ufeff '],
  ['nothing but invisible characters', '\u200d\ufeff\ufe0f'],
  ['mathematical letters', '𝕠𝕡𝕖𝕟 '],
  ['letters that fold to two', 'ßaß ẞ İ '],
  ['ligatures', 'ﬃﬁﬂ ﬆ'],
  ['Greek with iotas', 'ᾳᾲ ῃ α\u0345'],
  ['one character that becomes eighteen', 'ﷺ'],
  ['units and fractions', '㎏½㍿ ㌀'],
  ['wide letters', 'ｏｐｅｎ '],
  ['half-width Katakana', 'ｶﾞﾊﾟｱ'],
  ['musical notes', '𝅘𝅥𝅮𝅗𝅥'],
  ['letters beyond the first plane', '𐐀𐐨𐐁 '],
  ['compatibility ideographs', '豈更\u{2f800}'],
  ['one-letter words', 'a b '],
  ['the same word', 'the the '],
  ['Han', '人工知能的日本語'],
  ['Hangul in parts', '각ᄀ'],
  ['Hangul decomposed', '한국어 '.normalize('NFD')],
  ['pictographs', '👩\u200d💻👍🏽'],
  ['flags', '🇩🇪🇫🇷🏴\u{e0067}\u{e0062}\u{e007f}'],
  ['lone surrogates', 'ab\ud83d '],
  ['pictographs behind half a character', '\ude00\ud83d'],
  ['nothing but half characters', '\ude00'],
  ['Thai', 'น้ำทำไมที่นี่'],
  ['Hindi', 'हिन्दी में लिखा हुआ '],
  ['Arabic with vowels', 'مُحَمَّدٌ '],
  ['Tibetan', 'བོད་སྐད་ཀྱི '],
  ['punctuation', '.,;:!?-_'],
  ['spaces', ' \n\t\u3000'],
  ['controls', '\u0000\u0007\uffff'],
]
const PLAIN = 'The quick brown fox of Hackney jumps over twelve lazy dogs, and nobody minds at all today. '

/** Texts that no repetition makes. */
const COMPOSED: readonly (readonly [what: string, text: string])[] = [
  ['one odd letter at the end', `${PLAIN.repeat(BYTES / PLAIN.length)}ß`],
  [
    'one odd letter in the middle',
    `${PLAIN.repeat(BYTES / 2 / PLAIN.length)}ß${PLAIN.repeat(BYTES / 2 / PLAIN.length)}`,
  ],
  ['every character there is', scattered((random) => String.fromCodePoint(Math.floor(random() * 0x20000)))],
  [
    'any private character with any mark or selector',
    scattered((random) =>
      String.fromCodePoint(
        0xf0000 + Math.floor(random() * 0x10000),
        (random() < 0.5 ? 0x300 : 0xe0100) + Math.floor(random() * 0x70),
      ),
    ),
  ],
  [
    'any letter with any mark',
    scattered((random) =>
      String.fromCodePoint(0xc0 + Math.floor(random() * 0x2000), 0x300 + Math.floor(random() * 0x70)),
    ),
  ],
]

/**
 * The most expensive hostile text against plain text. The matcher is given more terms, so it is of no use afterwards.
 */
export function hostile(matcher: Matcher): BenchRow[] {
  const costs = [...costsOf(matcher, written()), ...costsOf(matcher, ofTerms(matcher))].sort(
    (a, b) => b.times - a.times,
  )
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

type Case = readonly [what: string, text: MatchText]

export function costsOf(matcher: Matcher, texts: readonly Case[]): { what: string; times: number }[] {
  const plain = nanosecondsAByte(matcher, asText(null, repeated(PLAIN)))
  return texts.map(([what, text]) => ({ what, times: nanosecondsAByte(matcher, text) / plain }))
}

/** Hostile whatever the terms are. */
export function written(): Case[] {
  const texts = [...PIECES.map(([what, piece]) => [what, repeated(piece)] as const), ...COMPOSED]
  return texts.map(([what, text]) => [what, asText(null, text)] as const)
}

/**
 * Hostile to an index that holds certain terms, which are added to it: in the text, but with a word, a letter or a sign
 * too few.
 */
export function ofTerms(matcher: Matcher): Case[] {
  const random = randomFrom(5)
  const words = Array.from({ length: 600 }, () => name(random))
  const symbols = ['->', ':)', '!!', '$$$', '\u2192']
  const added = [
    ...words.map((word, at) => rulesFor(`${word} ${words[at + 1] ?? word} ${word}`)),
    ...words.map((word) => rulesFor(`${word}.${word}`)),
    ...words.map((word) => rulesFor(word.toUpperCase(), { caseSensitive: true })),
    ...words.map((word) => rulesFor(`${word}.com/${word}`)),
    ...symbols.map((symbol) => rulesFor(symbol)),
  ]
  for (const [at, rules] of added.entries()) matcher.put(idOf(20_000_000 + at), rules)
  const pairs = repeated(words.map((word, at) => `${word} ${words[at + 1] ?? word} `).join(''))
  return [
    ['starts of terms', asText(null, pairs)],
    ['terms in another case, behind an odd letter', asText(null, `ß ${pairs}`)],
    ['signs that terms start with', asText(null, repeated('- : ! $$ -:'))],
    ['links that terms start with', asText(null, '', [`https://${pairs.replaceAll(' ', '.com/')}`])],
    ['many short links', asText(null, '', pairs.split(' '))],
  ]
}

function repeated(piece: string): string {
  return piece.repeat(Math.ceil(BYTES / Buffer.byteLength(piece)))
}

function scattered(next: (random: () => number) => string): string {
  const random = randomFrom(9)
  let text = ''
  while (text.length < BYTES / 3) text += next(random)
  return text
}

function nanosecondsAByte(matcher: Matcher, text: MatchText): number {
  const parts = [text.text, ...text.links]
  const posts = Array.from({ length: COPIES }, () => ({ ...text, text: flat(text.text), links: text.links.map(flat) }))
  return 1e9 / postsPerSecond(matcher, posts, ROUNDS) / parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
}

/** A string of its own, not put together from others. */
function flat(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
