import { TRIAGE_LIMITS, type TriageActor, type TriageChange } from '../../domain/mention/triage.ts'
import { undoing, undoRequests } from '../../domain/mention/undo.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { batchesOf } from '../../kernel/batches.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { type MentionSearch, type ResolvedSearch, resolveSearch } from '../../queries/mentions/search.ts'
import { selectFound, selectNewest } from '../../queries/mentions/select-newest.ts'
import { sql } from '../../store/database.ts'
import type { WritingContext } from '../writing.ts'
import { missingInFilter } from './missing-in-filter.ts'
import { type Triaged, triageMentions } from './triage-mentions.ts'
import type { UpdatedMentions } from './update-mentions.ts'

export interface UpdatedMatching extends UpdatedMentions {
  /** Mentions that were not in the requested state before. */
  changed: number
  skippedCount: number
  /** Requests that restore the former values; null when there would be too many. */
  undo: UndoRequest[] | null
}

/** A body for a change by ids. */
export interface UndoRequest extends Omit<TriageChange, 'assigneeId' | 'snoozedUntil'> {
  ids: Id<'mtn'>[]
  assigneeId?: Id<'user'> | null
  snoozedUntil?: string | null
}

export interface ExpectedMatches {
  search: MentionSearch
  /** As the caller counted them. */
  expectedCount: number
}

/**
 * Changes every mention that matches, in a transaction for each batch. A mention that no longer matches when its batch
 * has the locks stays as it is and is not counted.
 */
export async function updateMatching(
  writing: WritingContext,
  actor: TriageActor,
  { search, expectedCount }: ExpectedMatches,
  change: TriageChange,
): Promise<UpdatedMatching | Refusal<'not_found' | 'stale_version' | 'invalid_assignee' | 'validation_error'>> {
  const resolved = await resolveKnown(writing, search)
  if (isRefusal(resolved)) return resolved
  const found = await findMatching(writing, resolved)
  const objection = countObjection(found.length, expectedCount)
  if (objection) return objection
  const batches: Triaged[] = []
  for (const ids of batchesOf(found, TRIAGE_LIMITS.mentions)) {
    const selected = { ids, matching: stillMatching(writing, resolved, ids) }
    const batch = await writing.db.transaction((tx) => triageMentions(tx, writing, actor, selected, change))
    if (isRefusal(batch)) return batch
    batches.push(batch)
  }
  return summary(batches)
}

/** Keywords, groups, rules and views in the search must exist. */
async function resolveKnown(
  writing: WritingContext,
  search: MentionSearch,
): Promise<ResolvedSearch | Refusal<'not_found' | 'validation_error'>> {
  for (const filter of search.filters) {
    const missing = await missingInFilter(writing.db, writing.workspaceId, filter)
    if (missing !== null) return missing
  }
  return await resolveSearch(writing, search)
}

/** One more than may be changed at most. */
async function findMatching({ db, clock, workspaceId }: WritingContext, search: ResolvedSearch): Promise<Uuid[]> {
  const limit = TRIAGE_LIMITS.matching + 1
  const rows = await db.query(
    selectNewest(sql<{ id: Uuid }>`m.id`, { workspaceId, search, at: clock.now(), behind: null, limit }),
  )
  return rows.map(({ id }) => id)
}

export function countObjection(found: number, expected: number): Refusal<'stale_version' | 'validation_error'> | null {
  if (found > TRIAGE_LIMITS.matching)
    return refuseField('filter', `must match at most ${TRIAGE_LIMITS.matching} mentions; add a condition`)
  if (Math.abs(found - expected) * 10 <= expected) return null
  return refuse(
    'stale_version',
    `The filter matches ${found} mentions, and expectedCount is ${expected}. Count the mentions again.`,
  )
}

function stillMatching({ workspaceId, clock }: WritingContext, search: ResolvedSearch, ids: readonly Uuid[]) {
  return selectFound(sql<{ id: Uuid }>`m.id`, workspaceId, { ...search, ids }, clock.now())
}

function summary(batches: readonly Triaged[]): UpdatedMatching {
  const skipped = batches.flatMap((batch) => [...batch.skipped])
  const changed = batches.flatMap(({ moves }) =>
    moves.flatMap(({ mention, after }) => {
      const undo = undoing(mention.triage, after)
      return undo === null ? [] : [{ id: mention.mentionId, undo }]
    }),
  )
  return {
    updated: batches.reduce((sum, { moves }) => sum + moves.length, 0),
    changed: changed.length,
    skipped: skipped.slice(0, TRIAGE_LIMITS.mentions).map(([id, code]) => ({ id: toId('mtn', id), code })),
    skippedCount: skipped.length,
    undo: undoRequests(changed)?.map(({ ids, change }) => undoRequest(ids, change)) ?? null,
  }
}

function undoRequest(ids: readonly Uuid[], { assigneeId, snoozedUntil, ...change }: TriageChange): UndoRequest {
  return {
    ids: ids.map((id) => toId('mtn', id)),
    ...change,
    ...(assigneeId === undefined ? {} : { assigneeId: assigneeId && toId('user', assigneeId) }),
    ...(snoozedUntil === undefined ? {} : { snoozedUntil: snoozedUntil?.toISOString() ?? null }),
  }
}
