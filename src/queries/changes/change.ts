import type { ChangeKind } from '../../domain/follower/topics.ts'
import { batchesOf } from '../../kernel/batches.ts'
import { groupBy } from '../../kernel/group.ts'

export interface Change {
  kind: ChangeKind
  /** As callers see it; null where anything of this kind may have changed. */
  id: string | null
  /** The fields of the event beside the ids. */
  about: Readonly<Record<string, unknown>>
  at: Date
  /** The same for a change that is read again; null for one that repeats. */
  key: string | null
}

export interface ChangeEvent {
  kind: ChangeKind
  data: { ids: string[] | null }
}

const IDS_PER_EVENT = 100

/** Changes of one kind that differ in their ids only become one event. */
export function eventsOf(changes: readonly Change[]): ChangeEvent[] {
  const alike = groupBy(changes, ({ kind, about, id }) => JSON.stringify([kind, about, id === null]))
  return [...alike.values()].flatMap((group): ChangeEvent[] => {
    const { kind, about } = group[0]!
    const ids = [...new Set(group.flatMap(({ id }) => (id === null ? [] : [id])))]
    if (ids.length === 0) return [{ kind, data: { ids: null, ...about } }]
    return batchesOf(ids, IDS_PER_EVENT).map((batch) => ({ kind, data: { ids: batch, ...about } }))
  })
}
