import type { MatchRules, MatchText } from './contract.ts'

/**
 * A slow and simple implementation of the matching rules, which the engine is compared with. It uses no code of the
 * engine.
 */

const isInvisible = (c: string) =>
  /^\p{Default_Ignorable_Code_Point}$/u.test(c) && c !== '\u200b' && !/^[\u{e0020}-\u{e007f}]$/u.test(c)
const isLetterOrDigit = remembered((c) => /^[\p{L}\p{N}]$/u.test(c))
const isMark = remembered((c) => /^\p{M}$/u.test(c))
const SCRIPTS_WITHOUT_SPACES =
  'Bopomofo Tangut Nushu Khitan_Small_Script Thai Lao Khmer Myanmar Tai_Le New_Tai_Lue Tai_Tham Tai_Viet Ahom Javanese Balinese'.split(
    ' ',
  )
const isUnspaced = remembered(
  (c) =>
    (isLetterOrDigit(c) || (isMark(c) && !/^\p{Script=Inherited}$/u.test(c))) &&
    (['Han', 'Hiragana', 'Katakana'].some((script) => new RegExp(`^\\p{Script_Extensions=${script}}$`, 'u').test(c)) ||
      SCRIPTS_WITHOUT_SPACES.some((script) => new RegExp(`^\\p{Script=${script}}$`, 'u').test(c))),
)

function remembered(test: (c: string) => boolean): (c: string) => boolean {
  const known = new Map<string, boolean>()
  return (c) => {
    const answer = known.get(c) ?? test(c)
    known.set(c, answer)
    return answer
  }
}

export function referenceForm(text: string, keepCase: boolean): string[] {
  let visible = ''
  for (const c of text) {
    if (isInvisible(c)) continue
    if (c === '\u00b4') visible += "'"
    else if (c === '\u2122' || c === '\u2120') visible += '\u00ae'
    else if (c === '\uffff' || /^\p{Surrogate}$/u.test(c)) visible += '\ufffd'
    else visible += c
  }
  // Marks (and the half-width letters that become marks) are normalised in groups of at most 30.
  const grouped = visible.replace(/([\p{M}\uff9e\uff9f]{30})(?=[\p{M}\uff9e\uff9f])/gu, '$1\u034f').normalize('NFKC')
  const plain = [...grouped].map(withPlainPunctuation).join('')
  if (keepCase) return [...plain.replaceAll('\u034f', '')]
  return [...[...plain].map(caseFolded).join('').normalize('NFKC').replaceAll('\u034f', '')]
}

function withPlainPunctuation(c: string): string {
  if ('\u2018\u2019\u201a\u201b\u02bc'.includes(c)) return "'"
  if ('\u201c\u201d\u201e\u201f'.includes(c)) return '"'
  if (c === '\u2212' || (/^\p{Pd}$/u.test(c) && !'\u301c\u3030\u30a0'.includes(c))) return '-'
  return (/^\s$/.test(c) && c !== '\ufeff') || c === '\u0085' || c === '\u200b' ? ' ' : c
}

function caseFolded(c: string): string {
  if (c === '\u0131' || c === '\u0345') return c
  const lower = [...c.toLowerCase()].map((d) => [...d.toUpperCase()].map((e) => e.toLowerCase()).join('')).join('')
  return lower === '\u03c2' ? '\u03c3' : lower
}

function termForm(text: string, keepCase: boolean): string[] {
  return [...referenceForm(text, keepCase).join('').replace(/ +/g, ' ').trim()]
}

interface Edges {
  openStart: boolean
  openEnd: boolean
}

/** A letter, digit or underscore, or a mark on one; characters of scripts without spaces do not count. */
function isWordAt(text: readonly string[], at: number): boolean {
  let base = at
  while (base >= 0 && base < text.length && isMark(text[base]!)) base -= 1
  const c = text[base]
  return c !== undefined && (c === '_' || (isLetterOrDigit(c) && !isUnspaced(c)))
}

function holds(text: readonly string[], term: readonly string[], edges: Edges): boolean {
  if (term.length === 0) return false
  const first = term[0]!
  const boundedStart = !edges.openStart && ((isLetterOrDigit(first) && !isUnspaced(first)) || isMark(first))
  const boundedEnd = !edges.openEnd && isWordAt(term, term.length - 1) && lastBase(term) !== '_'
  for (let start = 0; start < text.length; start += 1) {
    if (boundedStart && isWordAt(text, start - 1)) continue
    if (standsAt(text, start, term, 0, boundedEnd)) return true
  }
  return false
}

function lastBase(term: readonly string[]): string | undefined {
  return term.findLast((c) => !isMark(c))
}

function standsAt(
  text: readonly string[],
  at: number,
  term: readonly string[],
  next: number,
  boundedEnd: boolean,
): boolean {
  if (next === term.length) {
    const after = text[at]
    return !boundedEnd || after === undefined || !(isWordAt(text, at) || isMark(after))
  }
  if (term[next] !== ' ') return text[at] === term[next] && standsAt(text, at + 1, term, next + 1, boundedEnd)
  for (let end = at + 1; end <= text.length && (text[end - 1] === ' ' || text[end - 1] === '-'); end += 1) {
    if (standsAt(text, end, term, next + 1, boundedEnd)) return true
  }
  return false
}

export function referenceHolds(text: string, term: string, caseSensitive: boolean): boolean {
  return holds(referenceForm(text, caseSensitive), termForm(term, caseSensitive), { openStart: false, openEnd: false })
}

function holdsWildcard(text: string, entry: string): boolean {
  const folded = termForm(entry, false).join('')
  const core = folded.replace(/^\*+/, '').replace(/\*+$/, '')
  const edges = {
    openStart: folded.startsWith('*') && core[0] !== ' ',
    openEnd: folded.endsWith('*') && core.at(-1) !== ' ',
  }
  return holds(referenceForm(text, false), [...core.trim()], edges)
}

const says = (entry: string) => /[^* ]/.test(termForm(entry, false).join(''))

/** `isAddress` says which terms are searched in links. */
export function referenceAccepts(rules: MatchRules, post: MatchText, isAddress: (folded: string) => boolean): boolean {
  const body = post.title === null ? [post.text] : [post.title, post.text]
  const searched = (term: string) => (isAddress(term) ? [...body, ...post.links] : body)
  const fields = (entry: string) =>
    searched(termForm(entry, false).join('').replace(/^\*+/, '').replace(/\*+$/, '').trim())
  if ((rules.scopes & (1 << post.scope)) === 0) return false
  if (
    !searched(termForm(rules.term, false).join('')).some((field) =>
      referenceHolds(field, rules.term, rules.caseSensitive),
    )
  )
    return false
  if (rules.excludedAuthors.some((entry) => post.authorKeys.includes(entry))) return false
  const excluded = rules.excludedTerms.filter(says)
  const excludedFields = (entry: string) =>
    post.authorName === null ? fields(entry) : [...fields(entry), post.authorName]
  if (excluded.some((entry) => excludedFields(entry).some((field) => holdsWildcard(field, entry)))) return false
  const required = rules.requiredTerms.filter(says)
  const isThere = (entry: string) => fields(entry).some((field) => holdsWildcard(field, entry))
  return required.length === 0 || (rules.requiredMode === 'all' ? required.every(isThere) : required.some(isThere))
}
