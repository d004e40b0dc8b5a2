import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createConfirmation } from '../api/channels.ts'
import { ApiError } from '../api/errors.ts'
import { useSession } from '../app/session.ts'
import { Button } from '../kit/button.tsx'
import { Field, TextInput } from '../kit/field.tsx'
import type { CardProps } from './card-props.ts'
import styles from './start.module.css'
import { StepFailure } from './step-failure.tsx'
import { useNewChannel } from './use-new-channel.ts'
import { useVisit } from './visit.ts'
import { words } from './words.ts'

export function EmailCard({ channels }: CardProps) {
  const [email, setEmail] = useState(useSession().user.email)
  const creation = useNewChannel()
  const reason = reasonOf(creation.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creation.mutate({ kind: 'email', emails: [email.trim()] })
  }
  return (
    <>
      <form className={styles.row} onSubmit={submit} noValidate>
        <div className={styles.grow}>
          <Field label={words.email} hint={words.emailHint} error={reason}>
            <TextInput type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
          </Field>
        </div>
        <Button type="submit" variant="primary" busy={creation.isPending} disabled={email.trim() === ''}>
          {words.emailCreate}
        </Button>
      </form>
      <StepFailure error={reason === null ? creation.error : null} />
      {unconfirmedIn(channels).map(({ id, address }) => (
        <WaitingAddress key={`${id} ${address}`} id={id} address={address} />
      ))}
    </>
  )
}

/** An entry of a list has a field of its own, such as `emails.0`. */
function reasonOf(error: Error | null): string | null {
  if (!(error instanceof ApiError)) return null
  const entry = [...error.fields].find(([field]) => field.startsWith('emails'))
  return entry === undefined ? null : entry[1]
}

function unconfirmedIn(channels: CardProps['channels']): { id: string; address: string }[] {
  return channels.flatMap(({ id, config }) => {
    if (!('recipients' in config)) return []
    return config.recipients
      .filter((recipient) => recipient.confirmedAt === null)
      .map(({ email }) => ({ id, address: email }))
  })
}

function WaitingAddress({ id, address }: { id: string; address: string }) {
  const { change } = useVisit()
  const again = useMutation({
    mutationFn: () => createConfirmation(id, address),
    onSuccess: () => change({ channelId: id, waitsFor: id, test: null, reopened: 'channel' }),
  })
  return (
    <div className={styles.row} aria-live="polite">
      <p className={styles.beside}>{again.isSuccess ? words.emailSent : words.emailWaits(address)}</p>
      <Button size="small" busy={again.isPending} onClick={() => again.mutate()}>
        {words.emailAgain}
      </Button>
      <StepFailure error={again.error} />
    </div>
  )
}
