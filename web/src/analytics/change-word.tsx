import { formatCount } from '../kit/count.tsx'
import { formatShare } from '../kit/share.tsx'
import styles from './analytics.module.css'

/** A count of the days before, and how much it became. */
export function ChangeWord({ now, before }: { now: number; before: number | null }) {
  if (before === null) return '–'
  return (
    <span className={styles.change}>
      {formatCount(before)}
      {before > 0 && now !== before && (
        <small>
          {now > before ? '▲' : '▼'} {formatShare(Math.abs(now - before) / before)}
        </small>
      )}
    </span>
  )
}
