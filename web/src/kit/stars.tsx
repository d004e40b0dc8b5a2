import styles from './stars.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'
import { LOCALE, words } from './words.ts'

const RATING = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 })

/** A rating, also a mean: the last star is filled in part. */
export function Stars({ rating, max = 5 }: { rating: number; max?: number | undefined }) {
  return (
    <span className={styles.stars}>
      <VisuallyHidden>{words.stars(RATING.format(rating), max)}</VisuallyHidden>
      <span aria-hidden="true" className={styles.line}>
        {'☆'.repeat(max)}
        <span className={styles.filled} style={{ inlineSize: `${(rating / max) * 100}%` }}>
          {'★'.repeat(max)}
        </span>
      </span>
    </span>
  )
}
