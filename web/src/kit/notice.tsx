import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import styles from './notice.module.css'
import { type Tone, toneClass } from './tone.ts'

/** A line about the page that stays until its reason is gone. */
export function Notice({ tone, children, action }: { tone: Tone; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={clsx(styles.notice, toneClass(tone))}>
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  )
}
