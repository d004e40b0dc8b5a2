import { buildEnvelope, MAX_PAYLOAD_BYTES } from '../../domain/delivery/envelope.ts'
import { type Step, type StepRefusal, step } from '../../domain/delivery/lifecycle.ts'
import { DELIVERY_STATUSES, isFinished } from '../../domain/delivery/status.ts'
import type { ErrorCode } from '../../domain/refusal/error-codes.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { toId } from '../../kernel/ids.ts'
import type { DeliveryView } from '../../queries/deliveries/delivery-shape.ts'
import { findNamed, type NamedDelivery, noSuchDelivery } from '../../queries/deliveries/find-named.ts'
import type { Transaction } from '../../store/database.ts'
import { holdChannel, lockResendable, type Resendable, type ResendingChannel } from '../../store/delivery/resending.ts'
import { once } from '../once.ts'
import type { WritingContext } from '../writing.ts'

export type Again = 'retry' | 'replay'

/** Retry and replay have disjoint refusal codes. */
type OnlyOf<A extends Again> = A extends 'retry'
  ? Exclude<StepRefusal, 'not_replayable'>
  : Exclude<StepRefusal, 'not_retryable' | 'digest_has_replay' | 'digest_retry_expired'>

export type AgainRefusal<A extends Again> = OnlyOf<A> | 'not_found' | 'request_conflict'

export interface AcceptedRepeat {
  tx: Transaction
  delivery: Resendable
  channel: ResendingChannel
  next: Extract<Step, { kind: 'moved' | 'created' }>
  at: Date
}

/**
 * Checks whether a delivery may be sent again and runs `write`, in one transaction, once for a request id. Locks the
 * channel before the delivery, as disabling a channel does, so that the delivery is either sent or cancelled.
 */
export async function askAgain<A extends Again, Code extends ErrorCode = never>(
  writing: WritingContext,
  again: A,
  named: NamedDelivery,
  requestId: string,
  write: (granted: AcceptedRepeat) => Promise<DeliveryView | Refusal<Code>>,
): Promise<DeliveryView | Refusal<Code | AgainRefusal<A>>> {
  const { clock, workspaceId } = writing
  const asked = { operation: `${again}-delivery`, requestId, body: named }
  return once<DeliveryView | Refusal<Code | AgainRefusal<A>>>(writing, asked, async (tx) => {
    const at = clock.now()
    const found = await findNamed(tx, workspaceId, named, PREFERRED[again])
    if (isRefusal(found)) return found
    const channel = await holdChannel(tx, workspaceId, found.channelId)
    const delivery = channel && (await lockResendable(tx, workspaceId, found.id))
    if (!channel || !delivery) return noSuchDelivery()
    const { hasReplay } = delivery
    const facts = { jitter: 0, channelEnabled: channel.enabled, oversized: isOversized(delivery, at), hasReplay }
    const next = step(delivery.state, { kind: again }, facts, at)
    if (next.kind === 'refused')
      return refuse(
        next.code as OnlyOf<A>,
        REASONS[next.code],
        next.code === 'payload_too_large' ? { status: 409 } : {},
      )
    if (next.kind === 'ignored') throw new Error(`a ${again} was ignored`)
    return write({ tx, delivery, channel, next, at })
  })
}

/** Which delivery is chosen of a digest with several. */
const PREFERRED = { retry: ['failed', 'held'], replay: DELIVERY_STATUSES.filter(isFinished) } as const

const REASONS: Readonly<Record<StepRefusal, string>> = {
  not_retryable: 'Only failed or held deliveries can be retried.',
  not_replayable: 'Only finished deliveries can be replayed.',
  channel_disabled: 'The channel is disabled. Enable it first.',
  payload_too_large: 'The delivery is larger than 1 MiB and cannot be sent.',
  digest_has_replay: 'A newer replay of this digest exists.',
  digest_retry_expired: 'The time to retry this digest is over. Replay it instead.',
}

/** Mentions have a bounded size. */
function isOversized({ deliveryId, kind, event, alerts, data }: Resendable, at: Date): boolean {
  if (data === null) return false
  const outgoing = {
    id: toId('dlv', deliveryId),
    kind,
    event,
    alerts: alerts.map(({ id, name }) => ({ id: toId('feed', id), name })),
    data,
  }
  return Buffer.byteLength(JSON.stringify(buildEnvelope(outgoing, at))) > MAX_PAYLOAD_BYTES
}
