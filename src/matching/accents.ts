/**
 * The form in which searches compare words: without the accents of Latin, Greek and Cyrillic letters. Marks of other
 * scripts are vowels, voicing or points, and stay. Matching of keywords never asks for it.
 */

/** Letters that people who lack them write otherwise, and that Unicode does not take apart. */
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
/**
 * The points of ё, which most people write as е; and stress marks of vowels. Other Cyrillic marks make another letter.
 */
const POINTED = '\u0435\u0308'
const STRESSED = /([аеиоуыэюяіє]\u0308?)[\u0300\u0301]+/gu
const PLAIN = /^[\0-\x7f]*$/

/**
 * A folded word without its accents: `musica` for `música`, `kobenhavn` for `københavn`, while `и` and `й` stay apart.
 */
export function withoutAccents(word: string): string {
  if (PLAIN.test(word)) return word
  const bare = word.normalize('NFD').replace(ACCENTED, '$1').replaceAll(POINTED, '\u0435').replace(STRESSED, '$1')
  return bare.normalize('NFC').replace(WITHOUT_PARTS, (letter) => PLAIN_LETTERS[letter]!)
}
