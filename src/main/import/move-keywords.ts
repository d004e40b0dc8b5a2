import { foldName } from '../../kernel/text.ts'
import { entriesOf } from '../../surfaces/compat/fields.ts'
import { createKeywordCompat } from '../../surfaces/compat/keywords/create-keyword.ts'
import { isWildcard } from '../../surfaces/compat/keywords/shape.ts'
import { isUncollected, KEYWORD_SLUGS } from '../../surfaces/compat/platforms.ts'
import type { Moving } from './moving.ts'
import type { ShownKeyword } from './workspace.ts'

const CONTEXT_MAX = 200

/** Our numbers of their keywords. In a rehearsal, what would be made is numbered by its place. */
export type KeywordNumbers = ReadonlyMap<number, number>

export async function moveKeywords(
  theirs: readonly ShownKeyword[],
  ours: readonly ShownKeyword[],
  moving: Moving,
): Promise<KeywordNumbers> {
  const numbers = new Map<number, number>()
  const known = new Map(ours.map(({ id, keyword }) => [nameOf(keyword), id]))
  for (const [place, keyword] of theirs.entries()) {
    const what = `keyword "${keyword.keyword}"`
    const there = known.get(nameOf(keyword.keyword))
    if (there !== undefined) {
      moving.isThere(what)
      numbers.set(keyword.id, there)
      continue
    }
    const body = bodyOf(keyword, what, moving)
    if (body === null) continue
    const made = (await moving.make(what, 'POST', '/keywords', body)) as { id: number } | null
    const number = made?.id ?? (moving.rehearses ? place + 1 : null)
    if (number === null) continue
    numbers.set(keyword.id, number)
    known.set(nameOf(keyword.keyword), number)
    if (keyword.paused) await moving.follow(what, 'POST', `/keywords/${number}/pause`, { paused: true })
  }
  return numbers
}

function nameOf(keyword: string): string {
  return foldName(keyword).replace(/\s+/g, ' ').trim()
}

/** What is sent; null for a keyword that cannot be here. Every difference is noted. */
function bodyOf(keyword: ShownKeyword, what: string, moving: Moving): Record<string, unknown> | null {
  if (keyword.isSubReddit) {
    moving.leave(what, 'it stands for a subreddit; add that to positiveSubreddits if only it is wanted')
    return null
  }
  const platforms = platformsOf(keyword, what, moving)
  if (platforms?.length === 0) {
    moving.leave(what, 'none of its platforms is collected here')
    return null
  }
  if (keyword.symbolSensitive === false)
    moving.leave(what, 'made as a whole phrase; parts of words are not matched here')
  const context = keyword.context ?? ''
  if (context.length > CONTEXT_MAX)
    moving.leave(what, `made without its context, which has more than ${CONTEXT_MAX} characters`)
  const body = {
    keyword: keyword.keyword,
    ...(context === '' || context.length > CONTEXT_MAX ? {} : { context }),
    ...textsOf(keyword),
    ...(keyword.additionalTermsAndOr == null ? {} : { additionalTermsAndOr: keyword.additionalTermsAndOr }),
    ...(keyword.caseSensitive == null ? {} : { caseSensitive: keyword.caseSensitive }),
    ...(platforms === undefined ? {} : { platforms }),
    ...(keyword.tag ? { tag: keyword.tag } : {}),
  }
  const parsed = createKeywordCompat.body.safeParse(body)
  if (parsed.success) return body
  const { path, message } = parsed.error.issues[0]!
  moving.leave(what, `${path.map(String).join('.')}: ${message}`)
  return null
}

/** Words with and without an asterisk are apart here, wherever they stood. */
function textsOf({ additionalTerms, excludeWords, wildcardExcludeWords, excludeAuthors }: ShownKeyword) {
  const words = [...entriesOf(excludeWords ?? ''), ...entriesOf(wildcardExcludeWords ?? '')]
  const [plain, wild] = [words.filter((word) => !isWildcard(word)), words.filter(isWildcard)]
  const texts = {
    additionalTerms: additionalTerms ?? '',
    excludeWords: plain.join(', '),
    wildcardExcludeWords: wild.join(', '),
    excludeAuthors: excludeAuthors ?? '',
  }
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
}

function platformsOf({ platforms }: ShownKeyword, what: string, moving: Moving): string[] | undefined {
  if (platforms == null) return undefined
  const here = platforms.filter((slug) => KEYWORD_SLUGS.includes(slug) && !isUncollected(slug))
  const missing = platforms.filter((slug) => !here.includes(slug))
  if (missing.length > 0 && here.length > 0)
    moving.leave(what, `made without ${missing.join(', ')}, not collected here`)
  return here
}
