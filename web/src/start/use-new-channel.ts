import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Channel, createChannel } from '../api/channels.ts'
import { isReady } from './steps.ts'
import { useVisit } from './visit.ts'

/** Creates a channel and makes it the one that the next steps are about. */
export function useNewChannel() {
  const client = useQueryClient()
  const { change } = useVisit()
  return useMutation({
    mutationFn: createChannel,
    onSuccess: async (channel) => {
      const waits = !isReady(channel)
      change({
        channelId: channel.id,
        waitsFor: waits ? channel.id : null,
        reopened: waits ? 'channel' : null,
        test: null,
        secret: secretOf(channel),
      })
      await client.invalidateQueries({ queryKey: ['channels'] })
    },
  })
}

function secretOf({ id, config }: Channel) {
  return 'secret' in config && config.secret !== undefined
    ? { channelId: id, url: config.url, secret: config.secret }
    : null
}
