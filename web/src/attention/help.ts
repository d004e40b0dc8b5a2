import type { AttentionItem } from '../api/attention.ts'
import { words } from './words.ts'

export interface HelpLink {
  label: string
  href: string
}

const HOUR_MS = 60 * 60 * 1000
const { actions } = words

/** Where a person can do something about an item, the most helpful first. */
export function helpFor({
  kind,
  subject: { id },
  openedAt,
}: Pick<AttentionItem, 'kind' | 'subject' | 'openedAt'>): HelpLink[] {
  const mentions = (hours: number, more = '') =>
    `/inbox?keywordIds=${id}${more}&since=${encodeURIComponent(hoursBefore(openedAt, hours))}`
  const keyword = { label: actions.keyword, href: `/keywords/${id}` }
  switch (kind) {
    case 'mention.spike':
      return [{ label: actions.readMentions, href: mentions(1) }, keyword]
    case 'sentiment.negative_spike':
      return [{ label: actions.readNegative, href: mentions(24, '&sentiments=negative') }, keyword]
    case 'keyword.noisy':
      return [{ label: actions.tidyKeyword, href: `/keywords/${id}` }]
    case 'channel.failing':
      return [
        { label: actions.failed, href: `/deliveries?status=failed&channelId=${id}` },
        { label: actions.channel, href: `/channels/${id}` },
      ]
    case 'deliveries.waiting':
      return [{ label: actions.held, href: '/deliveries?status=held' }]
    case 'disk.filling':
      return [{ label: actions.retention, href: '/settings/team' }]
  }
}

function hoursBefore(time: string, hours: number): string {
  return new Date(Date.parse(time) - hours * HOUR_MS).toISOString()
}
