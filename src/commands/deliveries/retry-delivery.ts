import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { DeliveryView } from '../../queries/deliveries/delivery-shape.ts'
import type { NamedDelivery } from '../../queries/deliveries/find-named.ts'
import { viewDelivery } from '../../queries/deliveries/get-delivery.ts'
import type { Transaction } from '../../store/database.ts'
import { openMentions } from '../../store/delivery/due-deliveries.ts'
import { queueAgain, type Resendable } from '../../store/delivery/resending.ts'
import type { WritingContext } from '../writing.ts'
import { type AgainRefusal, askAgain } from './ask-again.ts'
import { type KindRefusal, REFUSES_RETRY } from './refuses-retry.ts'

/**
 * Restarts a failed or held delivery under its id with all attempts. A closed mention is refused; one closed later is
 * cancelled when it is due, like any delivery.
 */
export function retryDelivery(
  writing: WritingContext,
  named: NamedDelivery,
  requestId: string,
): Promise<DeliveryView | Refusal<AgainRefusal<'retry'> | KindRefusal>> {
  return askAgain(writing, 'retry', named, requestId, async ({ tx, delivery, channel, next, at }) => {
    if (await isUnwanted(tx, delivery))
      return refuse(
        'not_retryable',
        'The mention is ignored, done or deleted, or its author is muted, so it would not be sent.',
      )
    const objection = REFUSES_RETRY[channel.kind]?.(delivery, at)
    if (objection) return refuse(objection, REASONS[objection])
    await queueAgain(tx, delivery, next.state)
    return viewDelivery(tx, delivery)
  })
}

async function isUnwanted(tx: Transaction, { workspaceId, mentionId }: Resendable): Promise<boolean> {
  return mentionId !== null && (await openMentions(tx, [{ workspaceId, mentionId }])).size === 0
}

const REASONS: Readonly<Record<KindRefusal, string>> = {
  email_hourly_limit:
    'The channel has sent its 20 e-mails of this hour. This one is sent when the limit allows, or is ' +
    'covered by the next daily digest.',
  email_idempotency_expired: 'The time for a safe retry is over. A replay may reach recipients twice.',
}
