import { z } from 'zod'
import { updateKeyword } from '../../../commands/keywords/update-keyword.ts'
import type { SearchPlatform } from '../../../domain/platform/platforms.ts'
import { isRefusal, refuseField } from '../../../domain/refusal/refusal.ts'
import { getKeyword } from '../../../queries/keywords/get-keyword.ts'
import { defineCompat } from '../define.ts'
import { orElse } from '../fields.ts'
import { keywordPlatforms } from '../platforms.ts'
import { renamed } from '../renamed.ts'
import { FIELD_NAMES } from './create-keyword.ts'
import { keywordInput, matchingOf, refusedOf, tagIn, tooManyWords } from './input.ts'
import { KIND_OF, keywordIdIn, keywordIdOf, keywordShape, shownKeyword } from './shape.ts'

export const updateKeywordCompat = defineCompat({
  id: 'update-keyword',
  method: 'PATCH',
  path: '/keywords/{id}',
  access: 'write',
  summary: 'Update a keyword',
  description:
    'Updates the fields that are sent and keeps the others; an empty text clears a list. The term cannot change. ' +
    'Instagram is added to the platforms.',
  tag: 'Keywords',
  params: { id: keywordIdIn },
  body: z
    .strictObject({ ...keywordInput, tag: tagIn.optional() })
    .refine((body) => Object.keys(body).length > 0, orElse('must hold at least one field')),
  output: keywordShape,
  notFound: 'KEYWORD_NOT_FOUND',
  errors: ['insufficient_balance', 'feature_disabled'],
  run: async (context, { params, body }) => {
    const id = await keywordIdOf(context, params.id)
    const before = isRefusal(id) ? id : await getKeyword(context, id)
    if (isRefusal(id)) return id
    if (isRefusal(before)) return before
    const matching = matchingOf(body, before.matching.excludedTerms)
    if (tooManyWords(matching))
      return refuseField('excludeWords', 'must have at most 50 entries with wildcardExcludeWords')
    const off = refusedOf(body)
    if (off !== null) return off
    const changed = await updateKeyword(context, id, {
      ...(Object.keys(matching).length === 0 ? {} : { matching }),
      ...(body.context === undefined ? {} : { context: body.context }),
      ...(body.tag === undefined ? {} : { kind: KIND_OF[body.tag] }),
      platforms: body.platforms === undefined ? withInstagram(before.platforms) : keywordPlatforms(body.platforms),
    })
    return isRefusal(changed) ? renamed(changed, FIELD_NAMES) : await shownKeyword(context, changed)
  },
})

function withInstagram(platforms: SearchPlatform[] | null): SearchPlatform[] | null {
  return platforms === null || platforms.includes('instagram') ? platforms : [...platforms, 'instagram']
}
