import type { Refusal } from '../../domain/refusal/refusal.ts'
import { newUuid } from '../../kernel/ids.ts'
import type { DeliveryView } from '../../queries/deliveries/delivery-shape.ts'
import type { NamedDelivery } from '../../queries/deliveries/find-named.ts'
import { viewDelivery } from '../../queries/deliveries/get-delivery.ts'
import { insertReplay } from '../../store/delivery/resending.ts'
import type { WritingContext } from '../writing.ts'
import { type AgainRefusal, askAgain } from './ask-again.ts'

/** Sends the content of a finished delivery as a new one. */
export function replayDelivery(
  writing: WritingContext,
  named: NamedDelivery,
  requestId: string,
): Promise<DeliveryView | Refusal<AgainRefusal<'replay'>>> {
  return askAgain(writing, 'replay', named, requestId, async ({ tx, delivery, next, at }) => {
    const deliveryId = newUuid(at)
    await insertReplay(tx, delivery, deliveryId, next.state, at)
    return viewDelivery(tx, { ...delivery, deliveryId })
  })
}
