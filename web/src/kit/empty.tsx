import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import styles from './empty.module.css'

interface EmptyProps {
  title: string
  children?: ReactNode
  /** The button or link that helps. */
  action?: ReactNode
  /** For a success, such as an inbox that is done, and for small panels. */
  quiet?: boolean | undefined
}

export function Empty({ title, children, action, quiet }: EmptyProps) {
  return (
    <div className={clsx(styles.empty, quiet && styles.quiet)}>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.body}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
