import { z } from 'zod'
import { createKeyword } from '../../../commands/keywords/create-keyword.ts'
import { isRefusal, refuse, refuseField } from '../../../domain/refusal/refusal.ts'
import { alreadyThere } from '../../../operations/already-there.ts'
import { termIn } from '../../../operations/keywords/shapes.ts'
import type { KeywordView } from '../../../queries/keywords/keyword-shape.ts'
import { listKeywords } from '../../../queries/keywords/list-keywords.ts'
import type { QueryContext } from '../../../queries/reading.ts'
import { defineCompat } from '../define.ts'
import { keywordPlatforms } from '../platforms.ts'
import { renamed } from '../renamed.ts'
import { keywordInput, matchingOf, refusedOf, tagIn, tooManyWords } from './input.ts'
import { EVERY_KEYWORD } from './list-keywords.ts'
import { KIND_OF, keywordFields, shownKeyword } from './shape.ts'

/** Fields of ours in the words of the other interface. */
export const FIELD_NAMES = {
  term: 'keyword',
  kind: 'tag',
  muted: 'paused',
  'matching.requiredTerms': 'additionalTerms',
  'matching.requiredMode': 'additionalTermsAndOr',
  'matching.excludedTerms': 'excludeWords',
  'matching.excludedAuthors': 'excludeAuthors',
  'matching.caseSensitive': 'caseSensitive',
} as const

export const createKeywordCompat = defineCompat({
  id: 'create-keyword',
  method: 'POST',
  path: '/keywords',
  access: 'write',
  summary: 'Create a keyword',
  description:
    'Starts watching a term in the default group. A term that is watched already is returned unchanged with ' +
    '`alreadyExisted`, and refused with `allowDuplicate`. The first search of a platform takes at most 10 posts of ' +
    'the last 30 days (10 days on Instagram).',
  tag: 'Keywords',
  body: z.strictObject({
    ...keywordInput,
    keyword: termIn,
    tag: tagIn.nullable().optional(),
    allowDuplicate: z.boolean().default(false).meta({ description: 'Never makes a second keyword of a term.' }),
  }),
  status: 201,
  again: 200,
  output: z.strictObject({ ...keywordFields, alreadyExisted: z.boolean() }),
  errors: ['duplicate_keyword', 'insufficient_balance', 'keyword_limit_reached', 'feature_disabled'],
  run: async (context, { body }) => {
    const matching = matchingOf(body, [])
    if (tooManyWords(matching))
      return refuseField('excludeWords', 'must have at most 50 entries with wildcardExcludeWords')
    const off = refusedOf(body)
    if (off !== null) return off
    const existed = async (keyword: KeywordView) =>
      body.allowDuplicate
        ? refuse('duplicate_keyword', 'The workspace has a keyword with this term.')
        : alreadyThere({ ...(await shownKeyword(context, keyword)), alreadyExisted: true })
    const before = await findTerm(context, body.keyword)
    if (before !== null) return await existed(before)
    const made = renamed(
      await createKeyword(context, {
        term: body.keyword,
        kind: KIND_OF[body.tag ?? 'own_brand'],
        muted: false,
        platforms: body.platforms === undefined ? null : keywordPlatforms(body.platforms),
        context: body.context ?? null,
        matching,
        cap: null,
        reviewSources: [],
      }),
      FIELD_NAMES,
    )
    if (!isRefusal(made)) return { ...(await shownKeyword(context, made)), alreadyExisted: false }
    // Somebody else was faster.
    const meanwhile = made.code === 'duplicate_keyword' ? await findTerm(context, body.keyword) : null
    return meanwhile === null ? made : await existed(meanwhile)
  },
})

/** A keyword with the term in any group, the default group first. */
async function findTerm(context: QueryContext, term: string): Promise<KeywordView | null> {
  const { data } = await listKeywords(context, { ...EVERY_KEYWORD, term })
  return data.find(({ group }) => group.isDefault) ?? data[0] ?? null
}
