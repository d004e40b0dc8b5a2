import type { Channel } from '../api/channels.ts'

/** What a card of a kind of channel knows of the channels that exist. */
export interface CardProps {
  channels: readonly Channel[]
}
