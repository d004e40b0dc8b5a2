import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { Button } from '../../kit/button.tsx'
import { CopyField } from '../../kit/copy-field.tsx'
import { Field, TextInput } from '../../kit/field.tsx'
import styles from './new-channel.module.css'
import type { NewChannelProps } from './new-channel-props.ts'
import { SetUpFailure } from './set-up-failure.tsx'
import { useChannelCreation } from './use-channel-creation.ts'
import { words } from './words.ts'

export function WebhookForm({ onCreated }: Pick<NewChannelProps, 'onCreated'>) {
  const [url, setUrl] = useState('')
  const creation = useChannelCreation(onCreated)
  const reason = creation.error instanceof ApiError ? creation.error.fields.get('url') : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creation.mutate({ kind: 'webhook', url: url.trim() })
  }
  return (
    <>
      <form className={styles.row} onSubmit={submit} noValidate>
        <div className={styles.grow}>
          <Field label={words.url} hint={words.urlHint} error={reason}>
            <TextInput
              type="url"
              dir="ltr"
              placeholder={words.urlExample}
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          </Field>
        </div>
        <Button type="submit" variant="primary" busy={creation.isPending} disabled={url.trim() === ''}>
          {words.createWebhook}
        </Button>
      </form>
      <SetUpFailure error={reason === undefined ? creation.error : null} />
      <details className={styles.local}>
        <summary>{words.localHelp}</summary>
        <div className={styles.stack}>
          <p>{words.localSteps}</p>
          <CopyField label={words.setting} value="EGRESS_ALLOW=127.0.0.1" />
        </div>
      </details>
    </>
  )
}
