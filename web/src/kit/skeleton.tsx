import styles from './skeleton.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'
import { words } from './words.ts'

interface SkeletonProps {
  lines?: number | undefined
  /** Height of a line in px; the true height of what comes keeps the page still. */
  height?: number | undefined
}

/** Nothing for 150 ms, so that quick answers do not flicker. */
export function Skeleton({ lines = 3, height = 20 }: SkeletonProps) {
  return (
    <div className={styles.skeleton} aria-busy="true">
      <VisuallyHidden>{words.loading}</VisuallyHidden>
      {[...Array(lines).keys()].map((line) => (
        <div key={line} className={styles.line} style={{ blockSize: height }} />
      ))}
    </div>
  )
}
