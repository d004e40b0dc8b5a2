import type { Source } from '../api/workspace.ts'
import { PLATFORM_NAMES } from '../app/platforms.ts'
import { Badge } from '../kit/badge.tsx'
import { Card } from '../kit/card.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { Bar } from '../kit/meter.tsx'
import { formatMoney } from '../kit/money.tsx'
import { Time } from '../kit/time.tsx'
import styles from './sources.module.css'
import { words } from './words.ts'

/** Failing platforms come first. */
export function CollectedTable({ sources }: { sources: readonly Source[] }) {
  const sorted = sources.toSorted((a, b) => Number(b.status === 'degraded') - Number(a.status === 'degraded'))
  return (
    <Card title={words.collected}>
      <DataTable caption={words.caption} columns={COLUMNS} rows={sorted} rowKey={({ platform }) => platform} />
      <p className={styles.foot}>
        {words.delays} <a href="/guide/guides/platforms#how-late-mentions-are">{words.guide}</a>
      </p>
    </Card>
  )
}

const { columns } = words
const COLUMNS: Column<Source>[] = [
  { id: 'platform', label: columns.platform, render: (source) => <Name source={source} /> },
  { id: 'state', label: columns.state, render: (source) => <State source={source} /> },
  {
    id: 'newest',
    label: columns.newest,
    align: 'end',
    render: ({ lagSeconds }) => (lagSeconds === null ? words.never : words.ago(lagSeconds)),
  },
  {
    id: 'success',
    label: columns.success,
    align: 'end',
    render: ({ lastSuccessAt }) => (lastSuccessAt === null ? words.never : <Time at={lastSuccessAt} />),
  },
  {
    id: 'found',
    label: columns.found,
    align: 'end',
    render: ({ latency }) => <Delay times={latency.postToMention} />,
  },
  {
    id: 'sent',
    label: columns.sent,
    align: 'end',
    render: ({ latency }) => <Delay times={latency.mentionToDelivery} />,
  },
  { id: 'use', label: columns.use, render: ({ cost }) => <Use cost={cost} /> },
]

function Name({ source: { platform, mode } }: { source: Source }) {
  return (
    <span className={styles.name}>
      <b>{PLATFORM_NAMES[platform]}</b>
      <small>{words.modes[mode]}</small>
    </span>
  )
}

function State({ source: { status, lastError } }: { source: Source }) {
  const isFailing = status === 'degraded'
  const why = lastError ?? (isFailing ? words.silent : null)
  return (
    <span className={styles.state}>
      <Badge tone={isFailing ? 'negative' : 'positive'}>{words.states[status]}</Badge>
      {why !== null && <small>{why}</small>}
    </span>
  )
}

function Delay({ times }: { times: Source['latency']['postToMention'] }) {
  if (times === null) return words.notMeasured
  return (
    <span className={styles.delay}>
      {words.median(times.medianSeconds)}
      <small>{words.p95(times.p95Seconds, times.count)}</small>
    </span>
  )
}

const CENTS = 100

function Use({ cost: { usd, usdLimit, quotas } }: { cost: Source['cost'] }) {
  const hasMoney = usd > 0 || usdLimit !== null
  if (!hasMoney && quotas.length === 0) return <span className={styles.small}>{words.nothingUsed}</span>
  return (
    <ul className={styles.uses}>
      {hasMoney && (
        <li>
          {words.money(formatMoney(usd * CENTS), usdLimit === null ? null : formatMoney(usdLimit * CENTS))}
          {usdLimit !== null && usdLimit > 0 && <Bar share={usd / usdLimit} label={words.quotaLabel('money')} />}
        </li>
      )}
      {quotas.map(({ name, used, limit }) => (
        <li key={name}>
          {words.quota(name, used, limit)}
          {limit !== null && limit > 0 && <Bar share={used / limit} label={words.quotaLabel(name)} />}
        </li>
      ))}
    </ul>
  )
}
