import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Channel } from '../api/channels.ts'
import { isGone } from '../api/errors.ts'
import { isSetUp } from '../app/new-channel/ready.ts'
import { Page } from '../app/page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button, IconButton, LinkButton } from '../kit/button.tsx'
import { Count } from '../kit/count.tsx'
import { Empty } from '../kit/empty.tsx'
import { FigureCard } from '../kit/figure-card.tsx'
import { followBy } from '../kit/follow.ts'
import { More } from '../kit/icons.tsx'
import { Menu } from '../kit/menu.tsx'
import { Time } from '../kit/time.tsx'
import styles from './channels.module.css'
import { DeleteChannel } from './delete-channel.tsx'
import { EventsCard, PresetsCard } from './events-cards.tsx'
import { SecretCard } from './secret-card.tsx'
import { SettingsCard } from './settings-card.tsx'
import { stateOf } from './state.ts'
import { useChannel, useChannels, usePause, useTest } from './use-channel.ts'
import { words } from './words.ts'

export default function ChannelPage({ params }: { params: Readonly<Record<string, string>> }) {
  const id = params['channel'] ?? ''
  const listed = useChannels().data?.data.find((channel) => channel.id === id)
  const channel = useChannel(id, listed !== undefined && !isSetUp(listed.config))
  if (channel.data !== undefined) return <LoadedChannel key={id} channel={channel.data} />
  if (isGone(channel.error)) return <MissingChannel />
  return (
    <Page title={words.title}>
      <QueryPanel query={channel} lines={8} height={48}>
        {() => null}
      </QueryPanel>
    </Page>
  )
}

function MissingChannel() {
  const [, navigate] = useLocation()
  return (
    <Page title={words.title}>
      <Empty
        title={words.missing}
        action={
          <LinkButton href="/channels" onClick={followBy(navigate)}>
            {words.back}
          </LinkButton>
        }
      >
        {words.missingHint}
      </Empty>
    </Page>
  )
}

function LoadedChannel({ channel }: { channel: Channel }) {
  return (
    <Page title={channel.label} beside={<Beside channel={channel} />} actions={<Actions channel={channel} />}>
      <Figures channel={channel} />
      <div className={styles.columns}>
        <div className={styles.stack}>
          <SettingsCard channel={channel} />
          {channel.kind === 'webhook' && <PresetsCard channel={channel} />}
        </div>
        <div className={styles.stack}>
          <SecretCard channel={channel} />
          <EventsCard channel={channel} />
        </div>
      </div>
    </Page>
  )
}

function Beside({ channel }: { channel: Channel }) {
  const { tone, label, why } = stateOf(channel)
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      <span className={styles.small}>
        {words.kinds[channel.kind]}
        {why !== null && ` · ${why}`}
      </span>
    </>
  )
}

function Figures({ channel: { id, stats } }: { channel: Channel }) {
  const [, navigate] = useLocation()
  const { total, failed } = stats.last7d
  const link = (href: string, label: string) => (
    <a href={href} onClick={followBy(navigate)}>
      {label}
    </a>
  )
  return (
    <div className={styles.figures}>
      <FigureCard
        label={words.figures.sent}
        value={<Count value={total} />}
        note={link(`/deliveries?channelId=${id}`, words.openLog)}
      />
      <FigureCard
        label={words.figures.failed}
        value={<Count value={failed} />}
        note={failed > 0 && link(`/deliveries?status=failed&channelId=${id}`, words.failedLog)}
      />
      <FigureCard label={words.figures.rules} value={words.active(stats.activeAlerts, stats.alerts)} />
      <FigureCard
        label={words.figures.last}
        value={stats.lastDeliveryAt === null ? words.never : <Time at={stats.lastDeliveryAt} />}
      />
    </div>
  )
}

function Actions({ channel }: { channel: Channel }) {
  const [, navigate] = useLocation()
  const [deleting, setDeleting] = useState(false)
  const { toggle, busy, label } = usePause(channel)
  const sending = useTest(channel)
  return (
    <>
      <Button busy={sending.isPending} disabled={!channel.enabled} onClick={() => sending.mutate()}>
        {words.test}
      </Button>
      <Button busy={busy} onClick={toggle}>
        {label}
      </Button>
      <Menu
        label={words.actionsOf(channel.label)}
        trigger={<IconButton label={words.actionsOf(channel.label)} icon={<More />} />}
        items={[{ label: words.remove, danger: true, onSelect: () => setDeleting(true) }]}
      />
      <DeleteChannel
        channel={channel}
        open={deleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => navigate('/channels')}
      />
    </>
  )
}
