/** The chapters of the public contract, in the order in which they are shown. An operation names one of them. */
export const TAGS = {
  Service: 'What runs here, and who is asking.',
  'API keys': 'Credentials of the workspace. A key is shown once, when it is made.',
  Groups: 'Keywords are organised in groups; one of them is the default.',
  Company: 'What the classifier knows of the company behind the workspace.',
  Filters: 'Rules that apply to every keyword of the workspace.',
  Keywords: 'The terms that are watched, and how well they do.',
  Mentions: 'Posts that matched a keyword, with their scores.',
  Views: 'Saved filters of the mention list.',
  Analytics: 'Mentions counted over time.',
  Search: 'Searches on the platforms themselves, of which nothing is stored.',
  Sources: 'The platforms that are read, and how they fare.',
  People: 'The authors of mentions.',
  Segments: 'Saved filters of people.',
  Members: 'The people who work in the workspace.',
  Audit: 'Who did what of weight in the workspace, for its owners.',
  Attention: 'What deserves a look: spikes, noisy keywords, failing channels.',
  Channels: 'Where mentions and events are sent.',
  Slack: 'The workspace at Slack whose channels can get mentions and events.',
  Alerts: 'Rules that say which mentions go to which channels.',
  Deliveries: 'What was sent, and what became of it.',
  Billing: 'The prepaid balance, its ledger and what was used.',
} as const

export type Tag = keyof typeof TAGS
