import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Channel, createConfirmation } from '../../api/channels.ts'
import { ApiError } from '../../api/errors.ts'
import { Button } from '../../kit/button.tsx'
import { Field, TextInput } from '../../kit/field.tsx'
import { useSession } from '../session.ts'
import styles from './new-channel.module.css'
import type { NewChannelProps } from './new-channel-props.ts'
import { SetUpFailure } from './set-up-failure.tsx'
import { useChannelCreation } from './use-channel-creation.ts'
import { words } from './words.ts'

export function EmailForm({ channels, onCreated }: NewChannelProps) {
  const [email, setEmail] = useState(useSession().user.email)
  const creation = useChannelCreation(onCreated)
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
      <SetUpFailure error={reason === null ? creation.error : null} />
      {channels.flatMap((channel) =>
        unconfirmedOf(channel).map((address) => (
          <WaitingAddress
            key={`${channel.id} ${address}`}
            id={channel.id}
            address={address}
            onSent={() => onCreated(channel)}
          />
        )),
      )}
    </>
  )
}

/** An entry of a list has a field of its own, such as `emails.0`. */
export function reasonOf(error: Error | null): string | null {
  if (!(error instanceof ApiError)) return null
  const entry = [...error.fields].find(([field]) => field.startsWith('emails'))
  return entry === undefined ? null : entry[1]
}

/** Recipients whose address nobody has confirmed. */
export function unconfirmedOf({ config }: Channel): string[] {
  if (!('recipients' in config)) return []
  return config.recipients.flatMap(({ email, confirmedAt }) => (confirmedAt === null ? [email] : []))
}

interface WaitingAddressProps {
  id: string
  address: string
  onSent?: (() => void) | undefined
}

export function WaitingAddress({ id, address, onSent }: WaitingAddressProps) {
  const again = useMutation({ mutationFn: () => createConfirmation(id, address), onSuccess: () => onSent?.() })
  return (
    <div className={styles.row} aria-live="polite">
      <p className={styles.beside}>{again.isSuccess ? words.emailSent : words.emailWaits(address)}</p>
      <Button size="small" busy={again.isPending} onClick={() => again.mutate()}>
        {words.emailAgain}
      </Button>
      <SetUpFailure error={again.error} />
    </div>
  )
}
