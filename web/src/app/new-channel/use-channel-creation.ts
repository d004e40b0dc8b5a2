import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Channel, createChannel } from '../../api/channels.ts'

export function useChannelCreation(onCreated: (channel: Channel) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: createChannel,
    onSuccess: async (channel) => {
      onCreated(channel)
      await client.invalidateQueries({ queryKey: ['channels'] })
    },
  })
}
