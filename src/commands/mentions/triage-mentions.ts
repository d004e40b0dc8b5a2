import { changeObjection, marks, type TriageActor, type TriageChange, triaged } from '../../domain/mention/triage.ts'
import { type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Statement, sql, type Transaction } from '../../store/database.ts'
import { cancelDeliveries } from '../../store/delivery/cancel-deliveries.ts'
import { holdCounters, lockMentions } from '../../store/mention/locked-mentions.ts'
import { type Move, storeTriage } from '../../store/mention/triage.ts'
import type { WritingContext } from '../writing.ts'

export type SkipCode = 'not_found' | 'classification_pending'

export interface Triaged {
  /** Includes mentions already in that state. */
  moves: Move[]
  skipped: Map<Uuid, SkipCode>
}

export interface MentionsToTriage {
  ids: readonly Uuid[]
  /** Selects those of the ids that are still meant, once nobody else can change them. All by default. */
  matching?: Statement<{ id: Uuid }>
}

/** Locks in the common order: membership, counters, deliveries, mentions. */
export async function triageMentions(
  tx: Transaction,
  { workspaceId, clock }: Pick<WritingContext, 'workspaceId' | 'clock'>,
  actor: TriageActor,
  { ids, matching }: MentionsToTriage,
  change: TriageChange,
): Promise<Triaged | Refusal<'invalid_assignee' | 'validation_error'>> {
  const objection = changeObjection(change, clock.now())
  if (objection) return refuseField(objection.field, objection.reason)
  if (change.assigneeId && !(await holdMember(tx, workspaceId, change.assigneeId))) return NO_MEMBER
  const known = await holdCounters(tx, workspaceId, ids)
  const meant = matching === undefined ? ids : (await tx.query(matching)).map(({ id }) => id)
  const held = new Map(known.filter(({ id }) => meant.includes(id)).map((counter) => [counter.id, counter]))
  const pending = new Set(marks(change) ? [...held.values()].filter(({ scored }) => !scored).map(({ id }) => id) : [])
  const wanted = [...held.keys()].filter((id) => !pending.has(id))
  await cancelUnwanted(tx, workspaceId, wanted, change)
  const at = clock.now()
  const mentions = await lockMentions(tx, workspaceId, wanted, at)
  const moves = mentions.map((mention) => ({ mention, after: triaged(mention.triage, change, at) }))
  await storeTriage(tx, workspaceId, moves, actor, at)
  const done = new Set(mentions.map((mention) => mention.mentionId))
  const left = meant.filter((id) => !done.has(id))
  return {
    moves,
    skipped: new Map(left.map((id) => [id, pending.has(id) ? 'classification_pending' : 'not_found'])),
  }
}

const NO_MEMBER = refuse('invalid_assignee', 'The assignee is not a member of this workspace.')

/** Keeps the membership until the transaction ends. */
async function holdMember(tx: Transaction, workspaceId: Uuid, userId: Uuid): Promise<boolean> {
  const rows = await tx.query(
    sql`select 1 from membership where workspace_id = ${workspaceId} and user_id = ${userId} for key share`,
  )
  return rows.length > 0
}

/** Scoring needs the locked counters, so no delivery can be added behind this. */
async function cancelUnwanted(
  tx: Transaction,
  workspaceId: Uuid,
  ids: readonly Uuid[],
  { status }: TriageChange,
): Promise<void> {
  if (ids.length === 0 || (status !== 'ignored' && status !== 'done')) return
  await cancelDeliveries(
    tx,
    sql`d.workspace_id = ${workspaceId} and d.mention_id = any(${ids}::uuid[])`,
    `the mention is ${status}`,
  )
}
