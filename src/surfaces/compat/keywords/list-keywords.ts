import { KEYWORD_LIMITS } from '../../../domain/keyword/keyword.ts'
import { foldName } from '../../../kernel/text.ts'
import { listKeywords } from '../../../queries/keywords/list-keywords.ts'
import { defineCompat } from '../define.ts'
import { bounded } from '../fields.ts'
import { keywordShape, shownKeywords } from './shape.ts'

/** Every keyword of the workspace. */
export const EVERY_KEYWORD = {
  q: null,
  term: null,
  groupExternalId: null,
  healths: null,
  groupIds: null,
  kinds: null,
  statuses: null,
  platforms: null,
  sort: 'oldest',
  limit: null,
  offset: 0,
} as const

export const listKeywordsCompat = defineCompat({
  id: 'list-keywords',
  method: 'GET',
  path: '/keywords',
  access: 'read',
  summary: 'List keywords',
  description: 'Returns every keyword by name, whatever its letter case.',
  tag: 'Keywords',
  output: bounded(keywordShape, KEYWORD_LIMITS.perWorkspace),
  run: async (context) => {
    const { data } = await listKeywords(context, EVERY_KEYWORD)
    const shown = await shownKeywords(context, data)
    const sorted = shown
      .map((keyword) => ({ keyword, name: foldName(keyword.keyword) }))
      .sort((a, b) => compare(a.name, b.name) || a.keyword.id - b.keyword.id)
    return { data: sorted.map(({ keyword }) => keyword), pagination: { nextCursor: null } }
  },
})

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
