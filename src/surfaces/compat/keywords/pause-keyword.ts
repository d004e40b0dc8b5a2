import { z } from 'zod'
import { updateKeyword } from '../../../commands/keywords/update-keyword.ts'
import { isRefusal } from '../../../domain/refusal/refusal.ts'
import { getKeyword } from '../../../queries/keywords/get-keyword.ts'
import { defineCompat } from '../define.ts'
import { keywordFields, keywordIdIn, keywordIdOf, shownKeyword } from './shape.ts'

export const pauseKeywordCompat = defineCompat({
  id: 'pause-keyword',
  method: 'POST',
  path: '/keywords/{id}/pause',
  access: 'write',
  summary: 'Pause a keyword',
  description: 'Pauses or resumes a keyword; without a body it toggles. Resuming needs a balance for another day.',
  tag: 'Keywords',
  params: { id: keywordIdIn },
  body: z.strictObject({ paused: z.boolean().optional().meta({ description: 'Toggled when absent.' }) }).optional(),
  output: z.strictObject({
    ...keywordFields,
    changed: z.boolean().meta({ description: 'Whether the keyword was in the other state before.' }),
  }),
  notFound: 'KEYWORD_NOT_FOUND',
  errors: ['insufficient_balance'],
  run: async (context, { params, body }) => {
    const id = await keywordIdOf(context, params.id)
    if (isRefusal(id)) return id
    const before = await getKeyword(context, id)
    if (isRefusal(before)) return before
    const muted = body?.paused ?? !before.muted
    const after = muted === before.muted ? before : await updateKeyword(context, id, { muted })
    return isRefusal(after) ? after : { ...(await shownKeyword(context, after)), changed: muted !== before.muted }
  },
})
