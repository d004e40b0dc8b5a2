import { countMentions, type MentionCountQuery } from '../api/mentions.ts'

export const COUNT_KEY = ['mentions', 'count'] as const

/** One cache entry for each filter, whoever counts. */
export function mentionCountQuery(query: MentionCountQuery) {
  return {
    queryKey: [...COUNT_KEY, query] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => countMentions(query, signal),
  }
}
