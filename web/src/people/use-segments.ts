import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  createSegment,
  deleteSegment,
  getSegment,
  type Segment,
  type SegmentChange,
  updateSegment,
} from '../api/segments.ts'
import { offerUndo } from '../app/undo.ts'
import { showToast } from '../kit/toast.tsx'
import { words } from './words.ts'

export function useSegment(id: string) {
  return useQuery({ queryKey: ['segments', id], queryFn: ({ signal }) => getSegment(id, signal) })
}

function keep(client: QueryClient, segment: Segment): void {
  client.setQueryData(['segments', segment.id], segment)
  void client.invalidateQueries({ queryKey: ['segments'], exact: true })
}

export function useCreation(onCreated: (segment: Segment) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: createSegment,
    onSuccess: (segment) => {
      keep(client, segment)
      showToast({ text: words.created(segment.name), tone: 'positive' })
      onCreated(segment)
    },
  })
}

/** Changes a segment, and offers to bring the former values back. */
export function useSegmentChange(segment: Segment) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: SegmentChange) => updateSegment(segment.id, change),
    onSuccess: (changed) => {
      keep(client, changed)
      const { name, description, filter } = segment
      const revert = async () => keep(client, await updateSegment(segment.id, { name, description, filter }))
      offerUndo({ text: words.segmentSaved(changed.name), revert })
    },
  })
}

export function useDeletion({ id, name }: Segment, onDeleted: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => deleteSegment(id),
    onSuccess: () => {
      showToast({ text: words.removed(name) })
      onDeleted()
      client.removeQueries({ queryKey: ['segments', id] })
      void client.invalidateQueries({ queryKey: ['segments'] })
    },
  })
}
