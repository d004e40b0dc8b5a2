import type { Channel } from '../../api/channels.ts'

/** What the form of a kind of channel knows and tells. */
export interface NewChannelProps {
  /** The channels that exist, some of which may wait for a chat or a confirmation. */
  channels: readonly Channel[]
  /** Also called when somebody asks anew for the link or the mail of a channel that waits. */
  onCreated: (channel: Channel) => void
}
