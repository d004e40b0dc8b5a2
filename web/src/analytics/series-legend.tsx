import { useLocation } from 'wouter'
import type { Place } from '../kit/chart-options.ts'
import { formatCount } from '../kit/count.tsx'
import { followBy } from '../kit/follow.ts'
import styles from './analytics.module.css'
import type { ShownSeries } from './values.ts'
import { words } from './words.ts'

interface SeriesLegendProps {
  series: readonly ShownSeries[]
  periods: readonly string[]
  place: Place | null
  /** Where a series leads to; null for nowhere. */
  hrefOf: (key: ShownSeries['key']) => string | null
}

/** The series with their figures of the chosen period, or of all days. */
export function SeriesLegend({ series, periods, place, hrefOf }: SeriesLegendProps) {
  return (
    <div className={styles.legendBox}>
      <small className={styles.legendPeriod}>{place === null ? words.wholePeriod : periods[place.period]}</small>
      <ul className={styles.legend}>
        {series.map((part, index) => (
          <li key={part.name} className={styles.entry} data-chosen={place?.series === index || undefined}>
            <svg aria-hidden="true" width="10" height="10" className={styles.swatch}>
              <rect width="10" height="10" rx="2" fill={`var(${part.colour})`} />
            </svg>
            <LegendName href={hrefOf(part.key)} name={part.name} />
            <b>{formatCount(place === null ? part.total : part.values[place.period]!)}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

function LegendName({ href, name }: { href: string | null; name: string }) {
  const [, navigate] = useLocation()
  if (href === null) return <bdi>{name}</bdi>
  return (
    <a href={href} onClick={followBy(navigate)}>
      <bdi>{name}</bdi>
    </a>
  )
}
