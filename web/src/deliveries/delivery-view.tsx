import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Channel } from '../api/channels.ts'
import { type Delivery, type DeliveryDetail, getDelivery } from '../api/deliveries.ts'
import { isGone } from '../api/errors.ts'
import { StrangerText } from '../app/post/stranger.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { CHANNELS_QUERY } from '../app/workspace-queries.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Empty } from '../kit/empty.tsx'
import { followBy } from '../kit/follow.ts'
import { Notice } from '../kit/notice.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import { Time } from '../kit/time.tsx'
import type { Tone } from '../kit/tone.ts'
import { AttemptLog } from './attempt-log.tsx'
import styles from './delivery-view.module.css'
import { faultInWords } from './fault-words.ts'
import type { Opened } from './log-query.ts'
import { StatusBadge } from './status-badge.tsx'
import { useResend, waysFor } from './use-resend.ts'
import { words } from './words.ts'

interface DeliveryViewProps {
  opened: Opened
  onOpen: (opened: Opened) => void
}

/** A delivery with all that was sent and answered. */
export function DeliveryView({ opened: { id, channelId }, onOpen }: DeliveryViewProps) {
  const detail = useQuery({
    queryKey: ['delivery', id, channelId],
    queryFn: ({ signal }) => getDelivery(id, channelId, signal),
  })
  const channels = useQuery(CHANNELS_QUERY)
  if (detail.data !== undefined) {
    const channel = channels.data?.data.find((candidate) => candidate.id === detail.data.channelId)
    return <Loaded key={id} delivery={detail.data} channel={channel} onOpen={onOpen} />
  }
  if (detail.error === null) return <Skeleton lines={8} height={24} />
  if (isGone(detail.error)) return <Empty title={words.gone}>{words.goneHint}</Empty>
  return <RequestFailure error={detail.error} onRetry={() => void detail.refetch()} />
}

interface LoadedProps {
  delivery: DeliveryDetail
  channel: Channel | undefined
  onOpen: (opened: Opened) => void
}

function Loaded({ delivery, channel, onOpen }: LoadedProps) {
  return (
    <article className={styles.delivery}>
      <header className={styles.head}>
        <div className={styles.title}>
          <StatusBadge status={delivery.status} />
          <h2>
            <bdi>{channel?.label ?? words.delivery}</bdi>
          </h2>
        </div>
        <Resend delivery={delivery} onOpen={onOpen} />
      </header>
      <Outcome delivery={delivery} />
      {delivery.mention !== null && <Post mention={delivery.mention} />}
      <Facts delivery={delivery} />
      <AttemptLog delivery={delivery} channel={channel} />
    </article>
  )
}

function Resend({ delivery, onOpen }: { delivery: Delivery; onOpen: (opened: Opened) => void }) {
  const resend = useResend(delivery, ({ id, channelId }) => onOpen({ id, channelId }))
  const ways = waysFor(delivery.status)
  return (
    <div className={styles.actions}>
      {ways.map((way, index) => (
        <Button
          key={way}
          variant={index === 0 && delivery.status === 'failed' ? 'primary' : 'plain'}
          title={words.wayHints[way]}
          busy={resend.isPending && resend.variables === way}
          onClick={() => resend.mutate(way)}
        >
          {words.ways[way]}
        </Button>
      ))}
      {resend.error !== null && <RequestFailure error={resend.error} />}
    </div>
  )
}

const TONES: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'accent',
  held: 'warning',
  delivered: 'positive',
  failed: 'negative',
  cancelled: 'neutral',
}

/** What became of it, why, and what helps. */
function Outcome({ delivery: { status, attempts, error, nextAttemptAt } }: { delivery: DeliveryDetail }) {
  const advice = words.advice[status]
  return (
    <Notice tone={TONES[status]}>
      <p>
        <b>{words.outcome(status, attempts)}</b>
        {nextAttemptAt !== null && (
          <>
            {' '}
            {words.nextAttempt}: <Time at={nextAttemptAt} format="exact" />.
          </>
        )}
      </p>
      {error !== null && (
        <p>
          {words.why[status]}: <bdi>{faultInWords(error)}</bdi>
        </p>
      )}
      {advice !== null && <p>{advice}</p>}
    </Notice>
  )
}

function Post({ mention }: { mention: NonNullable<Delivery['mention']> }) {
  const [, navigate] = useLocation()
  const href = `/mentions/${mention.id}`
  return (
    <Card>
      <div className={styles.post}>
        <p className={styles.text}>
          <StrangerText text={mention.text} />
        </p>
        <LinkButton size="small" href={href} onClick={followBy(navigate)}>
          {words.openMention}
        </LinkButton>
      </div>
    </Card>
  )
}

function Facts({ delivery: { id, event, alerts, createdAt, sentAt } }: { delivery: Delivery }) {
  return (
    <dl className={styles.facts}>
      <Fact label={words.created}>
        <Time at={createdAt} format="exact" />
      </Fact>
      {sentAt !== null && (
        <Fact label={words.accepted}>
          <Time at={sentAt} format="exact" />
        </Fact>
      )}
      <Fact label={words.event}>
        <code>{event}</code>
      </Fact>
      {alerts.length > 0 && (
        <Fact label={words.rules}>
          <bdi>{words.ofRules(alerts.map(({ name }) => name))}</bdi>
        </Fact>
      )}
      <Fact label={words.id}>
        <span className={styles.id}>
          <code>{id}</code> <CopyButton value={id} label={words.copyId} />
        </span>
      </Fact>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
