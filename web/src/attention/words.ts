import type { AttentionItem } from '../api/attention.ts'
import { formatPlural } from '../kit/count.tsx'

type Kind = AttentionItem['kind']
type Status = AttentionItem['status']

export const words = {
  title: 'Attention',
  states: 'States',
  statuses: { open: 'Open', resolved: 'Resolved', dismissed: 'Dismissed' } satisfies Record<Status, string>,
  kinds: {
    'mention.spike': 'Many mentions',
    'sentiment.negative_spike': 'Many negative mentions',
    'keyword.noisy': 'A noisy keyword',
    'channel.failing': 'A failing channel',
    'deliveries.waiting': 'Held deliveries',
    'disk.filling': 'A disk that fills',
  } satisfies Record<Kind, string>,
  meanings: {
    'mention.spike':
      'New posts came far more often than in the week before. Something may have happened, or the word became common.',
    'sentiment.negative_spike':
      'A far greater share of the relevant mentions is negative than in the week before. People may be angry ' +
      'about one thing.',
    'keyword.noisy':
      'Most posts of the keyword are not about what it means, and each of them costs. Its health page has rules ' +
      'that would keep them out, with their effect.',
    'channel.failing':
      'The receiver accepted none of the last deliveries. Nothing is lost: the log keeps them, and failed ' +
      'ones can be sent again.',
    'deliveries.waiting':
      'More deliveries wait than the workspace may have waiting. They go out by themselves when there is room; a ' +
      'slow or failing channel is the usual cause.',
    'disk.filling':
      'The database grows, and its disk has no room for three more weeks. Nothing is collected or sent when it is ' +
      'full. Add space, or keep mentions for a shorter time.',
  } satisfies Record<Kind, string>,
  ends: {
    'mention.spike': 'Resolves by itself when the hour is usual again.',
    'sentiment.negative_spike': 'Resolves by itself when the share is usual again.',
    'keyword.noisy': 'Resolves by itself when the keyword is no longer noisy.',
    'channel.failing': 'Resolves by itself with the next accepted delivery.',
    'deliveries.waiting': 'Resolves by itself when no delivery is held any more.',
    'disk.filling': 'Resolves by itself when the disk lasts for three weeks.',
  } satisfies Record<Kind, string>,
  actions: {
    readMentions: 'Read the mentions',
    readNegative: 'Read the negative mentions',
    keyword: 'Open the keyword',
    tidyKeyword: 'See what would keep noise out',
    failed: 'See what failed',
    channel: 'Open the channel',
    held: 'See what is held',
    retention: 'Choose how long mentions are kept',
  },
  since: 'Since',
  until: 'Until',
  dismissedAt: 'Dismissed',
  dismiss: 'Dismiss',
  dismissTitle: 'Dismiss this item?',
  dismissText: 'It comes back only after its condition has ended once and begins anew. This cannot be undone.',
  dismissed: 'The item is dismissed',
  dismissAll: 'Dismiss all',
  dismissAllTitle: (count: number) => `Dismiss ${formatPlural(count, 'item')}?`,
  dismissAllText: 'They come back only after their conditions have ended once and begin anew. This cannot be undone.',
  dismissedAll: (count: number) => `${formatPlural(count, 'item')} ${count === 1 ? 'is' : 'are'} dismissed`,
  linked: 'The item of your link',
  gone: 'The item of your link does not exist',
  goneHint: 'Items are kept for 90 days after they resolve. The item may also belong to another workspace.',
  toWorkspaces: 'Choose another workspace',
  none: {
    open: 'Nothing needs attention',
    resolved: 'Nothing has resolved',
    dismissed: 'Nothing was dismissed',
  } satisfies Record<Status, string>,
  noneHints: {
    open:
      'Unusual mentions, noisy keywords, failing channels, held deliveries and a disk that fills are listed here. ' +
      'Checks run after each full hour.',
    resolved: 'Items whose condition ended are kept here for 90 days.',
    dismissed: 'Dismissed items are kept here until 90 days after their condition ended.',
  } satisfies Record<Status, string>,
  checks: 'Checks run after each full hour. An item resolves when its condition ends.',
  guide: 'When items open',
  more: 'Show older items',
} as const
