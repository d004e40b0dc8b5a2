import { useQueries } from '@tanstack/react-query'
import { listKeywords } from '../../api/keywords.ts'
import { listGroups, listMembers } from '../../api/workspace.ts'
import type { Filter } from './filter-params.ts'

/** Names by id, for the ids of a filter. */
export type Names = ReadonlyMap<string, string>

export function useNames(filter: Filter): Names {
  const [keywords, groups, members] = useQueries({
    queries: [
      {
        queryKey: ['keywords', 'names'],
        queryFn: ({ signal }: { signal: AbortSignal }) => listKeywords({ limit: 100 }, signal),
        enabled: Boolean(filter.keywordIds ?? filter.notKeywordIds),
        select: ({ data }: Awaited<ReturnType<typeof listKeywords>>) => data.map(({ id, term }) => [id, term] as const),
      },
      {
        queryKey: ['groups'],
        queryFn: ({ signal }: { signal: AbortSignal }) => listGroups(signal),
        enabled: Boolean(filter.groupIds ?? filter.notGroupIds),
        select: ({ data }: Awaited<ReturnType<typeof listGroups>>) => data.map(({ id, name }) => [id, name] as const),
      },
      {
        queryKey: ['members'],
        queryFn: ({ signal }: { signal: AbortSignal }) => listMembers(signal),
        enabled: filter.assigneeId !== undefined,
        select: ({ data }: Awaited<ReturnType<typeof listMembers>>) =>
          data.map(({ userId, name }) => [userId, name] as const),
      },
    ],
  })
  return new Map([...(keywords.data ?? []), ...(groups.data ?? []), ...(members.data ?? [])])
}
