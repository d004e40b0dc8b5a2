import { useMutation } from '@tanstack/react-query'
import { type Channel, connectChannel } from '../../api/channels.ts'
import { Button, LinkButton } from '../../kit/button.tsx'
import styles from './new-channel.module.css'
import type { NewChannelProps } from './new-channel-props.ts'
import { SetUpFailure } from './set-up-failure.tsx'
import { useChannelCreation } from './use-channel-creation.ts'
import { words } from './words.ts'

/** Creates a channel of the bot and the link that connects a chat, and waits for the chat. */
export function TelegramForm({ channels, onCreated }: NewChannelProps) {
  const creation = useChannelCreation(onCreated)
  const connection = useMutation({ mutationFn: connectChannel, onSuccess: onCreated })
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
      <SetUpFailure error={connection.error ?? creation.error} />
    </>
  )
}

function linkOf(channel: Channel | undefined): string | null {
  return channel !== undefined && 'connectUrl' in channel.config ? (channel.config.connectUrl ?? null) : null
}
