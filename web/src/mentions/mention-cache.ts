import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Mention, MentionPage } from '../api/mentions.ts'
import { reckonCounts } from './reckon-counts.ts'

type Pages = InfiniteData<MentionPage>

export const LIST_KEY = ['mentions', 'list'] as const

export function mentionKey(id: string): readonly ['mentions', 'single', string] {
  return ['mentions', 'single', id]
}

/** Mentions as the lists and pages of this tab hold them. */
export class MentionCache {
  constructor(private readonly client: QueryClient) {}

  find(id: string): Mention | undefined {
    const single = this.client.getQueryData<Mention>(mentionKey(id))
    if (single !== undefined) return single
    const lists = this.client.getQueriesData<Pages>({ queryKey: LIST_KEY })
    return lists
      .flatMap(([, pages]) => pages?.pages ?? [])
      .flatMap(({ data }) => data)
      .find((mention) => mention.id === id)
  }

  /** Replaces mentions wherever they are shown. */
  replace(mentions: readonly Mention[]): void {
    const byId = new Map(mentions.map((mention) => [mention.id, mention]))
    const changes = mentions.flatMap((after) => {
      const before = this.find(after.id)
      return before === undefined ? [] : [{ before, after }]
    })
    const lists = this.client.getQueriesData<Pages>({ queryKey: LIST_KEY })
    reckonCounts(
      this.client,
      lists.map(([key, pages]) => [key[LIST_KEY.length] as object, pages]),
      changes,
    )
    this.client.setQueriesData<Pages>({ queryKey: LIST_KEY }, (pages) => pages && replacedIn(pages, byId))
    for (const mention of mentions)
      this.client.setQueryData<Mention>(mentionKey(mention.id), (present) =>
        present === undefined ? undefined : mention,
      )
  }
}

function replacedIn(pages: Pages, byId: ReadonlyMap<string, Mention>): Pages {
  return {
    ...pages,
    pages: pages.pages.map((page) =>
      page.data.some(({ id }) => byId.has(id))
        ? { ...page, data: page.data.map((mention) => byId.get(mention.id) ?? mention) }
        : page,
    ),
  }
}
