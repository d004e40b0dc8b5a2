import { z } from 'zod'
import { isRefusal, refuseField } from '../../../domain/refusal/refusal.ts'
import { booleanIn, lineIn, wholeIn } from '../../../operations/shapes.ts'
import { EVERY_MENTION } from '../../../queries/mentions/search.ts'
import { defineCompat } from '../define.ts'
import { bounded, cursorIn } from '../fields.ts'
import { sourceIn } from '../filters/conditions.ts'
import { saidOf } from '../filters/said.ts'
import { pageOfRows } from './list-mentions.ts'
import { mentionRow } from './row.ts'
import { writtenBy } from './search.ts'

const PAGE_MAX = 50
const SOURCES = ['twitter', 'reddit', 'bluesky', 'dev', 'github', 'hackernews', 'tiktok', 'linkedin'] as const

export const listByAuthorCompat = defineCompat({
  id: 'list-by-author',
  method: 'GET',
  path: '/mentions/by-author',
  access: 'read',
  summary: 'List the mentions of an author',
  description:
    'Returns the newest 10 mentions of a person on one source, relevant or not, muted or not, at most 50. Somebody ' +
    'unknown has none. Snoozed mentions are left out.',
  tag: 'Mentions',
  query: {
    source: z.enum(SOURCES).meta({ description: 'Where the person writes.' }),
    handle: lineIn(1, 500).optional().meta({
      description: 'Name, @name or profile link, in any letter case. Required without `profileUrl`.',
    }),
    profileUrl: lineIn(1, 500).optional().meta({ description: 'Profile link; only on `linkedin`.' }),
    limit: wholeIn(1, PAGE_MAX).default(10).meta({ description: 'Number to return.' }),
    cursor: cursorIn,
    includeEngagementMetrics: booleanIn()
      .default(false)
      .meta({ description: 'Whether to add counts of likes and the like.' }),
  },
  output: bounded(mentionRow, PAGE_MAX),
  run: async (context, { query }) => {
    const { source, handle, profileUrl } = query
    if (profileUrl !== undefined && source !== 'linkedin') return refuseField('profileUrl', 'needs the source linkedin')
    const named = handle ?? profileUrl
    if (named === undefined) return refuseField('handle', 'is required without profileUrl')
    const author = writtenBy(handle === undefined ? 'profileUrl' : 'handle', named)
    if (isRefusal(author)) return author
    const said = saidOf(() => ({ operator: 'AND', groups: [{ operator: 'AND', conditions: [sourceIn([source])] }] }))
    if (isRefusal(said)) return said
    const search = { ...EVERY_MENTION, filters: [said.filter], includeMuted: true, writtenBy: author }
    return await pageOfRows(context, search, { ...query, withMetrics: query.includeEngagementMetrics })
  },
})
