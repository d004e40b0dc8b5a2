import { useLocation } from 'wouter'
import { LinkButton } from '../../kit/button.tsx'
import { followBy } from '../../kit/follow.ts'
import { formatMonth } from '../../kit/time.tsx'
import { monthAfter } from './month.ts'
import styles from './month-links.module.css'
import { words } from './words.ts'

interface MonthLinksProps {
  month: string
  /** The present month, after which there is none. */
  now: string
  hrefOf: (month: string) => string
}

/** The name of a month, and the months before and after it. */
export function MonthLinks({ month, now, hrefOf }: MonthLinksProps) {
  const [, navigate] = useLocation()
  const go = followBy((href) => navigate(href, { replace: true }))
  return (
    <div className={styles.line}>
      <h2>{formatMonth(month)}</h2>
      <nav className={styles.links} aria-label={formatMonth(month)}>
        <LinkButton size="small" href={hrefOf(monthAfter(month, -1))} onClick={go}>
          {words.formerMonth}
        </LinkButton>
        {month < now && (
          <LinkButton size="small" href={hrefOf(monthAfter(month, 1))} onClick={go}>
            {words.nextMonth}
          </LinkButton>
        )}
      </nav>
    </div>
  )
}
