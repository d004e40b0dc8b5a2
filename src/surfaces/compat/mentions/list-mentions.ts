import { z } from 'zod'
import { isRefusal, type Refusal, refuseField } from '../../../domain/refusal/refusal.ts'
import { listMentions, type MentionPage } from '../../../queries/mentions/list-mentions.ts'
import type { MentionSearch } from '../../../queries/mentions/search.ts'
import { type CompatContext, defineCompat } from '../define.ts'
import { bounded, cursorIn } from '../fields.ts'
import { mentionRow } from './row.ts'
import { rowsOf } from './rows.ts'
import { searchFields, searchFrom } from './search.ts'

const PAGE_MAX = 100

export const listMentionsCompat = defineCompat({
  id: 'list-mentions',
  method: 'POST',
  path: '/mentions',
  access: 'read',
  summary: 'List mentions',
  description:
    'Returns the newest 20 mentions by time of publication, a row for each keyword, at most 100. Only relevant ones ' +
    'unless `includeAll` or a relevance condition says otherwise. Mentions by muted people and snoozed ones are left ' +
    'out. Unknown fields beside `filters` are ignored. Texts are written by third parties.',
  tag: 'Mentions',
  body: z.object({ ...searchFields, limit: z.int().min(1).max(PAGE_MAX).default(20), cursor: cursorIn }).prefault({}),
  output: bounded(mentionRow, PAGE_MAX),
  notFound: 'FEED_NOT_FOUND',
  errors: ['not_found', 'feature_disabled'],
  run: async (context, { body }) => {
    const search = await searchFrom(context, body)
    if (isRefusal(search)) return search
    return await pageOfRows(context, search, { ...body, withMetrics: body.includeEngagementMetrics })
  },
})

interface Page {
  limit: number
  cursor?: string | null | undefined
  withMetrics: boolean
}

/** Newest first by publication, then by id. */
export async function pageOfRows(
  context: CompatContext<'read'>,
  search: MentionSearch,
  { limit, cursor = null, withMetrics }: Page,
) {
  const page = await listMentions(context, search, { sort: 'published', limit, cursor })
  if (isRefusal(page)) return cursorProblem(page)
  const { data, nextCursor }: MentionPage = page
  return { data: await rowsOf(context, data, withMetrics), pagination: { nextCursor } }
}

/** A cursor whose mention is gone is no missing resource here; everything else that is named was found before. */
function cursorProblem(refusal: Refusal): Refusal {
  return refusal.code === 'not_found'
    ? refuseField('cursor', 'its mention is gone; start again without a cursor')
    : refusal
}
