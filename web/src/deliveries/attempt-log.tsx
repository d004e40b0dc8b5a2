import { clsx } from 'clsx'
import { useState } from 'react'
import type { Channel } from '../api/channels.ts'
import type { DeliveryDetail } from '../api/deliveries.ts'
import { addressOf, readable, SignedRequest } from '../app/request/signed-request.tsx'
import { Badge } from '../kit/badge.tsx'
import { CodeBlock } from '../kit/code-block.tsx'
import { formatExact } from '../kit/time.tsx'
import { type Tone, toneClass } from '../kit/tone.ts'
import { VisuallyHidden } from '../kit/visually-hidden.tsx'
import styles from './delivery-view.module.css'
import { faultInWords } from './fault-words.ts'
import { words } from './words.ts'

type Attempt = DeliveryDetail['attemptLog'][number]

interface AttemptLogProps {
  delivery: DeliveryDetail
  channel: Channel | undefined
}

/** Every attempt by its number, and the chosen one with its request and answer; at first the newest. */
export function AttemptLog({ delivery: { attemptLog, status }, channel }: AttemptLogProps) {
  const [number, setNumber] = useState<number | null>(null)
  const newest = attemptLog.at(-1)
  const chosen = attemptLog.find((attempt) => attempt.number === number) ?? newest
  return (
    <section className={styles.attempts}>
      <h3>{words.attemptLog}</h3>
      {chosen === undefined && <p className={styles.quiet}>{words.noAttempt}</p>}
      {attemptLog.length > 1 && (
        <fieldset className={styles.numbers} aria-label={words.attemptList}>
          {attemptLog.map((attempt) => (
            <button
              key={attempt.number}
              type="button"
              className={styles.number}
              aria-pressed={attempt === chosen}
              onClick={() => setNumber(attempt.number)}
            >
              <span className={clsx(styles.sign, toneClass(TONES[attempt.outcome]))} aria-hidden="true">
                {SIGNS[attempt.outcome]}
              </span>
              {words.attempt(attempt.number)}
              <VisuallyHidden>{labelOf(attempt, attempt === newest && status === 'failed')}</VisuallyHidden>
            </button>
          ))}
        </fieldset>
      )}
      {chosen !== undefined && (
        <AttemptView
          key={chosen.number}
          attempt={chosen}
          isLast={chosen === newest && status === 'failed'}
          channel={channel}
        />
      )}
    </section>
  )
}

const SIGNS: Readonly<Record<Attempt['outcome'], string>> = {
  delivered: '✓',
  temporary_failure: '↻',
  permanent_failure: '✕',
}

const TONES: Readonly<Record<Attempt['outcome'], Tone>> = {
  delivered: 'positive',
  temporary_failure: 'warning',
  permanent_failure: 'negative',
}

function labelOf({ outcome }: Attempt, isLast: boolean): string {
  return isLast && outcome === 'temporary_failure' ? words.lastTemporary : words.outcomes[outcome]
}

interface AttemptViewProps {
  attempt: Attempt
  isLast: boolean
  channel: Channel | undefined
}

function AttemptView({ attempt, isLast, channel }: AttemptViewProps) {
  const { number, at, durationMs, outcome, error, request } = attempt
  return (
    <div className={styles.attempt}>
      <p className={styles.line}>
        <b>{words.attempt(number)}</b>
        <Badge tone={TONES[outcome]}>{labelOf(attempt, isLast)}</Badge>
        <span className={styles.quiet}>
          <time dateTime={at}>{formatExact(at)}</time> · {words.took(durationMs)}
        </span>
        {error !== null && <bdi className={styles.fault}>{faultInWords(error)}</bdi>}
      </p>
      <Answer attempt={attempt} />
      {request === null ? (
        <p className={styles.quiet}>{words.noRequest}</p>
      ) : (
        <SignedRequest
          title={words.requestSent}
          address={channel === undefined ? null : addressOf(channel)}
          request={{ method: 'POST', ...request }}
        />
      )}
    </div>
  )
}

function Answer({ attempt: { response } }: { attempt: Attempt }) {
  if (response === null) return <p className={styles.quiet}>{words.noAnswer}</p>
  const label = `${words.answerTitle}: ${words.answer(response.status)}`
  if (response.body === '') return <p className={styles.quiet}>{`${label}. ${words.emptyAnswer}`}</p>
  const body = readable(response.body)
  return <CodeBlock language={body.startsWith('{') ? 'json' : 'text'} label={label} code={body} />
}
