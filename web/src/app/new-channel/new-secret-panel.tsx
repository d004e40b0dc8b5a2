import { Button } from '../../kit/button.tsx'
import { CopyField } from '../../kit/copy-field.tsx'
import { SecretOnce } from '../../kit/secret-once.tsx'
import styles from './new-channel.module.css'
import { VerifySnippet } from './verify-snippet.tsx'
import { words } from './words.ts'

interface NewSecretPanelProps {
  url: string
  secret: string
  onStored: () => void
}

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** A signing secret, which no answer shows again, and how a receiver checks signatures with it. */
export function NewSecretPanel({ url, secret, onStored }: NewSecretPanelProps) {
  return (
    <div className={styles.panel}>
      <SecretOnce secret={secret} label={words.secret} warning={words.secretWarning} />
      {LOCAL_HOSTS.includes(new URL(url).hostname) && (
        <CopyField label={words.receiverCommand} value={`node examples/webhook-receiver.mjs ${secret}`} />
      )}
      <VerifySnippet />
      <div className={styles.row}>
        <Button size="small" onClick={onStored}>
          {words.dismissSecret}
        </Button>
      </div>
    </div>
  )
}
