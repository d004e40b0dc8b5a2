import { isDeepStrictEqual } from 'node:util'
import type { PeopleFilter } from '../../domain/person/person.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { foldName } from '../../kernel/text.ts'
import { getSegment, noSuchSegment, type Segment } from '../../queries/people/segments.ts'
import { lockSegment, updateSegment as storeSegment } from '../../store/person/segments.ts'
import type { WritingContext } from '../writing.ts'
import { refuseDuplicate } from './create-segment.ts'

/** Absent fields stay, the filter is replaced as a whole. */
export interface SegmentChange {
  name?: string | undefined
  description?: string | null | undefined
  filter?: PeopleFilter | undefined
  ifVersion?: number | undefined
}

/** Equal values keep the version. */
export async function updateSegment(
  writing: WritingContext,
  id: Uuid,
  { name, description, filter, ifVersion }: SegmentChange,
): Promise<Segment | Refusal<'not_found' | 'stale_version' | 'duplicate_segment'>> {
  const { db, workspaceId, clock } = writing
  return refuseDuplicate(writing, name, () =>
    db.transaction(async (tx) => {
      const segment = await lockSegment(tx, workspaceId, id)
      if (segment === null) return noSuchSegment()
      if (ifVersion !== undefined && ifVersion !== segment.version)
        return refuse('stale_version', `The segment has version ${segment.version} by now; read it again`)
      const changed = {
        ...segment,
        name: name ?? segment.name,
        description: description === undefined ? segment.description : (description ?? ''),
        filter: filter ?? segment.filter,
      }
      if (!isDeepStrictEqual(changed, segment))
        await storeSegment(
          tx,
          { ...changed, version: segment.version + 1, updatedAt: clock.now() },
          foldName(changed.name),
        )
      return await getSegment({ ...writing, db: tx }, id)
    }),
  )
}
