import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { connectSlack, getSlack, listSlackChannels, type SlackChannel } from '../api/slack.ts'
import { Button } from '../kit/button.tsx'
import { Field, NativeSelect } from '../kit/field.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import styles from './start.module.css'
import { StepFailure } from './step-failure.tsx'
import { useNewChannel } from './use-new-channel.ts'
import { words } from './words.ts'

export function SlackCard() {
  const slack = useQuery({ queryKey: ['slack'], queryFn: ({ signal }) => getSlack(signal), retry: false })
  if (slack.isPending) return <Skeleton lines={2} />
  if (slack.error instanceof ApiError && slack.error.code === 'slack_not_connected') return <SlackConnect />
  if (slack.error !== null) return <StepFailure error={slack.error} onRetry={() => void slack.refetch()} />
  const { team, brokenAt } = slack.data
  return (
    <>
      <p>{brokenAt === null ? words.slackTeam(team.name) : words.slackBroken}</p>
      {brokenAt === null ? <SlackChannels /> : <SlackConnect />}
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
      <StepFailure error={connection.error} />
    </>
  )
}

function SlackChannels() {
  const channels = useQuery({
    queryKey: ['slack-channels'],
    queryFn: ({ signal }) => listSlackChannels(signal),
    retry: false,
  })
  if (channels.isPending) return <Skeleton lines={2} />
  if (channels.error !== null) return <StepFailure error={channels.error} onRetry={() => void channels.refetch()} />
  if (channels.data.data.length === 0) return <p>{words.slackNoChannel}</p>
  return <SlackChoice channels={channels.data.data} />
}

function SlackChoice({ channels }: { channels: readonly SlackChannel[] }) {
  const [id, setId] = useState(channels[0]?.id)
  const creation = useNewChannel()
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
      <StepFailure error={creation.error} />
    </>
  )
}
