import type { QueryClient } from '@tanstack/react-query'
import { type MentionChange, updateMentions } from '../api/mentions.ts'
import { bodyFilter } from '../app/filter/filter-params.ts'
import { offerUndo } from '../app/undo.ts'
import { showToast } from '../kit/toast.tsx'
import type { ListRequest } from './use-mention-list.ts'
import { words } from './words.ts'

type Matching = Pick<ListRequest, 'filter' | 'viewId'> & { count: number }

/** Changes all mentions that match, if their number is still about the one that was shown. */
export async function changeMatching(
  client: QueryClient,
  { filter, viewId, count }: Matching,
  change: MentionChange,
  what: string,
): Promise<void> {
  const body = bodyFilter(filter)
  if (body === null) return void showToast({ text: words.bulkTwoStatuses, tone: 'negative' })
  try {
    const search = { ...body, ...(viewId === null ? {} : { viewId }) }
    const { updated, undo } = await updateMentions({ filter: search, expectedCount: count, ...change })
    void client.invalidateQueries({ queryKey: ['mentions'] })
    const text = words.did(what, updated)
    if (!undo) return void showToast({ text })
    const revert = async () => {
      for (const request of undo) await updateMentions(request)
      await client.invalidateQueries({ queryKey: ['mentions'] })
    }
    offerUndo({ text, revert })
  } catch (error) {
    showToast({ text: words.bulkRefused((error as Error).message), tone: 'negative' })
  }
}
