import { useQueries } from '@tanstack/react-query'
import type { listGroups } from '../../api/groups.ts'
import type { listKeywords } from '../../api/keywords.ts'
import type { listMembers } from '../../api/workspace.ts'
import { GROUPS_QUERY, KEYWORD_NAMES_QUERY, MEMBERS_QUERY } from '../workspace-queries.ts'
import type { Filter } from './filter-params.ts'

/** Names by id, for the ids of a filter. */
export type Names = ReadonlyMap<string, string>

export function useNames(filter: Filter): Names {
  const [keywords, groups, members] = useQueries({
    queries: [
      {
        ...KEYWORD_NAMES_QUERY,
        enabled: Boolean(filter.keywordIds ?? filter.notKeywordIds),
        select: ({ data }: Awaited<ReturnType<typeof listKeywords>>) => data.map(({ id, term }) => [id, term] as const),
      },
      {
        ...GROUPS_QUERY,
        enabled: Boolean(filter.groupIds ?? filter.notGroupIds),
        select: ({ data }: Awaited<ReturnType<typeof listGroups>>) => data.map(({ id, name }) => [id, name] as const),
      },
      {
        ...MEMBERS_QUERY,
        enabled: filter.assigneeId !== undefined,
        select: ({ data }: Awaited<ReturnType<typeof listMembers>>) =>
          data.map(({ userId, name }) => [userId, name] as const),
      },
    ],
  })
  return new Map([...(keywords.data ?? []), ...(groups.data ?? []), ...(members.data ?? [])])
}
