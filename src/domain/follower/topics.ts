/** The kinds of events of the workspace's stream. */
export const CHANGE_KINDS = [
  'mention.scored',
  'mention.triaged',
  'delivery.changed',
  'attention.opened',
  'attention.resolved',
  'attention.dismissed',
  'wallet.changed',
  'keyword.changed',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** Subjects of notifications. Those of `channel.changed` name channels of which many deliveries changed at once. */
export type Topic = ChangeKind | 'channel.changed'

export function topicsOf(kinds: readonly ChangeKind[]): Topic[] {
  const once = [...new Set(kinds)]
  return once.includes('delivery.changed') ? [...once, 'channel.changed'] : once
}
