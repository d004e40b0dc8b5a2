import { CopyField } from './copy-field.tsx'
import { Warning } from './icons.tsx'
import styles from './secret-once.module.css'

interface SecretOnceProps {
  secret: string
  label: string
  /** Says that the secret is not shown again, and what to do when the secret is lost. */
  warning: string
}

export function SecretOnce({ secret, label, warning }: SecretOnceProps) {
  return (
    <div className={styles.secret}>
      <CopyField value={secret} label={label} />
      <p className={styles.warning}>
        <Warning />
        {warning}
      </p>
    </div>
  )
}
