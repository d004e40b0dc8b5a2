import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Channel } from '../../api/channels.ts'
import { ApiError } from '../../api/errors.ts'
import { connectSlack, getSlack, listSlackChannels, type SlackChannel } from '../../api/slack.ts'
import { Button } from '../../kit/button.tsx'
import { Field, NativeSelect } from '../../kit/field.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { DisconnectSlack } from './disconnect-slack.tsx'
import styles from './new-channel.module.css'
import type { NewChannelProps } from './new-channel-props.ts'
import { SetUpFailure } from './set-up-failure.tsx'
import { useChannelCreation } from './use-channel-creation.ts'
import { words } from './words.ts'

export function SlackForm({ onCreated }: Pick<NewChannelProps, 'onCreated'>) {
  const slack = useQuery({ queryKey: ['slack'], queryFn: ({ signal }) => getSlack(signal), retry: false })
  if (slack.isPending) return <Skeleton lines={2} />
  if (slack.error instanceof ApiError && slack.error.code === 'slack_not_connected') return <SlackConnect />
  if (slack.error !== null) return <SetUpFailure error={slack.error} onRetry={() => void slack.refetch()} />
  const { team, brokenAt } = slack.data
  return (
    <>
      <p>{brokenAt === null ? words.slackTeam(team.name) : words.slackBroken}</p>
      {brokenAt === null ? <SlackChannels onCreated={onCreated} /> : <SlackConnect />}
      <DisconnectSlack team={team.name} />
    </>
  )
}

/** Leads to Slack, which leads back. */
function SlackConnect() {
  const connection = useMutation({ mutationFn: connectSlack, onSuccess: ({ url }) => location.assign(url) })
  return (
    <>
      <p>{words.slackConnectHint}</p>
      <div className={styles.row}>
        <Button variant="primary" busy={connection.isPending} onClick={() => connection.mutate()}>
          {words.slackConnect}
        </Button>
      </div>
      <SetUpFailure error={connection.error} />
    </>
  )
}

function SlackChannels({ onCreated }: Pick<NewChannelProps, 'onCreated'>) {
  const channels = useQuery({
    queryKey: ['slack-channels'],
    queryFn: ({ signal }) => listSlackChannels(signal),
    retry: false,
  })
  if (channels.isPending) return <Skeleton lines={2} />
  if (channels.error !== null) return <SetUpFailure error={channels.error} onRetry={() => void channels.refetch()} />
  if (channels.data.data.length === 0) return <p>{words.slackNoChannel}</p>
  return <SlackChoice channels={channels.data.data} onCreated={onCreated} />
}

interface SlackChoiceProps {
  channels: readonly SlackChannel[]
  onCreated: (channel: Channel) => void
}

function SlackChoice({ channels, onCreated }: SlackChoiceProps) {
  const [id, setId] = useState(channels[0]?.id)
  const creation = useChannelCreation(onCreated)
  const chosen = channels.find((channel) => channel.id === id)
  const options = channels.map((channel) => ({ value: channel.id, label: `#${channel.name}` }))
  return (
    <>
      <div className={styles.row}>
        <div className={styles.grow}>
          <Field label={words.slackChannel}>
            <NativeSelect options={options} value={id} onChange={(event) => setId(event.target.value)} />
          </Field>
        </div>
        <Button
          variant="primary"
          busy={creation.isPending}
          disabled={chosen === undefined}
          onClick={() => chosen && creation.mutate({ kind: 'slack', channelId: chosen.id, channelName: chosen.name })}
        >
          {words.slackCreate}
        </Button>
      </div>
      <SetUpFailure error={creation.error} />
    </>
  )
}
