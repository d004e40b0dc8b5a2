import type { RoomReason } from '../../domain/channel/room.ts'
import { MAX_ATTEMPTS } from '../../domain/delivery/lifecycle.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { type DueAlert, instantState, type SendingChannel } from '../../store/delivery/due-deliveries.ts'
import {
  type DeliveryAdmission,
  holdChannels,
  type NewDelivery,
  writeDeliveries,
} from '../../store/delivery/rule-deliveries.ts'
import { holdRules } from '../../store/delivery/rules.ts'
import { WaitingRoom } from '../../store/delivery/waiting-room.ts'
import type { Score } from '../../store/model/score.ts'
import type { RuleMatches, WantedMentions } from './rule-matches.ts'

export interface Delivering {
  at: Date
  admission?: DeliveryAdmission
  /** Knows which workspaces have too many waiting deliveries; shared by the process by default. */
  room?: WaitingRoom
}

const ROOM = new WaitingRoom()

/** For callers that leave all deliveries to the queue. */
const ADMITS_NOTHING: DeliveryAdmission = { leasedUntil: new Date(0), admits: () => false }

/** Creates deliveries for existing, enabled rules and channels. */
export async function deliverToRules(
  tx: Transaction,
  scores: readonly Score[],
  wishes: RuleMatches,
  { at, admission = ADMITS_NOTHING, room = ROOM }: Delivering,
): Promise<NewDelivery[]> {
  const wanted = scores.filter(({ mention, person }) => mention.status === 'open' && !person?.muted).flatMap(wishes.of)
  if (wanted.length === 0) return []
  const owners = new Map(wanted.map(({ score, channelId }) => [channelId, score.mention.workspaceId]))
  const [names, channels] = await Promise.all([
    holdRules(tx, [...new Set(wanted.flatMap(({ rules }) => rules))]),
    holdChannels(tx, owners),
  ])
  const deliveries = wanted.flatMap((item): NewDelivery[] => {
    const alerts = item.rules.flatMap(({ id }) => (names.has(id) ? [{ id, name: names.get(id)! }] : []))
    const channel = channels.get(item.channelId)
    return alerts.length > 0 && channel?.enabled ? [newDelivery(item, alerts, channel, at, admission)] : []
  })
  if (deliveries.length === 0) return []
  const crowded = await room.crowded(tx, waitingOf(deliveries), at)
  const placed =
    crowded.size === 0
      ? deliveries
      : deliveries.map((delivery) =>
          delivery.admitted || !crowded.has(delivery.workspaceId) ? delivery : heldBack(delivery),
        )
  await writeDeliveries(tx, placed, at, admission.leasedUntil)
  return placed
}

/** Counts the deliveries that each workspace leaves in the queue. */
function waitingOf(deliveries: readonly NewDelivery[]): Map<Uuid, number> {
  const waiting = new Map<Uuid, number>()
  for (const { workspaceId, admitted } of deliveries)
    if (!admitted) waiting.set(workspaceId, (waiting.get(workspaceId) ?? 0) + 1)
  return waiting
}

function heldBack(delivery: NewDelivery): NewDelivery {
  return { ...delivery, state: { ...delivery.state, status: 'held', error: NO_ROOM } }
}

const NO_ROOM = 'waiting_limit' satisfies RoomReason

function newDelivery(
  { score, rules, channelId }: WantedMentions,
  alerts: readonly DueAlert[],
  channel: SendingChannel,
  at: Date,
  admission: DeliveryAdmission,
): NewDelivery {
  const { workspaceId, mentionId } = score.mention
  return {
    workspaceId,
    deliveryId: newUuid(at),
    channelId,
    kind: 'mention',
    event: rules.find(({ id }) => id === alerts[0]!.id)!.event,
    alerts,
    mentionId,
    data: null,
    createdAt: at,
    channel,
    state: instantState({ status: 'pending', attempts: 0, attempt_limit: MAX_ATTEMPTS }),
    score,
    admitted: admission.admits(workspaceId, channelId),
  }
}
