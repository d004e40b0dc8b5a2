import type { Channel, Channels } from '../../src/channels/contract.ts'
import { NO_INSPECTIONS } from './inspections.ts'

/** An installation that has one kind of channel and knows how to set up no other. */
export function channelsWith(channel: Channel): Channels {
  return Object.assign(new Map([[channel.kind, channel]]), {
    setupOf: () => channel.setup,
    inspections: NO_INSPECTIONS,
  })
}
