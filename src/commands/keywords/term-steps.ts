import type { Keyword } from '../../domain/keyword/keyword.ts'
import { createJudge, foldTerm, type MatchText } from '../../matching/index.ts'
import { BARE, type Explanation, fails, passes } from './explanation.ts'

/** Whether the term stands in the post, as a word of its own, and in the case that counts. */
export function termSteps({ term, matching: { caseSensitive } }: Keyword, text: MatchText): Explanation[] {
  const cased = caseSensitive ? placesOf(text, term, true) : []
  const folded = placesOf(text, term, false)
  const places = folded.length > 0 ? folded : cased
  if (places.length === 0) {
    const inside = insideWord(text, term)
    if (inside === null)
      return [
        fails('term', notThere(text, term)),
        fails('boundaries', 'The term was not found.'),
        fails('case', 'The term was not found.'),
      ]
    const found = passes(
      'term',
      `The characters of “${term}” stand in the post, after case, quotes, dashes and widths are folded.`,
    )
    const joined =
      `They stand only inside of something longer${inside === '' ? '' : `: “${inside}”`}, and a term does not ` +
      'match inside of a longer word.'
    return [found, fails('boundaries', joined), fails('case', 'The term was not found as a word of its own.')]
  }
  const found = passes('term', `“${term}” stands in ${listed(places)}.`)
  const whole = passes('boundaries', 'The term occurs as a word of its own.')
  if (!caseSensitive) return [found, whole, passes('case', 'Letter case does not matter for this keyword.')]
  if (cased.length > 0) return [found, whole, passes('case', 'The term occurs in the typed letter case.')]
  return [
    found,
    whole,
    fails('case', `The keyword counts only as it is typed, “${term}”; the post writes it in another case.`),
  ]
}

/** The parts of the post with the term, each judged alone by the matching rules. */
function placesOf(text: MatchText, term: string, caseSensitive: boolean): string[] {
  const judge = createJudge({ ...BARE, term, caseSensitive })
  const parts: [name: string, part: MatchText][] = [
    ['the title', { ...text, text: '', links: [] }],
    ['the text', { ...text, title: null, links: [] }],
    ['a link', { ...text, title: null, text: '' }],
  ]
  return parts.filter(([, part]) => judge(part) !== 'term').map(([name]) => name)
}

/** The folded longer word around the term; empty when unclear, null when the term does not occur. */
function insideWord({ title, text }: MatchText, term: string): string | null {
  const wanted = foldTerm(term)
  const folded = foldTerm(`${title ?? ''} ${text}`)
  let found: string | null = null
  for (let at = folded.indexOf(wanted); wanted !== '' && at >= 0; at = folded.indexOf(wanted, at + 1)) {
    const before = /[\p{L}\p{N}\p{M}_]*$/u.exec(folded.slice(Math.max(0, at - 80), at))?.[0] ?? ''
    const after = /^[\p{L}\p{N}\p{M}_]*/u.exec(folded.slice(at + wanted.length, at + wanted.length + 80))?.[0] ?? ''
    found = ''
    if (before + after !== '') return `${before}${wanted}${after}`
  }
  return found
}

function notThere({ title, text }: MatchText, term: string): string {
  const bare = (given: string) => foldTerm(given.normalize('NFD').replace(/\p{M}/gu, ''))
  const wanted = bare(term)
  if (wanted !== '' && bare(`${title ?? ''} ${text}`).includes(wanted))
    return `“${term}” stands in the post only with other accents, and accents count.`
  return `“${term}” does not stand in the post, also when case, quotes, dashes and widths are folded.`
}

function listed(places: readonly string[]): string {
  return places.join(' and in ')
}
