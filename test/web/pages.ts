import type { Role } from '../../src/domain/member/member.ts'
import { busy, collected, nothing, refusing, type Seed } from './cast.ts'
import { measured } from './reports.ts'

/** A page that is tested in every theme and width. */
export interface TestedPage {
  name: string
  /** Parameters such as `:keyword` stand for ids that the seed made. */
  address: string
  /** Pages with one seed share a workspace, so they only read. */
  seed: Seed
  /** A text that the page shows when it is loaded. */
  shows: string | RegExp
  /** Who opens the page; the owner by default. */
  role?: Role
  /** What the browser says of refusals that belong to the page. */
  expected?: readonly RegExp[]
}

export const PAGES: readonly TestedPage[] = [
  { name: 'account', address: '/account', seed: nothing, shows: 'Your account' },
  { name: 'team', address: '/team', seed: busy, shows: 'Team' },
  { name: 'start', address: '/start', seed: nothing, shows: 'What do you want to hear about?' },
  { name: 'start-busy', address: '/start', seed: busy, shows: /Waiting for the next|was delivered/ },
  { name: 'inbox', address: '/inbox', seed: busy, shows: '3 relevant of 4' },
  { name: 'inbox-view', address: '/inbox/:view', seed: busy, shows: '2 relevant of 2' },
  { name: 'inbox-nothing', address: '/inbox', seed: nothing, shows: 'No mention yet' },
  { name: 'inbox-no-match', address: '/inbox?platforms=tiktok', seed: busy, shows: 'No mention matches' },
  { name: 'mention', address: '/mentions/:mention', seed: busy, shows: 'Open the post' },
  { name: 'search', address: '/search', seed: busy, shows: 'See what people write' },
  { name: 'keywords', address: '/keywords', seed: busy, shows: 'Northlight' },
  { name: 'no-keywords', address: '/keywords', seed: nothing, shows: 'No keyword yet' },
  { name: 'keyword', address: '/keywords/:keyword', seed: busy, shows: 'Where noise comes from' },
  { name: 'keyword-rules', address: '/keywords/:keyword/rules', seed: busy, shows: 'Matching rules' },
  { name: 'keyword-rejected', address: '/keywords/:keyword/rejected', seed: busy, shows: 'Nothing was rejected' },
  { name: 'keyword-explain', address: '/keywords/:keyword/explain', seed: busy, shows: 'See why a post matches' },
  { name: 'keyword-cost', address: '/keywords/:keyword/cost', seed: busy, shows: 'A relevant mention costs' },
  { name: 'deliveries', address: '/deliveries', seed: busy, shows: 'End of the log' },
  { name: 'deliveries-open', address: '/deliveries?d=:delivery', seed: busy, shows: 'Given up after 5 attempts.' },
  { name: 'deliveries-none', address: '/deliveries', seed: nothing, shows: 'Nothing was sent yet' },
  { name: 'deliveries-no-match', address: '/deliveries?status=held', seed: busy, shows: 'No delivery matches' },
  { name: 'delivery', address: '/deliveries/:delivery', seed: busy, shows: 'Given up after 5 attempts.' },
  { name: 'attention', address: '/attention?item=:item', seed: busy, shows: 'A noisy keyword' },
  { name: 'attention-none', address: '/attention', seed: nothing, shows: 'Nothing needs attention' },
  { name: 'billing', address: '/billing', seed: busy, shows: 'Auto-recharge', role: 'member' },
  { name: 'billing-usage', address: '/billing/usage', seed: busy, shows: 'Cost of the month' },
  { name: 'billing-ledger', address: '/billing/ledger', seed: busy, shows: 'For' },
  {
    ...{ name: 'billing-invoices', address: '/billing/invoices', seed: busy, shows: 'takes no payments' },
    expected: [/503/],
  },
  { name: 'settings', address: '/settings', seed: busy, shows: 'What the classifier reads' },
  { name: 'settings-filters', address: '/settings/filters', seed: busy, shows: 'Only these subreddits' },
  { name: 'settings-groups', address: '/settings/groups', seed: busy, shows: 'the company profile' },
  { name: 'settings-keys', address: '/settings/api-keys', seed: busy, shows: 'Last used', role: 'admin' },
  { name: 'settings-team', address: '/settings/team', seed: busy, shows: '(you)', role: 'member' },
  { name: 'settings-suppressions', address: '/settings/suppressions', seed: refusing, shows: 'Address refused' },
  { name: 'settings-no-suppression', address: '/settings/suppressions', seed: nothing, shows: 'Every recipient can' },
  { name: 'settings-log', address: '/settings/log', seed: busy, shows: 'Entries cannot be changed' },
  { name: 'settings-preferences', address: '/settings/preferences', seed: nothing, shows: 'Single keys act' },
  { name: 'developers', address: '/developers', seed: busy, shows: 'Saved views' },
  { name: 'sources', address: '/sources', seed: collected, shows: 'Mention to delivery' },
  { name: 'channels', address: '/channels', seed: busy, shows: 'receiver.example' },
  { name: 'channels-none', address: '/channels', seed: nothing, shows: 'No channel yet' },
  { name: 'channel-new', address: '/channels/new', seed: busy, shows: 'Create the webhook' },
  {
    ...{ name: 'channel-new-slack', address: '/channels/new?kind=slack', seed: busy, shows: 'SLACK_CLIENT_ID' },
    expected: [/503/],
  },
  { name: 'channel-new-email', address: '/channels/new?kind=email', seed: busy, shows: 'E-mail address' },
  { name: 'channel', address: '/channels/:channel', seed: busy, shows: 'Rules of this channel alone', role: 'member' },
  { name: 'rules', address: '/alerts', seed: busy, shows: 'intent complaint' },
  { name: 'rules-none', address: '/alerts', seed: nothing, shows: 'No rule yet' },
  { name: 'rule', address: '/alerts/:alert', seed: busy, shows: /in the last 7 days/, role: 'member' },
  { name: 'analytics', address: '/analytics?range=90d', seed: measured, shows: 'Spikes in these days' },
  { name: 'analytics-voice', address: '/analytics/voice?range=90d', seed: measured, shows: 'By keyword' },
  { name: 'analytics-reviews', address: '/analytics/reviews?range=90d', seed: measured, shows: 'By version' },
  { name: 'analytics-none', address: '/analytics', seed: nothing, shows: 'No mention in these days' },
  { name: 'people', address: '/people', seed: measured, shows: 'Ada Lovelace' },
  { name: 'people-none', address: '/people', seed: nothing, shows: 'Nobody yet' },
  { name: 'people-no-match', address: '/people?platforms=tiktok', seed: measured, shows: 'Nobody matches' },
  { name: 'person', address: '/people/:person', seed: measured, shows: 'Newest mentions' },
  { name: 'segments', address: '/segments', seed: measured, shows: 'has an account on Reddit' },
  { name: 'segments-none', address: '/segments', seed: nothing, shows: 'No segment yet' },
  { name: 'segment', address: '/segments/:segment', seed: measured, shows: 'Members' },
  { name: 'rule-new', address: '/alerts/new?platforms=x&q=leak', seed: busy, shows: 'A rule cannot hold “words”' },
]
