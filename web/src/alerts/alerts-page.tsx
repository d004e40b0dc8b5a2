import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Alert, RuleFilter } from '../api/alerts.ts'
import type { Filter } from '../app/filter/filter-params.ts'
import { useNames } from '../app/filter/use-names.ts'
import { Page } from '../app/page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { useLive } from '../app/use-live.ts'
import { Badge } from '../kit/badge.tsx'
import { IconButton, LinkButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Count } from '../kit/count.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { followBy } from '../kit/follow.ts'
import { More, Plus } from '../kit/icons.tsx'
import { Menu } from '../kit/menu.tsx'
import { Time } from '../kit/time.tsx'
import styles from './alerts.module.css'
import { conditionsInWords } from './condition-words.ts'
import { DeleteAlert } from './delete-alert.tsx'
import { scheduleInWords } from './schedule.ts'
import { stateOf } from './state.ts'
import { useAlerts, usePause, useRun, useTest } from './use-alert.ts'
import { words } from './words.ts'

export default function AlertsPage() {
  const alerts = useAlerts()
  const count = alerts.data?.data.length ?? 0
  useLive(['delivery.changed'], () => {
    if (Date.now() - alerts.dataUpdatedAt > STATS_MS) void alerts.refetch()
  })
  return (
    <Page
      title={words.title}
      beside={count > 0 && <span className={styles.small}>{words.total(count)}</span>}
      actions={count > 0 && <AddLink />}
    >
      <QueryPanel query={alerts} lines={6} height={48}>
        {({ data }) => (data.length === 0 ? <NoRule /> : <AlertTable alerts={data} />)}
      </QueryPanel>
    </Page>
  )
}

/** How often counts of a week are read again while deliveries pass. */
const STATS_MS = 10_000

function AddLink() {
  const [, navigate] = useLocation()
  return (
    <LinkButton variant="primary" icon={<Plus />} href="/alerts/new" onClick={followBy(navigate)}>
      {words.add}
    </LinkButton>
  )
}

function NoRule() {
  return (
    <Empty title={words.none} action={<AddLink />}>
      {words.noneHint}
    </Empty>
  )
}

function AlertTable({ alerts }: { alerts: readonly Alert[] }) {
  const [, navigate] = useLocation()
  const names = useNames(idsOf(alerts.map(({ filter }) => filter)))
  return (
    <Card>
      <DataTable
        caption={words.caption}
        columns={columnsOf(names)}
        rows={alerts}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/alerts/${id}`}
        onNavigate={navigate}
      />
    </Card>
  )
}

/** All ids whose names the table shows. */
function idsOf(filters: readonly RuleFilter[]): Filter {
  const keywordIds = filters.flatMap((filter) => filter.keywordIds ?? [])
  const groupIds = filters.flatMap((filter) => filter.groupIds ?? [])
  return { ...(keywordIds.length > 0 ? { keywordIds } : {}), ...(groupIds.length > 0 ? { groupIds } : {}) }
}

function columnsOf(names: ReadonlyMap<string, string>): Column<Alert>[] {
  const { columns } = words
  return [
    { id: 'name', label: columns.name, render: (alert) => <Name alert={alert} names={names} /> },
    { id: 'state', label: columns.state, render: (alert) => <State alert={alert} /> },
    { id: 'mode', label: columns.mode, render: (alert) => scheduleInWords(alert) },
    { id: 'channels', label: columns.channels, render: ({ channels }) => <Channels channels={channels} /> },
    { id: 'week', label: columns.week, align: 'end', render: ({ stats }) => <Count value={stats.sentLast7d} /> },
    {
      id: 'last',
      label: columns.last,
      align: 'end',
      render: ({ stats }) => (stats.lastSentAt === null ? words.never : <Time at={stats.lastSentAt} />),
    },
    {
      id: 'next',
      label: columns.next,
      align: 'end',
      render: ({ stats }) => (stats.nextRunAt === null ? words.noNext : <Time at={stats.nextRunAt} />),
    },
    { id: 'actions', label: columns.actions, align: 'end', render: (alert) => <RowActions alert={alert} /> },
  ]
}

function Name({ alert: { name, filter }, names }: { alert: Alert; names: ReadonlyMap<string, string> }) {
  return (
    <span className={styles.name}>
      <bdi>{name}</bdi>
      <small className={styles.conditions}>{conditionsInWords(filter, names)}</small>
    </span>
  )
}

function State({ alert }: { alert: Alert }) {
  const { tone, label } = stateOf(alert)
  return <Badge tone={tone}>{label}</Badge>
}

function Channels({ channels }: Pick<Alert, 'channels'>) {
  if (channels.length === 0) return <span className={styles.small}>{words.noChannels}</span>
  return (
    <span className={styles.channels}>
      {channels.map(({ id, label }) => (
        <bdi key={id}>{label}</bdi>
      ))}
    </span>
  )
}

function RowActions({ alert }: { alert: Alert }) {
  const [, navigate] = useLocation()
  const [deleting, setDeleting] = useState(false)
  const { toggle, label } = usePause(alert)
  const [sending, running] = [useTest(alert), useRun(alert)]
  const close = () => setDeleting(false)
  const run = { label: words.run, disabled: !alert.enabled, onSelect: () => running.mutate() }
  return (
    <>
      <Menu
        label={words.actionsOf(alert.name)}
        trigger={<IconButton size="small" label={words.actionsOf(alert.name)} icon={<More />} />}
        items={[
          { label: words.test, disabled: !alert.enabled, onSelect: () => sending.mutate() },
          ...(alert.mode === 'instant' ? [] : [run]),
          { label, onSelect: toggle },
          { label: words.openLog, onSelect: () => navigate(`/deliveries?alertId=${alert.id}`) },
          { label: words.remove, danger: true, onSelect: () => setDeleting(true) },
        ]}
      />
      <DeleteAlert alert={alert} open={deleting} onClose={close} onDeleted={close} />
    </>
  )
}
