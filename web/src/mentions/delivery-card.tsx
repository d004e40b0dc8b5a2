import { useQuery } from '@tanstack/react-query'
import { type Delivery, searchDeliveries } from '../api/deliveries.ts'
import type { Mention } from '../api/mentions.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { useLive } from '../app/use-live.ts'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import { Time } from '../kit/time.tsx'
import type { Tone } from '../kit/tone.ts'
import styles from './delivery-card.module.css'
import { words } from './words.ts'

interface DeliveryCardProps {
  mention: Mention
  shown: boolean
  onShow: () => void
}

/** What was sent for a mention, and what became of it. */
export function DeliveryCard({ mention, shown, onShow }: DeliveryCardProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', { mentionId: mention.id }],
    queryFn: ({ signal }) => searchDeliveries({ mentionId: mention.id }, signal),
    enabled: shown,
  })
  useLive(['delivery.changed'], () => {
    if (shown) void refetch()
  })
  return (
    <Card
      title={words.deliveries}
      aside={
        <Button size="small" variant="quiet" keys="f" aria-expanded={shown} onClick={onShow}>
          {shown ? words.hide : words.show}
        </Button>
      }
    >
      {shown && error !== null && <RequestFailure error={error} onRetry={() => void refetch()} />}
      {shown && error === null && data === undefined && <Skeleton lines={2} />}
      {shown && data?.data.length === 0 && <p className={styles.none}>{words.noDeliveries}</p>}
      {shown && data !== undefined && data.data.length > 0 && (
        <ul className={styles.deliveries}>
          {data.data.map((delivery) => (
            <DeliveryLine key={`${delivery.channelId} ${delivery.id}`} delivery={delivery} />
          ))}
        </ul>
      )}
    </Card>
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
