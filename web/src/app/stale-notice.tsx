import type { ReactNode } from 'react'
import { Button } from '../kit/button.tsx'
import { Notice } from '../kit/notice.tsx'
import styles from './stale-notice.module.css'
import { words } from './words.ts'

interface StaleNoticeProps {
  /** What was changed by somebody else: "Somebody changed the rule while you edited it." */
  children: string
  /** What loads the present state: "Show the present rule". */
  loadLabel: string
  onLoad: () => void
  onSave: () => void
  /** Both versions, where they can be shown. */
  versions?: ReactNode
}

/** A colleague was faster: the person chooses between both versions. */
export function StaleNotice({ children, loadLabel, onLoad, onSave, versions }: StaleNoticeProps) {
  return (
    <div role="alert">
      <Notice
        tone="warning"
        action={
          <span className={styles.line}>
            <Button size="small" onClick={onLoad}>
              {loadLabel}
            </Button>
            <Button size="small" onClick={onSave}>
              {words.saveMine}
            </Button>
          </span>
        }
      >
        {children}
        {versions}
      </Notice>
    </div>
  )
}
