import type { Clock } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import { type Mention, mentionFromRow, readMentions, rowOfScored } from '../queries/mentions/mention-shape.ts'
import type { Database } from '../store/database.ts'
import { type ClaimedDelivery, type DueDelivery, openMentions, readDue } from '../store/deliveries.ts'
import { dropUnsendable } from '../store/delivery-claims.ts'
import type { NewDelivery } from '../store/scores.ts'

/** A delivery in hand. */
export interface Held {
  workspaceId: Uuid
  channelId: Uuid
  deliveryId: Uuid
  due: DueDelivery
  /** What it carries; null when that is not a mention, or one that is closed or gone. */
  mention: (() => Mention) | null
  leasedUntil: Date
}

interface Sources {
  db: Database
  clock: Clock
}

/** A delivery that was just written down, from what its transaction had in memory. */
export function heldFromMemory({ score, admitted: _, ...due }: NewDelivery, leasedUntil: Date, { clock }: Sources): Held {
  const { workspaceId, channelId, deliveryId } = due
  const mention = () => mentionFromRow(rowOfScored(score, due.createdAt), clock.now())
  return { workspaceId, channelId, deliveryId, due, mention, leasedUntil }
}

/** What of the claimed deliveries is still to be sent, whole. */
export async function readClaimed(claimed: readonly ClaimedDelivery[], leasedUntil: Date, { db, clock }: Sources): Promise<Held[]> {
  if (claimed.length === 0) return []
  const due = (await readDue(db, claimed)).filter((one) => one.state.status === 'pending')
  if (due.length < claimed.length) {
    const sendable = new Set(due.map((one) => one.deliveryId))
    await dropUnsendable(
      db,
      claimed.filter((one) => !sendable.has(one.deliveryId)),
    )
  }
  const wanted = due.flatMap((one) => (one.mentionId ? [{ workspaceId: one.workspaceId, mentionId: one.mentionId }] : []))
  const [mentions, open] = await Promise.all([readMentions(db, wanted, clock.now()), openMentions(db, wanted)])
  return due.map((one) => {
    const mention = one.mentionId && open.has(one.mentionId) ? mentions.get(one.mentionId) : undefined
    return {
      workspaceId: one.workspaceId,
      channelId: one.channelId,
      deliveryId: one.deliveryId,
      due: one,
      mention: mention ? () => mention : null,
      leasedUntil,
    }
  })
}

/** Deliveries in hand as they are by now; null for those that are no longer to be sent. */
export async function readAgain(group: readonly Held[], { db }: Sources): Promise<(Held | null)[]> {
  const wanted = group.flatMap(({ due }) => (due.mentionId ? [{ workspaceId: due.workspaceId, mentionId: due.mentionId }] : []))
  const [due, open] = await Promise.all([readDue(db, group), openMentions(db, wanted)])
  const byId = new Map(due.map((one) => [one.deliveryId, one]))
  return group.map((one) => {
    const now = byId.get(one.deliveryId)
    if (now?.state.status !== 'pending') return null
    return { ...one, due: now, mention: now.mentionId && open.has(now.mentionId) ? one.mention : null }
  })
}
