import { useMutation } from '@tanstack/react-query'
import { type Channel, connectChannel } from '../api/channels.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import type { CardProps } from './card-props.ts'
import styles from './start.module.css'
import { StepFailure } from './step-failure.tsx'
import { useNewChannel } from './use-new-channel.ts'
import { useVisit } from './visit.ts'
import { words } from './words.ts'

/** Creates a channel of the bot and the link that connects a chat, and waits for the chat. */
export function TelegramCard({ channels }: CardProps) {
  const creation = useNewChannel()
  const { change } = useVisit()
  const connection = useMutation({
    mutationFn: connectChannel,
    onSuccess: ({ id }) => change({ channelId: id, waitsFor: id, test: null, reopened: 'channel' }),
  })
  const waiting = channels.find(
    ({ kind, config }) => kind === 'telegram' && 'chatId' in config && config.chatId === null,
  )
  const link = linkOf(connection.data) ?? linkOf(creation.data)
  const create = () => (waiting === undefined ? creation.mutate({ kind: 'telegram' }) : connection.mutate(waiting.id))
  return (
    <>
      <p>{link === null ? words.telegramHint : words.telegramWaits}</p>
      <div className={styles.row}>
        {link !== null && (
          <LinkButton variant="primary" href={link} target="_blank" rel="noopener noreferrer">
            {words.telegramOpen}
          </LinkButton>
        )}
        <Button
          variant={link === null ? 'primary' : 'plain'}
          busy={creation.isPending || connection.isPending}
          onClick={create}
        >
          {link === null ? words.telegramCreate : words.telegramNewLink}
        </Button>
      </div>
      <StepFailure error={connection.error ?? creation.error} />
    </>
  )
}

function linkOf(channel: Channel | undefined): string | null {
  return channel !== undefined && 'connectUrl' in channel.config ? (channel.config.connectUrl ?? null) : null
}
