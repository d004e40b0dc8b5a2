import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ApiKey, createApiKey } from '../api/api-keys.ts'
import { ApiError } from '../api/errors.ts'
import { reasonFor } from '../app/new-keyword/draft.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { useMay } from '../app/use-may.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Field, NativeSelect, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { SecretOnce } from '../kit/secret-once.tsx'
import styles from './settings.module.css'
import { words } from './words.ts'

const SCOPES = (['read', 'write'] as const).map((value) => ({ value, label: words.scopes[value] }))
const NOTHING = { name: '', scope: 'read' as ApiKey['scope'], lastDay: '' }

/** The end of the day, UTC. */
function endOf(day: string): string {
  return `${day}T23:59:59.999Z`
}

/** Makes a key, and shows its secret until the person has stored it. The secret is kept nowhere else. */
export function NewKeyCard() {
  const client = useQueryClient()
  const creation = useMutation({
    mutationFn: ({ name, scope, lastDay }: typeof NOTHING) =>
      createApiKey({ name: name.trim(), scope, expiresAt: lastDay === '' ? null : endOf(lastDay) }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['api-keys'] }),
  })
  const made = creation.data
  return (
    <Card title={words.newKey}>
      {made === undefined ? (
        <NewKeyForm busy={creation.isPending} error={creation.error} onCreate={creation.mutate} />
      ) : (
        <div className={styles.stack}>
          <SecretOnce secret={made.key} label={words.secret} warning={words.secretWarning} />
          <div className={styles.line}>
            <Button onClick={creation.reset}>{words.stored}</Button>
          </div>
        </div>
      )}
    </Card>
  )
}

interface NewKeyFormProps {
  busy: boolean
  error: Error | null
  onCreate: (draft: typeof NOTHING) => void
}

function NewKeyForm({ busy, error, onCreate }: NewKeyFormProps) {
  const may = useMay()
  const [draft, setDraft] = useState(NOTHING)
  const type = (part: Partial<typeof NOTHING>) => setDraft({ ...draft, ...part })
  const errors = error instanceof ApiError ? error.fields : undefined
  const isReady = may.own && draft.name.trim() !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !busy) onCreate(draft)
  }
  return (
    <Form onSubmit={submit} noValidate>
      <Field label={words.keyName} hint={words.keyNameHint} error={reasonFor(errors, 'name')}>
        <TextInput
          dir="auto"
          maxLength={80}
          value={draft.name}
          disabled={!may.own}
          onChange={(event) => type({ name: event.target.value })}
        />
      </Field>
      <Field label={words.keyScope}>
        <NativeSelect
          options={SCOPES}
          value={draft.scope}
          disabled={!may.own}
          onChange={(event) => type({ scope: event.target.value === 'write' ? 'write' : 'read' })}
        />
      </Field>
      <Field label={words.keyExpires} hint={words.keyExpiresHint} error={reasonFor(errors, 'expiresAt')}>
        <TextInput
          type="date"
          value={draft.lastDay}
          disabled={!may.own}
          onChange={(event) => type({ lastDay: event.target.value })}
        />
      </Field>
      {error !== null && (errors?.size ?? 0) === 0 && <RequestFailure error={error} />}
      <div className={styles.line}>
        <Button type="submit" variant="primary" busy={busy} disabled={!isReady}>
          {words.createKey}
        </Button>
      </div>
      {!may.own && <p className={styles.small}>{words.whoOwns}</p>}
    </Form>
  )
}
