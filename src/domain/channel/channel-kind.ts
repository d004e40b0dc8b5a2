/** The kinds of channel through which something can leave the service. */
export const CHANNEL_KINDS = ['webhook', 'slack', 'telegram', 'email'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]
