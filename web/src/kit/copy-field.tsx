import { useId } from 'react'
import { CopyButton } from './copy-button.tsx'
import styles from './copy-field.module.css'

/** A value to take elsewhere; the label is shown above. */
export function CopyField({ value, label }: { value: string; label: string }) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={styles.line}>
        <input id={id} className={styles.value} readOnly value={value} onFocus={(event) => event.target.select()} />
        <CopyButton value={value} label={label} />
      </div>
    </div>
  )
}
