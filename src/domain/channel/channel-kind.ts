export const CHANNEL_KINDS = ['webhook', 'slack', 'telegram', 'email'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]
