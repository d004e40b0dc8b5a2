import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Delivery, replayDelivery, retryDelivery } from '../api/deliveries.ts'
import { newRequestId } from '../app/request-id.ts'
import { showToast } from '../kit/toast.tsx'
import { words } from './words.ts'

export type Way = 'retry' | 'replay'

export const SEND: Readonly<Record<Way, typeof retryDelivery>> = { retry: retryDelivery, replay: replayDelivery }

/** Sends a delivery again. `onReplayed` opens the new delivery. */
export function useResend(delivery: Delivery, onReplayed: (replay: Delivery) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (way: Way) => SEND[way]({ ...delivery, requestId: newRequestId() }),
    onSuccess: (sent, way) => {
      void client.invalidateQueries({ queryKey: ['deliveries'] })
      void client.invalidateQueries({ queryKey: ['delivery', delivery.id] })
      showToast(
        way === 'retry'
          ? { text: words.retried }
          : { text: words.replayed, action: { label: words.openReplay, onPress: () => onReplayed(sent) } },
      )
    },
  })
}

const CAN_RETRY: ReadonlySet<Delivery['status']> = new Set(['failed', 'held'])
const CAN_REPLAY: ReadonlySet<Delivery['status']> = new Set(['delivered', 'failed', 'cancelled'])

export function waysFor(status: Delivery['status']): Way[] {
  return [...(CAN_RETRY.has(status) ? ['retry' as const] : []), ...(CAN_REPLAY.has(status) ? ['replay' as const] : [])]
}
