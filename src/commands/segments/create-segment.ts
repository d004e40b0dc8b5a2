import type { PeopleFilter } from '../../domain/person/person.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { foldName } from '../../kernel/text.ts'
import { getSegment, type Segment } from '../../queries/people/segments.ts'
import { sql, violatesUnique } from '../../store/database.ts'
import { insertSegment } from '../../store/person/segments.ts'
import { existing } from '../existing.ts'
import { once } from '../once.ts'
import { refusesMore } from '../workspaces/refuses-more.ts'
import type { WritingContext } from '../writing.ts'

export interface NewSegment {
  name: string
  description?: string | null | undefined
  filter: PeopleFilter
  requestId?: string | undefined
}

/** Names are unique without regard to letter case. */
export async function createSegment(
  writing: WritingContext,
  { requestId, ...input }: NewSegment,
): Promise<Segment | Refusal<'duplicate_segment' | 'conflict' | 'request_conflict'>> {
  const { clock, workspaceId } = writing
  const { name, description, filter } = input
  const at = clock.now()
  const segment = {
    workspaceId,
    id: newUuid(at),
    name,
    description: description ?? '',
    filter,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
  return refuseDuplicate(writing, name, () =>
    once<Segment | Refusal<'conflict'>>(
      writing,
      { operation: 'create-segment', requestId, body: input },
      async (tx) => {
        const full = await refusesMore(tx, workspaceId, 'segments')
        if (full !== null) return full
        await insertSegment(tx, segment, foldName(name))
        return shown(await getSegment({ ...writing, db: tx }, segment.id))
      },
    ),
  )
}

export function shown(segment: Segment | Refusal<'not_found'>): Segment {
  if (isRefusal(segment)) throw new Error('a segment is gone in the transaction that stored it')
  return segment
}

/** Turns a unique violation into a refusal. */
export async function refuseDuplicate<Result>(
  { db, workspaceId }: WritingContext,
  name: string | undefined,
  work: () => Promise<Result>,
): Promise<Result | Refusal<'duplicate_segment'>> {
  try {
    return await work()
  } catch (error) {
    if (violatesUnique(error, 'segment_name')) {
      const same = sql<{
        id: Uuid
      }>`select id from segment where workspace_id = ${workspaceId} and name_folded = ${foldName(name ?? '')}`
      return refuse('duplicate_segment', 'A segment with this name exists.', await existing(db, 'seg', same))
    }
    throw error
  }
}
