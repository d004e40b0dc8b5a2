import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Channel } from '../api/channels.ts'
import { Page } from '../app/page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
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
import styles from './channels.module.css'
import { DeleteChannel } from './delete-channel.tsx'
import { stateOf } from './state.ts'
import { useChannels, usePause, useTest } from './use-channel.ts'
import { words } from './words.ts'

export default function ChannelsPage() {
  const channels = useChannels()
  const count = channels.data?.data.length ?? 0
  return (
    <Page
      title={words.title}
      beside={count > 0 && <span className={styles.small}>{words.total(count)}</span>}
      actions={count > 0 && <AddLink />}
    >
      <QueryPanel query={channels} lines={5} height={48}>
        {({ data }) => (data.length === 0 ? <NoChannel /> : <ChannelTable channels={data} />)}
      </QueryPanel>
    </Page>
  )
}

function AddLink() {
  const [, navigate] = useLocation()
  return (
    <LinkButton variant="primary" icon={<Plus />} href="/channels/new" onClick={followBy(navigate)}>
      {words.add}
    </LinkButton>
  )
}

function NoChannel() {
  return (
    <Empty title={words.none} action={<AddLink />}>
      {words.noneHint}
    </Empty>
  )
}

function ChannelTable({ channels }: { channels: readonly Channel[] }) {
  const [, navigate] = useLocation()
  return (
    <Card>
      <DataTable
        caption={words.caption}
        columns={COLUMNS}
        rows={channels}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/channels/${id}`}
        onNavigate={navigate}
      />
    </Card>
  )
}

const { columns } = words
const COLUMNS: Column<Channel>[] = [
  { id: 'label', label: columns.label, render: (channel) => <Name channel={channel} /> },
  { id: 'state', label: columns.state, render: (channel) => <State channel={channel} /> },
  { id: 'week', label: columns.week, align: 'end', render: ({ stats }) => <Count value={stats.last7d.total} /> },
  { id: 'failed', label: columns.failed, align: 'end', render: (channel) => <Failed channel={channel} /> },
  {
    id: 'rules',
    label: columns.rules,
    align: 'end',
    render: ({ stats }) => words.active(stats.activeAlerts, stats.alerts),
  },
  {
    id: 'last',
    label: columns.last,
    align: 'end',
    render: ({ stats }) => (stats.lastDeliveryAt === null ? words.never : <Time at={stats.lastDeliveryAt} />),
  },
  { id: 'actions', label: columns.actions, align: 'end', render: (channel) => <RowActions channel={channel} /> },
]

function Name({ channel: { label, kind } }: { channel: Channel }) {
  return (
    <span className={styles.name}>
      <bdi>{label}</bdi>
      <small>{words.kinds[kind]}</small>
    </span>
  )
}

function State({ channel }: { channel: Channel }) {
  const { tone, label, why } = stateOf(channel)
  return (
    <span className={styles.state}>
      <Badge tone={tone}>{label}</Badge>
      {why !== null && <small>{why}</small>}
    </span>
  )
}

function Failed({ channel: { id, stats } }: { channel: Channel }) {
  const [, navigate] = useLocation()
  if (stats.last7d.failed === 0) return <Count value={0} />
  return (
    <a href={`/deliveries?status=failed&channelId=${id}`} title={words.failedLog} onClick={followBy(navigate)}>
      <Count value={stats.last7d.failed} />
    </a>
  )
}

function RowActions({ channel }: { channel: Channel }) {
  const [, navigate] = useLocation()
  const [deleting, setDeleting] = useState(false)
  const { toggle, label } = usePause(channel)
  const sending = useTest(channel)
  const close = () => setDeleting(false)
  return (
    <>
      <Menu
        label={words.actionsOf(channel.label)}
        trigger={<IconButton size="small" label={words.actionsOf(channel.label)} icon={<More />} />}
        items={[
          { label: words.test, disabled: !channel.enabled, onSelect: () => sending.mutate() },
          { label, onSelect: toggle },
          { label: words.openLog, onSelect: () => navigate(`/deliveries?channelId=${channel.id}`) },
          { label: words.remove, danger: true, onSelect: () => setDeleting(true) },
        ]}
      />
      <DeleteChannel channel={channel} open={deleting} onClose={close} onDeleted={close} />
    </>
  )
}
