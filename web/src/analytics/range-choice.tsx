import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { keyOf } from '../app/key-table.ts'
import { useKeys } from '../app/keys.ts'
import { useReplace } from '../app/use-replace.ts'
import { Button } from '../kit/button.tsx'
import { ChoiceLinks } from '../kit/choice-links.tsx'
import { NativeSelect, TextInput } from '../kit/field.tsx'
import styles from './analytics.module.css'
import { browserZone, RANGES, type Range, type ReportQuery, reportHref } from './report-query.ts'
import { words } from './words.ts'

interface RangeChoiceProps {
  query: ReportQuery
  path: string
}

const RANGE_KEYS = { '7d': keyOf('days7'), '30d': keyOf('days30'), '90d': keyOf('days90') }

/** The days of the page and their time zone. */
export function RangeChoice({ query, path }: RangeChoiceProps) {
  const replace = useReplace()
  const hrefOf = (range: Range) => reportHref({ ...query, range, days: null }, path)
  const show = (range: Range) => () => replace(hrefOf(range))
  useKeys({ days7: show('7d'), days30: show('30d'), days90: show('90d') })
  const zones = [...new Set([browserZone(), 'UTC', query.timezone ?? 'UTC'])]
  return (
    <div className={styles.range}>
      <ChoiceLinks
        label={words.range}
        values={RANGES}
        names={words.ranges}
        current={query.days === null ? query.range : null}
        hrefOf={hrefOf}
        keysOf={(range) => RANGE_KEYS[range]}
        onNavigate={replace}
      />
      <OwnDays query={query} path={path} />
      <NativeSelect
        className={styles.zone}
        aria-label={words.timezone}
        options={zones.map((zone) => ({ value: zone, label: words.zone(zone) }))}
        value={query.timezone ?? browserZone()}
        onChange={({ target }) => {
          const timezone = target.value === browserZone() ? null : target.value
          replace(reportHref({ ...query, timezone }, path))
        }}
      />
    </div>
  )
}

function OwnDays({ query, path }: RangeChoiceProps) {
  const [, navigate] = useLocation()
  const [from, setFrom] = useState(query.days?.from ?? '')
  const [to, setTo] = useState(query.days?.to ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    navigate(reportHref({ ...query, days: { from, to } }, path))
  }
  return (
    <form className={styles.days} data-chosen={query.days !== null || undefined} onSubmit={submit}>
      <TextInput
        type="date"
        aria-label={words.from}
        value={from}
        max={to}
        onChange={(event) => setFrom(event.target.value)}
      />
      <span aria-hidden="true">–</span>
      <TextInput
        type="date"
        aria-label={words.to}
        value={to}
        min={from}
        onChange={(event) => setTo(event.target.value)}
      />
      <Button type="submit" size="small" disabled={from === '' || to === '' || from > to}>
        {words.showDays}
      </Button>
    </form>
  )
}
