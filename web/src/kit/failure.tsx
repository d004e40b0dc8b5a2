import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import styles from './failure.module.css'
import { Warning } from './icons.tsx'
import { words } from './words.ts'

interface FailureProps {
  message: string
  requestId?: string | null | undefined
  onRetry?: (() => void) | undefined
  /** More help, such as a link to where the fault can be mended. */
  children?: ReactNode
}

export function Failure({ message, requestId, onRetry, children }: FailureProps) {
  return (
    <div role="alert" className={styles.failure}>
      <span className={styles.icon}>
        <Warning />
      </span>
      <div className={styles.body}>
        <p>{message}</p>
        {children}
        {(onRetry || requestId) && (
          <div className={styles.actions}>
            {onRetry && (
              <Button size="small" onClick={onRetry}>
                {words.tryAgain}
              </Button>
            )}
            {requestId && <CopyButton value={requestId} label={words.requestId} text={requestId} />}
          </div>
        )}
      </div>
    </div>
  )
}
