import { z } from 'zod'
import { deleteKeyword } from '../../../commands/keywords/delete-keyword.ts'
import { KEYWORD_LIMITS } from '../../../domain/keyword/keyword.ts'
import { isRefusal } from '../../../domain/refusal/refusal.ts'
import { textOut } from '../../../operations/shapes.ts'
import { getKeyword } from '../../../queries/keywords/get-keyword.ts'
import { defineCompat } from '../define.ts'
import { numberIdOut } from '../fields.ts'
import { keywordIdIn, keywordIdOf } from './shape.ts'

export const deleteKeywordCompat = defineCompat({
  id: 'delete-keyword',
  method: 'DELETE',
  path: '/keywords/{id}',
  access: 'write',
  summary: 'Delete a keyword',
  description: 'Deletes the keyword and its mentions. Feeds stay; one that named only this keyword matches nothing.',
  tag: 'Keywords',
  params: { id: keywordIdIn },
  output: z.strictObject({
    ok: z.literal(true),
    id: numberIdOut,
    keyword: textOut(KEYWORD_LIMITS.termMax),
    deletedFeeds: z.array(z.never()).max(0).meta({ description: 'Feeds are never deleted with a keyword.' }),
    deletedNotifications: z.array(z.never()).max(0),
  }),
  notFound: 'KEYWORD_NOT_FOUND',
  run: async (context, { params }) => {
    const id = await keywordIdOf(context, params.id)
    if (isRefusal(id)) return id
    const before = await getKeyword(context, id)
    if (isRefusal(before)) return before
    const deleted = await deleteKeyword(context, id)
    if (isRefusal(deleted)) return deleted
    return { ok: true as const, id: params.id, keyword: before.term, deletedFeeds: [], deletedNotifications: [] }
  },
})
