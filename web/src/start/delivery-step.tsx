import { useQuery } from '@tanstack/react-query'
import type { Channel } from '../api/channels.ts'
import { type Delivery, type DeliveryDetail, getDelivery } from '../api/deliveries.ts'
import { SetUpFailure } from '../app/new-channel/set-up-failure.tsx'
import { addressOf, readable, SignedRequest } from '../app/request/signed-request.tsx'
import { CodeBlock } from '../kit/code-block.tsx'
import { Notice } from '../kit/notice.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import { Inspected } from './inspected.tsx'
import waiting from './mention-step.module.css'
import styles from './start.module.css'
import { TrialOffer } from './trial-offer.tsx'
import { useVisit } from './visit.ts'
import { words } from './words.ts'

interface DeliveryWaitProps {
  delivery: Delivery | null
  /** False while the step of the first mention offers the same. */
  offersTrial: boolean
}

/** Waits for the first delivery of the channel, and says what became of one that did not arrive. */
export function DeliveryWait({ delivery, offersTrial }: DeliveryWaitProps) {
  return (
    <>
      <p className={waiting.waiting}>{words.waitingDelivery}</p>
      {delivery !== null && (
        <Notice tone="warning">
          <p>{words.deliveryStates[delivery.status]}</p>
          {delivery.error !== null && <p>{delivery.error}</p>}
        </Notice>
      )}
      {offersTrial && <TrialOffer reason={words.slowDelivery} />}
    </>
  )
}

interface ShownDeliveryProps {
  delivery: Delivery
  channel: Channel
}

/** The first delivery with its signed request and the answer to it. */
export function ShownDelivery({ delivery, channel }: ShownDeliveryProps) {
  const detail = useQuery({
    queryKey: ['delivery', delivery.id, channel.id],
    queryFn: ({ signal }) => getDelivery(delivery.id, channel.id, signal),
  })
  const { inbox } = useVisit().visit
  if (detail.isPending) return <Skeleton lines={4} />
  if (detail.error !== null) return <SetUpFailure error={detail.error} onRetry={() => void detail.refetch()} />
  return (
    <div className={styles.stack}>
      {inbox?.channelId === channel.id ? (
        <Inspected inspectionId={inbox.inspectionId} channel={channel} isWanted={(event) => event === delivery.event} />
      ) : (
        <SentRequest attempt={detail.data.attemptLog.at(-1)} channel={channel} />
      )}
      <ReceivedAnswer attempt={detail.data.attemptLog.at(-1)} />
    </div>
  )
}

type Attempt = DeliveryDetail['attemptLog'][number]

function SentRequest({ attempt, channel }: { attempt: Attempt | undefined; channel: Channel }) {
  if (!attempt?.request) return <p>{words.noRequest}</p>
  return (
    <SignedRequest
      title={words.requestSent}
      address={addressOf(channel)}
      request={{ method: 'POST', ...attempt.request }}
    />
  )
}

function ReceivedAnswer({ attempt }: { attempt: Attempt | undefined }) {
  if (!attempt?.response) return null
  const { status, body } = attempt.response
  const label = `${words.answer(status)} · ${words.took(attempt.durationMs)}`
  if (body === '') return <p>{`${label}. ${words.emptyAnswer}`}</p>
  return <CodeBlock language="json" label={label} code={readable(body)} />
}
