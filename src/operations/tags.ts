/** The chapters of the public contract, in the order in which they are shown. An operation names one of them. */
export const TAGS = {
  Service: 'The service and the credential.',
  'API keys': "Credentials of the workspace. A key's secret is returned once, at creation.",
  Groups: 'Groups of keywords, one of which is the default.',
  Company: 'Company profile that the classifier reads.',
  Filters: 'Rules that apply to every keyword of the workspace.',
  Keywords: 'Watched terms and their statistics.',
  Mentions: 'Posts that matched a keyword, with their scores.',
  Events: 'Changes in the workspace as they happen.',
  Views: 'Saved filters of the mention list.',
  Analytics: 'Figures of mentions over time.',
  Search: 'Live searches on the platforms. Nothing is stored.',
  Sources: 'Platforms and their status.',
  People: 'The authors of mentions.',
  Segments: 'Saved filters of people.',
  Members: 'Members of the workspace and invitations.',
  Audit: 'Security-relevant actions, for owners.',
  Attention: 'Spikes, noisy keywords, failing channels and held deliveries.',
  Channels: 'A destination for mentions and events.',
  Slack: 'Slack workspace whose channels can receive mentions and events.',
  Alerts: 'Rules that send mentions to channels.',
  Deliveries: 'Messages to channels and their attempts.',
  Billing: 'Prepaid balance, ledger and usage.',
} as const

export type Tag = keyof typeof TAGS
