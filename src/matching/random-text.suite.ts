import fc from 'fast-check'

/** Pieces of text in which every rule of matching has a stake. */
const PIECES = [
  ...'a b c e i k o s x A B I K S X 0 1 2 7 _ - . , ! ? @ # + * / : & $ % ( ) \' "'.split(' '),
  ...['open', 'source', 'OpenAI', 'openai', 'node', 'js', 'acme', 'com', 'Foo', 'bar', 'c++', 'node.js', '.net', 'acme.com', "l'oreal", 'a a', 'x y'],
  ...[' ', ' ', ' ', ' ', '  ', '\n', '\t', '\u00a0', '\u3000', '\u200b', '\u0085', '\u2028', ' - ', ' -', '- ', '--'],
  // Quotes and dashes of all kinds.
  ...[
    '\u2018',
    '\u2019',
    '\u201c',
    '\u201d',
    '\u201e',
    '\u00b4',
    '\u02bc',
    '\u2010',
    '\u2013',
    '\u2014',
    '\u2212',
    '\u05be',
    '\ufe58',
    '\uff0d',
    '\u301c',
    '\u2026',
  ],
  // Case that is more than one letter to one letter.
  ...[
    'ß',
    'ẞ',
    'ss',
    'SS',
    'İ',
    'ı',
    'i\u0307',
    'ſ',
    'σ',
    'ς',
    'Σ',
    'ǰ',
    'J\u030c',
    'ΐ',
    'ﬃ',
    'ffi',
    'և',
    'ŉ',
    'ǆ',
    'ᾳ',
    'α',
    'Α\u0345',
    'Ꭰ',
    'ꭰ',
    'Ω',
    'Ω',
    'K',
    'Å',
    '𐐀',
    '𐐨',
    'Ა',
    'ა',
  ],
  // Marks, joined and not.
  ...[
    '\u0301',
    '\u0316',
    '\u0308',
    '\u0323',
    '\u0345',
    '\u20e3',
    'é',
    'e\u0301',
    'ệ',
    'e\u0302\u0323',
    'क',
    'ि',
    '्',
    'ष',
    '\u093c',
    'ا',
    'ً',
    'ّ',
    'ش',
    'ש',
    'ׁ',
    '𝅗𝅥',
    '𑄮',
  ],
  // Invisible characters.
  ...['\u200d', '\u200c', '\u00ad', '\ufeff', '\ufe0f', '\u2060', '\u200f', '\u202e', '\u034f', '\u180e', '\u115f', '\u3164', '\u{e0100}', '\u{e0067}'],
  // Scripts without spaces, and Hangul.
  ...[
    '人',
    '工',
    '知',
    '能',
    'か',
    'が',
    'カ',
    'ガ',
    'ｶﾞ',
    'ー',
    '々',
    '〇',
    'ไ',
    'ท',
    'ี',
    '่',
    'ำ',
    'ก',
    'ກ',
    'ខ',
    'ြ',
    'က',
    '\u3099',
    '𠀀',
    '㋿',
    '𪜀',
    'ㄅ',
    'ꦏ',
    '한',
    '국',
    '각',
    'ᄀ',
    'ᅡ',
    'ᆨ',
    'ㄱ',
    'ꥠ',
  ],
  // Other shapes of letters and digits.
  ...['Ａ', 'ａ', '１', '＿', 'ｏｐｅｎ', '𝕒', '𝐀', 'ⓐ', 'Ⓐ', 'ª', '²', '½', '①', 'ﬁ', '㎏', '™', '®', '©', 'ℕ', '\ufdfa', '℃', '¨', '٣', '〡'],
  // Pictographs and symbols.
  ...['👍', '👍🏽', '👩\u200d💻', '❤\ufe0f', '🇩🇪', '1\ufe0f\u20e3', '🏴\u{e0067}\u{e0062}\u{e007f}', '☎', '𝄞', '→', '§', '∑'],
  // Broken and odd.
  ...['\ud83d', '\ude00', '\u0000', '\u0007', '\uffff', '\ufffd', '\ufffe', '\u{10ffff}', '\ue000', '\u{1d165}\u{1d16e}'],
]

const piece = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...PIECES) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 0x10ffff }).map((code) => (code >= 0xd800 && code <= 0xdfff ? String.fromCharCode(code) : String.fromCodePoint(code))),
  },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) },
)

/** Random text of up to `maxPieces` pieces; some characters come often, so that they meet each other. */
export function randomText(maxPieces: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.array(fc.oneof(fc.nat(5), piece), { maxLength: maxPieces }))
    .map(([often, pieces]) => pieces.map((p) => (typeof p === 'number' ? often[p % often.length]! : p)).join(''))
}

const CHANGES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text,
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize('NFD'),
  (text) => text.normalize('NFC'),
  (text) => text.normalize('NFKD'),
  (text) => text.normalize('NFKC'),
  (text) => text.replace(/[\s-]+/g, ' '),
  (text) => text.replaceAll(' ', '-'),
  (text) => text.replaceAll(' ', ' - '),
  (text) => text.replaceAll("'", '\u2019').replaceAll('-', '\u2014'),
  (text) => [...text].slice(0, -1).join(''),
  (text) => [...text].slice(1).join(''),
  (text) => `${text}s`,
  (text) => `@${text}`,
  (text) => `${text}!`,
  (text) => `-${text}`,
  (text) => [...text].reverse().join(''),
]

/** A part of a text, changed a little: a term that the text holds as often as not. */
export function termFrom(text: string): fc.Arbitrary<string> {
  return fc.tuple(fc.nat(), fc.integer({ min: 1, max: 14 }), fc.constantFrom(...CHANGES), fc.boolean()).map(([from, length, change, whole]) => {
    const characters = whole ? [...text] : text.split('')
    const start = characters.length === 0 ? 0 : from % characters.length
    return change(characters.slice(start, start + length).join(''))
  })
}
