import type { ChannelKind } from '../channel/channel-kind.ts'

/** Events that go out once, when an attention item opens. */
export const ATTENTION_EVENTS = [
  'mention.spike',
  'sentiment.negative_spike',
  'keyword.noisy',
  'channel.failing',
] as const
export type AttentionEvent = (typeof ATTENTION_EVENTS)[number]

/** Every event of the account to which a channel can subscribe by name. */
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

/** Events that are sent after every other one of the change they tell of. */
export const CLOSING_EVENTS: readonly string[] = ['wallet.paused', 'wallet.resumed'] satisfies AccountEvent[]

/** Events of which the owners of a workspace are told by mail besides. */
export const MAILED_EVENTS = [
  'keyword.capped',
  'wallet.low',
  'wallet.paused',
] as const satisfies readonly AccountEvent[]
export type MailedEvent = (typeof MAILED_EVENTS)[number]

/**
 * The events that a channel of this kind may subscribe to: webhooks all, chats and mail those that call for attention.
 */
export function subscribableEvents(kind: ChannelKind): readonly AccountEvent[] {
  return kind === 'webhook' ? ACCOUNT_EVENTS : ATTENTION_EVENTS
}
