import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { deleteKeyword, getKeyword, type Keyword, type KeywordChange, updateKeyword } from '../api/keywords.ts'
import { offerUndo } from '../app/undo.ts'
import { showToast } from '../kit/toast.tsx'
import { formerOf } from './suggestion-words.ts'
import { words } from './words.ts'

export function useKeyword(id: string) {
  return useQuery({ queryKey: ['keyword', id], queryFn: ({ signal }) => getKeyword(id, signal) })
}

/** Keeps the keyword as it is now, and reads again what depends on it. */
function keep(client: QueryClient, keyword: Keyword): void {
  client.setQueryData(['keyword', keyword.id], keyword)
  void client.invalidateQueries({ queryKey: ['keyword', keyword.id, 'health'] })
  void client.invalidateQueries({ queryKey: ['keywords'] })
}

interface Change {
  change: KeywordChange
  /** What was done, such as "“atlas” is paused". */
  text: string
}

/** Changes a keyword, and offers to bring the former values back. */
export function useKeywordChange(keyword: Keyword) {
  const client = useQueryClient()
  const { id } = keyword
  return useMutation({
    mutationFn: ({ change }: Change) => updateKeyword(id, change),
    onSuccess: (changed, { change, text }) => {
      const former = formerOf(keyword, change)
      keep(client, changed)
      offerUndo({ text, revert: async () => keep(client, await updateKeyword(id, former)) })
    },
  })
}

/** Pauses a keyword or lets it collect again. */
export function usePause(keyword: Keyword) {
  const change = useKeywordChange(keyword)
  const { muted, term } = keyword
  const toggle = () =>
    change.mutate(
      { change: { muted: !muted }, text: muted ? words.resumed(term) : words.paused(term) },
      { onError: (error) => showToast({ text: error.message, tone: 'negative' }) },
    )
  return { toggle, busy: change.isPending, label: muted ? words.resume : words.pause }
}

export function useDeletion({ id, term }: Keyword, onDeleted: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => deleteKeyword(id),
    onSuccess: () => {
      showToast({ text: words.removed(term) })
      onDeleted()
      client.removeQueries({ queryKey: ['keyword', id] })
      void client.invalidateQueries({ queryKey: ['keywords'] })
    },
  })
}
