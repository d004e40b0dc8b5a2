import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/errors.ts'
import { offerUndo } from '../app/undo.ts'

interface Versioned<Data, Change> {
  queryKey: readonly string[]
  former: Data
  read: (signal: AbortSignal) => Promise<Data>
  update: (change: Change & { ifVersion?: number }) => Promise<Data>
  /** What was done: "The filters are saved". */
  text: string
}

/** Saves a change of something with a version, and offers to bring the former values back. */
export function useVersionedSave<Data extends { version: number }, Change extends object>(
  versioned: Versioned<Data, Change>,
) {
  const { queryKey, former, read, update, text } = versioned
  const client = useQueryClient()
  const keep = (saved: Data) => client.setQueryData(queryKey, saved)
  const saving = useMutation({
    mutationFn: ({ change, anyway = false }: { change: Change; anyway?: boolean }) =>
      update(anyway ? change : { ...change, ifVersion: former.version }),
    onSuccess: (saved, { change }) => {
      keep(saved)
      const back = Object.fromEntries(Object.keys(change).map((name) => [name, former[name as keyof Data]])) as Change
      offerUndo({ text, revert: async () => keep(await update({ ...back, ifVersion: saved.version })) })
    },
  })
  const { error } = saving
  const isStale = error instanceof ApiError && error.code === 'stale_version'
  const present = useQuery({
    queryKey: [...queryKey, 'present', saving.submittedAt],
    queryFn: ({ signal }) => read(signal),
    enabled: isStale,
  })
  return {
    saving,
    isStale,
    /** What a colleague left, once a save was refused for it. */
    present: present.data,
    errors: error instanceof ApiError ? error.fields : undefined,
    load: () => client.invalidateQueries({ queryKey, exact: true }),
  }
}

/** The fields of a draft that differ from the former values. */
export function changeBetween<Draft extends object>(former: Draft, draft: Draft): Partial<Draft> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(former[name as keyof Draft])
  return Object.fromEntries(Object.entries(draft).filter(isChanged)) as Partial<Draft>
}
