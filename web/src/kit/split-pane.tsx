import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import styles from './split-pane.module.css'

interface SplitPaneProps {
  list: ReactNode
  detail: ReactNode
  /** Below 1024 px: which of the two is shown. */
  showDetail: boolean
}

/** Two panes that scroll by themselves; the hidden one of a narrow window keeps its place. */
export function SplitPane({ list, detail, showDetail }: SplitPaneProps) {
  return (
    <div className={clsx(styles.panes, showDetail ? styles.showsDetail : styles.showsList)}>
      <div className={styles.list}>{list}</div>
      <div className={styles.detail}>{detail}</div>
    </div>
  )
}
