import { useMemo } from 'react'
import { Link } from 'wouter'
import type { AnalyticsSeries } from '../api/analytics.ts'
import type { AttentionItem } from '../api/attention.ts'
import type { Filter } from '../app/filter/filter-params.ts'
import { Time } from '../kit/time.tsx'
import styles from './analytics.module.css'
import { bucketAt } from './periods.ts'
import { useSpikes } from './use-report.ts'
import { words } from './words.ts'

/** Spikes of the keywords of the filter in the window, and the buckets in which they began. */
export function useSpikesIn(answer: AnalyticsSeries, filter: Filter) {
  const { data } = useSpikes()
  const only = filter.keywordIds?.join()
  return useMemo(() => {
    const ids = only?.split(',')
    const inWindow = (data?.data ?? []).filter(
      ({ openedAt, subject }) => bucketAt(answer, openedAt) >= 0 && (ids?.includes(subject.id) ?? true),
    )
    return { inWindow, marks: [...new Set(inWindow.map(({ openedAt }) => bucketAt(answer, openedAt)))] }
  }, [answer, data, only])
}

/** The marks of the chart in words. */
export function SpikeList({ spikes }: { spikes: readonly AttentionItem[] }) {
  if (spikes.length === 0) return null
  return (
    <div className={styles.spikes}>
      <h3>
        <span aria-hidden="true" className={styles.mark}>
          ▼
        </span>{' '}
        {words.spikes}
      </h3>
      <ul>
        {spikes.slice(0, SHOWN).map(({ id, title, openedAt }) => (
          <li key={id}>
            <Link href={`/attention?item=${id}`}>
              <bdi>{title}</bdi>
            </Link>{' '}
            <Time at={openedAt} />
          </li>
        ))}
      </ul>
      {spikes.length > SHOWN && <Link href="/attention">{words.spikesMore}</Link>}
    </div>
  )
}

const SHOWN = 5
