import type { ChannelKind } from '../channel/channel-kind.ts'

/** Events that are sent once, when an attention item opens. */
export const ATTENTION_EVENTS = [
  'mention.spike',
  'sentiment.negative_spike',
  'keyword.noisy',
  'channel.failing',
] as const
export type AttentionEvent = (typeof ATTENTION_EVENTS)[number]

export const ACCOUNT_EVENTS = [
  'keyword.capped',
  'keyword.paused_for_balance',
  'keyword.resumed',
  'wallet.low',
  'wallet.paused',
  'wallet.resumed',
  ...ATTENTION_EVENTS,
] as const
export type AccountEvent = (typeof ACCOUNT_EVENTS)[number]

/** These events are sent after all other events of a change. */
export const CLOSING_EVENTS: readonly string[] = ['wallet.paused', 'wallet.resumed'] satisfies AccountEvent[]

/** These events are also mailed to owners. */
export const MAILED_EVENTS = [
  'keyword.capped',
  'wallet.low',
  'wallet.paused',
] as const satisfies readonly AccountEvent[]
export type MailedEvent = (typeof MAILED_EVENTS)[number]

export function subscribableEvents(kind: ChannelKind): readonly AccountEvent[] {
  return kind === 'webhook' ? ACCOUNT_EVENTS : ATTENTION_EVENTS
}
