import { type FormEvent, useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { Button } from '../kit/button.tsx'
import { CopyField } from '../kit/copy-field.tsx'
import { Field, TextInput } from '../kit/field.tsx'
import { SecretOnce } from '../kit/secret-once.tsx'
import styles from './start.module.css'
import { StepFailure } from './step-failure.tsx'
import { useNewChannel } from './use-new-channel.ts'
import { useVisit } from './visit.ts'
import { words } from './words.ts'

export function WebhookCard() {
  const [url, setUrl] = useState('')
  const creation = useNewChannel()
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
      <StepFailure error={reason === undefined ? creation.error : null} />
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

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** The secret of a new webhook, until the person has stored it. */
export function NewSecret() {
  const { visit, change } = useVisit()
  if (visit.secret === null) return null
  const { url, secret } = visit.secret
  return (
    <div className={styles.panel}>
      <SecretOnce secret={secret} label={words.secret} warning={words.secretWarning} />
      {LOCAL_HOSTS.includes(new URL(url).hostname) && (
        <CopyField label={words.receiverCommand} value={`node examples/webhook-receiver.mjs ${secret}`} />
      )}
      <div className={styles.row}>
        <Button size="small" onClick={() => change({ secret: null })}>
          {words.dismissSecret}
        </Button>
      </div>
    </div>
  )
}
