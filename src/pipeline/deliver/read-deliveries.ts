import { DIGEST_MAX, type Digest, type DigestPart, digestShowing, mentionsShown } from '../../domain/delivery/digest.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { fromId, type Uuid } from '../../kernel/ids.ts'
import { rowOfScored } from '../../queries/mentions/mention-rows.ts'
import { type Mention, mentionFromRow } from '../../queries/mentions/mention-shape.ts'
import { readMentions } from '../../queries/mentions/read-mentions.ts'
import type { Database } from '../../store/database.ts'
import { dropUnsendable } from '../../store/delivery/delivery-claims.ts'
import { putOffFollowers } from '../../store/delivery/delivery-order.ts'
import {
  type ClaimedDelivery,
  changedSince,
  type DueDelivery,
  openMentions,
  readDue,
  readRoutes,
} from '../../store/delivery/due-deliveries.ts'
import type { NewDelivery } from '../../store/delivery/rule-deliveries.ts'
import type { Score } from '../../store/model/score.ts'

export interface InFlight {
  workspaceId: Uuid
  channelId: Uuid
  deliveryId: Uuid
  due: DueDelivery
  /** Null for other kinds, and for a mention that is closed or gone. */
  mention: (() => Mention) | null
  leasedUntil: Date
}

export interface ReadingParts {
  db: Database
  clock: Clock
}

export function readFromMemory(
  deliveries: readonly NewDelivery[],
  leasedUntil: Date,
  { clock }: ReadingParts,
): InFlight[] {
  const shown = new Map<Score, () => Mention>()
  return deliveries.map(({ score, admitted: _, ...due }) => {
    const { workspaceId, channelId, deliveryId } = due
    const mention = shown.get(score) ?? showing(score, due.createdAt, clock)
    shown.set(score, mention)
    return { workspaceId, channelId, deliveryId, due, mention, leasedUntil }
  })
}

const SHOWN_MS = SECOND_MS

function showing(score: Score, scoredAt: Date, clock: Clock): () => Mention {
  let last: { mention: Mention; atMs: number } | null = null
  return () => {
    const at = clock.now()
    const age = last === null ? SHOWN_MS : at.getTime() - last.atMs
    if (last === null || age < 0 || age >= SHOWN_MS)
      last = { mention: mentionFromRow(rowOfScored(score, scoredAt), at), atMs: at.getTime() }
    return last.mention
  }
}

export async function readClaimed(
  claimed: readonly ClaimedDelivery[],
  leasedUntil: Date,
  reading: ReadingParts,
): Promise<InFlight[]> {
  if (claimed.length === 0) return []
  const due = await readSendable(claimed, leasedUntil, reading)
  const { db, clock } = reading
  const wanted = due.flatMap(({ workspaceId, mentionId }) => (mentionId ? [{ workspaceId, mentionId }] : []))
  const [mentions, open] = await Promise.all([
    readMentions(db, wanted, clock.now()),
    openMentions(db, due.flatMap(mentionsOf)),
  ])
  return due.map((delivery) => {
    const { workspaceId, channelId, deliveryId, mentionId } = delivery
    const mention = mentionId && open.has(mentionId) ? mentions.get(mentionId) : undefined
    return {
      workspaceId,
      channelId,
      deliveryId,
      due: withOpen(delivery, open),
      mention: mention ? () => mention : null,
      leasedUntil,
    }
  })
}

/** Drops the others in the database too, and postpones those that follow another delivery. */
async function readSendable(
  claimed: readonly ClaimedDelivery[],
  leasedUntil: Date,
  { db, clock }: ReadingParts,
): Promise<DueDelivery[]> {
  const pending = (await readDue(db, claimed)).filter(({ state }) => state.status === 'pending')
  if (pending.length < claimed.length) {
    const sendable = new Set(pending.map(({ deliveryId }) => deliveryId))
    const unsendable = claimed.filter(({ deliveryId }) => !sendable.has(deliveryId))
    await dropUnsendable(db, unsendable)
  }
  const later = await putOffFollowers(db, pending, { at: clock.now(), leasedUntil })
  return pending.filter(({ deliveryId }) => !later.has(deliveryId))
}

/**
 * The present state of deliveries, null for cancelled ones. Only changed ones, digests (whose mentions may have
 * changed) and those of several rules are read again.
 */
export async function readAgain(group: readonly InFlight[], { db }: ReadingParts): Promise<(InFlight | null)[]> {
  const shared = new Map(group.map(({ due }) => [wayOf(due), due]))
  const [changed, found] = await Promise.all([
    changedSince(
      db,
      group.map(({ due }) => due),
    ),
    readRoutes(db, [...shared.values()]),
  ])
  const ways = new Map([...shared.keys()].map((way, at) => [way, found[at]!]))
  const isOther = (flight: InFlight, at: number) =>
    changed.has(at) ||
    flight.due.kind === 'digest' ||
    flight.due.alerts.length > 1 ||
    ways.get(wayOf(flight.due)) === null
  const others = group.filter(isOther)
  const read = new Map(
    others.length === 0 ? [] : (await readWhole(others, db)).map((flight, at) => [others[at]!, flight]),
  )
  return group.map((flight) => {
    const other = read.get(flight)
    if (other !== undefined) return other
    const { channel, alertName } = ways.get(wayOf(flight.due))!
    return {
      ...flight,
      due: {
        ...flight.due,
        channel,
        alerts: flight.due.alerts.flatMap((alert) => (alertName === null ? [] : [{ ...alert, name: alertName }])),
      },
    }
  })
}

function wayOf({ channelId, alerts: [alert] }: DueDelivery): string {
  return alert === undefined ? channelId : `${channelId} ${alert.id}`
}

async function readWhole(group: readonly InFlight[], db: Database): Promise<(InFlight | null)[]> {
  const [due, open] = await Promise.all([
    readDue(db, group),
    openMentions(
      db,
      group.flatMap(({ due }) => mentionsOf(due)),
    ),
  ])
  const byId = new Map(due.map((delivery) => [delivery.deliveryId, delivery]))
  return group.map((flight) => {
    const now = byId.get(flight.deliveryId)
    if (now?.state.status !== 'pending') return null
    return {
      ...flight,
      due: withOpen(now, open),
      mention: now.mentionId && open.has(now.mentionId) ? flight.mention : null,
    }
  })
}

function mentionsOf(due: DueDelivery): { workspaceId: Uuid; mentionId: Uuid }[] {
  const digest = digestOf(due)
  const ids = digest === null ? [due.mentionId] : mentionsShown(digest).map((id) => fromId('mtn', id))
  return ids.flatMap((mentionId) => (mentionId === null ? [] : [{ workspaceId: due.workspaceId, mentionId }]))
}

/** Removes mentions of a digest that were closed or removed, or whose author was muted, since it was made. */
function withOpen(due: DueDelivery, open: ReadonlySet<Uuid>): DueDelivery {
  const digest = digestOf(due)
  if (digest === null) return due
  return { ...due, data: { ...digestShowing(digest, (id) => open.has(fromId('mtn', id)!)) } }
}

/** Null also for an incomplete digest, so that one bad row does not hold up its batch. */
function digestOf({ kind, data }: DueDelivery): Digest<{ id: string }> | null {
  const isWhole = kind === 'digest' && data !== null && PARTS.every((part) => Array.isArray(data[part]))
  return isWhole ? (data as unknown as Digest<{ id: string }>) : null
}

const PARTS = Object.keys(DIGEST_MAX) as DigestPart[]
