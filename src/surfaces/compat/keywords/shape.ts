import { z } from 'zod'
import type { Numbers } from '../../../commands/compat/number-things.ts'
import { KEYWORD_LIMITS, type KeywordKind } from '../../../domain/keyword/keyword.ts'
import { type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import { fromId, type Uuid } from '../../../kernel/ids.ts'
import { textOut, timeOut } from '../../../operations/shapes.ts'
import type { KeywordView } from '../../../queries/keywords/keyword-shape.ts'
import { numberIdIn, numberIdOut } from '../fields.ts'
import { KEYWORD_SLUGS, keywordSlugs } from '../platforms.ts'

export const TAGS = ['own_brand', 'competitor', 'industry_term'] as const
export type KeywordTag = (typeof TAGS)[number]

const TAG_OF: Readonly<Record<KeywordKind, KeywordTag>> = {
  brand: 'own_brand',
  competitor: 'competitor',
  topic: 'industry_term',
}
export const KIND_OF: Readonly<Record<KeywordTag, KeywordKind>> = {
  own_brand: 'brand',
  competitor: 'competitor',
  industry_term: 'topic',
}

/** A list of ours as one text. */
const LIST_TEXT_MAX = 60_000
const list = textOut(LIST_TEXT_MAX).nullable().meta({ description: 'Comma-separated; null for none.' })

export const keywordFields = {
  id: numberIdOut,
  keyword: textOut(KEYWORD_LIMITS.termMax),
  context: textOut(KEYWORD_LIMITS.contextMax).nullable(),
  additionalTerms: list,
  additionalTermsAndOr: z.boolean().meta({ description: 'True if one additional term is enough.' }),
  caseSensitive: z.boolean(),
  symbolSensitive: z.literal(true).meta({ description: 'Terms match as whole phrases only.' }),
  platforms: z.array(z.enum(KEYWORD_SLUGS as [string, ...string[]])).max(KEYWORD_SLUGS.length),
  excludeWords: list,
  wildcardExcludeWords: list,
  excludeAuthors: list,
  tag: z.enum(TAGS),
  paused: z.boolean(),
  isSubReddit: z.null(),
  createdAt: timeOut,
}

export const keywordShape = z.strictObject(keywordFields).meta({ id: 'Keyword', description: 'A watched term.' })

export function keywordUuid({ id }: Pick<KeywordView, 'id'>): Uuid {
  return fromId('kw', id)!
}

/** Keywords with their numbers, for a list at once. */
export async function shownKeywords({ numbers }: { numbers: Numbers }, keywords: readonly KeywordView[]) {
  const numberOf = await numbers.of(keywords.map((keyword) => ({ kind: 'keyword' as const, id: keywordUuid(keyword) })))
  return keywords.map((keyword) => shown(keyword, numberOf(keywordUuid(keyword))))
}

export async function shownKeyword(context: { numbers: Numbers }, keyword: KeywordView) {
  const [one] = await shownKeywords(context, [keyword])
  return one!
}

function shown(keyword: KeywordView, id: number): z.output<typeof keywordShape> {
  const { matching } = keyword
  return {
    id,
    keyword: keyword.term,
    context: keyword.context,
    additionalTerms: textOf(matching.requiredTerms),
    additionalTermsAndOr: matching.requiredMode === 'any',
    caseSensitive: matching.caseSensitive,
    symbolSensitive: true,
    platforms: keywordSlugs(keyword.platforms),
    excludeWords: textOf(matching.excludedTerms.filter((term) => !isWildcard(term))),
    wildcardExcludeWords: textOf(matching.excludedTerms.filter(isWildcard)),
    excludeAuthors: textOf(matching.excludedAuthors),
    tag: TAG_OF[keyword.kind],
    paused: keyword.muted,
    isSubReddit: null,
    createdAt: keyword.createdAt,
  }
}

export function isWildcard(term: string): boolean {
  return term.startsWith('*') || term.endsWith('*')
}

function textOf(entries: readonly string[]): string | null {
  return entries.length === 0 ? null : entries.join(', ')
}

/** In a path, a text that is no number names nothing. */
export const keywordIdIn = numberIdIn.meta({ description: 'Number of a keyword.' })

export async function keywordIdOf(
  { numbers }: { numbers: Numbers },
  number: number,
): Promise<Uuid | Refusal<'not_found'>> {
  return (
    (await numbers.find('keyword', [number])).get(number) ??
    refuse('not_found', 'This workspace has no keyword with this id.')
  )
}
