/** Letters that Unicode does not decompose. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ĸ: 'k',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
}
const WITHOUT_PARTS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu')
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu
/** The diaeresis of ё, mostly written as е, and stress marks. Other Cyrillic marks make another letter. */
const POINTED = '\u0435\u0308'
const STRESSED = /([аеиоуыэюяіє]\u0308?)[\u0300\u0301]+/gu
const PLAIN = /^[\0-\x7f]*$/

/** For search only: `kobenhavn` for `københavn`. Marks of other scripts are vowels or voicing, and stay. */
export function withoutAccents(word: string): string {
  if (PLAIN.test(word)) return word
  const bare = word.normalize('NFD').replace(ACCENTED, '$1').replaceAll(POINTED, '\u0435').replace(STRESSED, '$1')
  return bare.normalize('NFC').replace(WITHOUT_PARTS, (letter) => PLAIN_LETTERS[letter]!)
}
