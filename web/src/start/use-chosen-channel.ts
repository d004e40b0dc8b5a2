import type { Channel } from '../api/channels.ts'
import { isReady } from '../app/new-channel/ready.ts'
import { useVisit } from './visit.ts'

/** Makes a channel the one that the next steps are about. */
export function useChosenChannel(): (channel: Channel) => void {
  const { change } = useVisit()
  return (channel) => {
    const waits = !isReady(channel)
    change({
      channelId: channel.id,
      waitsFor: waits ? channel.id : null,
      reopened: waits ? 'channel' : null,
      test: null,
      secret: secretOf(channel),
    })
  }
}

function secretOf({ id, config }: Channel) {
  return 'secret' in config && config.secret !== undefined
    ? { channelId: id, url: config.url, secret: config.secret }
    : null
}
