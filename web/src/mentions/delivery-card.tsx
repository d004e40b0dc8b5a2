import { useQuery } from '@tanstack/react-query'
import { type Delivery, searchDeliveries } from '../api/deliveries.ts'
import type { Mention } from '../api/mentions.ts'
import { keyOf } from '../app/key-table.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { useLive } from '../app/use-live.ts'
import { Badge } from '../kit/badge.tsx'
import { Time } from '../kit/time.tsx'
import type { Tone } from '../kit/tone.ts'
import styles from './delivery-card.module.css'
import { FoldedCard } from './folded-card.tsx'
import { words } from './words.ts'

interface DeliveryCardProps {
  mention: Mention
  shown: boolean
  onShow: () => void
}

/** What was sent for a mention, and what became of it. */
export function DeliveryCard({ mention, shown, onShow }: DeliveryCardProps) {
  const deliveries = useQuery({
    queryKey: ['deliveries', { mentionId: mention.id }],
    queryFn: ({ signal }) => searchDeliveries({ mentionId: mention.id }, signal),
    enabled: shown,
  })
  useLive(['delivery.changed'], () => {
    if (shown) void deliveries.refetch()
  })
  return (
    <FoldedCard title={words.deliveries} keys={keyOf('deliveries')} shown={shown} onShow={onShow}>
      <QueryPanel query={deliveries} lines={2}>
        {({ data }) => <DeliveryLines deliveries={data} />}
      </QueryPanel>
    </FoldedCard>
  )
}

function DeliveryLines({ deliveries }: { deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0) return <p className={styles.none}>{words.noDeliveries}</p>
  return (
    <ul className={styles.deliveries}>
      {deliveries.map((delivery) => (
        <DeliveryLine key={`${delivery.channelId} ${delivery.id}`} delivery={delivery} />
      ))}
    </ul>
  )
}

const TONES: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'neutral',
  held: 'warning',
  delivered: 'positive',
  failed: 'negative',
  cancelled: 'neutral',
}

function DeliveryLine({ delivery: { status, event, alerts, error, sentAt, createdAt } }: { delivery: Delivery }) {
  return (
    <li className={styles.delivery}>
      <Badge tone={TONES[status]}>{words.deliveryStatus[status]}</Badge>
      <span className={styles.cause}>
        <b>{event}</b> <small>{alerts.map(({ name }) => name).join(', ')}</small>
        {error !== null && <small className={styles.error}>{error}</small>}
      </span>
      <small>
        <Time at={sentAt ?? createdAt} />
      </small>
    </li>
  )
}
