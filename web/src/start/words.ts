import type { Channel } from '../api/channels.ts'
import { formatCount, formatPlural } from '../kit/count.tsx'
import { listAll } from '../kit/list.ts'
import { formatDuration } from '../kit/time.tsx'
import type { StepName } from './steps.ts'

export const words = {
  title: 'Start',
  intro: 'From a term to a signed delivery, in six steps. Each step is done when your workspace has it.',
  titles: {
    term: 'What do you want to hear about?',
    mention: 'First mention',
    channel: 'Where should mentions go?',
    test: 'Send a test',
    rule: 'Send me everything relevant',
    delivery: 'Delivered',
  } satisfies Record<StepName, string>,
  states: { done: 'done', open: 'open', ahead: 'later' },

  term: 'Term',
  termHint: 'A name, a product or a phrase of 2 to 80 characters.',
  termExample: 'Acme Robotics',
  search: 'Search now',
  searching: 'The platforms are searched. This takes up to ten seconds.',
  watch: (term: string) => `Watch “${term}”`,
  watchNothing: 'Watch the term',
  kind: 'Kind',
  watching: (count: number, term: string | null) =>
    count === 1 && term !== null ? `“${term}” is watched.` : `${formatPlural(count, 'term')} are watched.`,
  toKeywords: 'Open the keywords',
  anotherTerm: 'Watch another term',
  found: (posts: number, matched: number) =>
    `${formatPlural(posts, 'post')} found, of which a keyword would match ${formatCount(matched)}. Nothing is stored.`,
  searchedNone: 'No platform could be searched.',
  foundNone: (term: string) => `Nobody wrote “${term}” on the searched platforms lately.`,
  foundNoneHelp:
    'Watch the term anyway: live feeds are matched as posts appear. Or try a shorter spelling or a more common word.',
  morePosts: (count: number) => `and ${formatPlural(count, 'more post')}`,
  notSearched: (names: readonly string[]) => `Not set up on this installation: ${listAll(names)}.`,
  noAnswer: (names: readonly string[]) => `No answer in time: ${listAll(names)}.`,
  author: (name: string) => `by ${name}`,
  openPost: 'Open the post',

  waitingFor: (term: string) => `Listening for “${term}”. Live feeds match a post within a second.`,
  waitingForAny: 'Listening for your terms. Live feeds match a post within a second.',
  rareTerm: 'Nothing yet. Rare terms take time, and the posts that the search found are not stored.',
  trialOffer: (term: string) => `See it move with “${term}”`,
  trialCost: (mentions: number, cents: number) =>
    `A topic with at most ${formatCount(mentions)} mentions and ${formatCount(cents)} cents of your credit, gone ` +
    'again with one press.',
  trialRuns: (term: string) => `“${term}” is watched to show how mentions arrive.`,
  trialEnd: (term: string) => `Delete “${term}”`,
  arrived: (term: string, seconds: number) =>
    `The first mention of “${term}” came ${formatDuration(seconds * 1000)} after the post.`,
  mentionArrived: (term: string) => `A mention of “${term}” arrived.`,
  mentionExists: 'Mentions arrive.',
  foundAfter: (seconds: number) => `found ${formatDuration(seconds * 1000)} after it was posted`,
  openMention: 'Open the mention',
  toInbox: 'Open the inbox',
  unclassified: 'The score failed.',

  where: 'Destination',
  kindNames: {
    browser: 'This browser',
    webhook: 'Webhook',
    slack: 'Slack',
    telegram: 'Telegram',
    email: 'E-mail',
    feed: 'Atom feed',
  },
  kindHints: {
    browser: 'The service itself receives the requests, and this page shows them.',
    webhook: 'A signed request to your server.',
    slack: 'A message with buttons in a channel.',
    telegram: 'A message of the bot in a chat.',
    email: 'A mail to one address.',
    feed: 'A link for a feed reader.',
  },
  channelIs: ({ label, kind }: Pick<Channel, 'label' | 'kind'>) => `Mentions go to ${label} (${channelKinds[kind]}).`,
  anotherChannel: 'Add another channel',
  createInbox: 'Receive in this browser',
  inboxName: 'Start',
  inboxLabel: 'This browser',
  inboxHint:
    'A webhook channel to an inbox of this service. The inbox ends after 24 hours. Then add a channel of your own.',
  feedName: 'Everything relevant',
  feedCreate: 'Create the feed',
  feedHint: 'Creates a view of all relevant mentions, whose feed any reader can follow.',
  feedLink: 'Feed link',
  feedReady:
    'Readers fetch the link by themselves, so a feed needs no test and no rule. Everybody with the link reads it.',
  feedMissing: 'Feed links cannot be made on this installation, because its secret key is missing.',

  testHint: (label: string) => `One signed test request to ${label}, at once.`,
  sendTest: 'Send a test',
  testAgain: 'Send another test',
  testArrived: (label: string) => `The test arrived at ${label}.`,
  testFailed: (label: string) => `The test did not arrive at ${label}.`,
  testSkipped: 'The test was left out.',
  testKnown: 'The channel has a rule already.',
  withoutTest: 'Go on without a test',
  requestOf: 'Request as it arrived',
  answer: (status: number | null) => (status === null ? 'No answer' : `Answer ${status}`),
  emptyAnswer: 'The answer has no body.',
  took: (milliseconds: number) => formatDuration(milliseconds),

  ruleHint: (label: string) => `Every relevant mention goes to ${label} as soon as it is scored.`,
  ruleName: 'Everything relevant',
  preview: (count: number, days: number) =>
    count === 0
      ? `In the last ${days} days the rule would have sent nothing.`
      : `In the last ${days} days the rule would have sent ${formatPlural(count, 'mention')}.`,
  previewOpen: 'The newest of them',
  createRule: 'Send everything relevant',
  ruleExists: (name: string) => `The rule “${name}” sends mentions.`,

  waitingDelivery: 'Waiting for the next relevant mention. The rule sends it the moment it is scored.',
  slowDelivery: 'Nothing was sent yet. Rare terms take time.',
  deliveryStates: {
    pending: 'A delivery waits for its first attempt.',
    held: 'A delivery is held.',
    delivered: 'Delivered.',
    failed: 'A delivery failed.',
    cancelled: 'A delivery was cancelled.',
  },
  deliveredTo: (label: string) => `A mention was delivered to ${label}.`,
  noRequest: 'The delivery has no request that can be shown.',
  requestSent: 'Request as it was sent',
  milestones: (mentionSeconds: number | null, deliverySeconds: number | null) =>
    [
      mentionSeconds === null ? null : `first mention after ${formatCount(mentionSeconds)} s`,
      deliverySeconds === null ? null : `first delivery after ${formatCount(deliverySeconds)} s`,
    ]
      .filter((part) => part !== null)
      .join(', '),
  next: 'Where to go next',
  nextInbox: 'Inbox',
  nextInboxHint: 'Read, judge and triage mentions.',
  nextGuide: 'Guide',
  nextGuideHint: 'Filters, digests, signatures and retries.',
  nextKeys: 'API keys',
  nextKeysHint: 'Do all of this by program or from an AI tool.',
}

const channelKinds = { webhook: 'webhook', slack: 'Slack', telegram: 'Telegram', email: 'e-mail' }
