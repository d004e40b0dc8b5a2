import type { KeyScope } from './key-table.ts'

const counts = new Intl.NumberFormat('en')

export const words = {
  product: 'Earshot',
  places: 'Places',
  inbox: 'Inbox',
  start: 'Start',
  search: 'Search now',
  keywords: 'Keywords',
  attention: 'Attention',
  views: 'Views',
  listen: 'Listen',
  more: 'More',
  account: 'Account',
  team: 'Team',
  apiKeys: 'API keys',
  guide: 'Guide',
  reference: 'API reference',
  skip: 'Skip to the content',
  foldSideBar: 'Fold the side bar',
  keys: 'Keys',
  keysHelp: 'Keyboard',
  requests: 'Requests behind this page',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  singleKeys: 'Single keys act',
  live: { live: 'Live', connecting: 'Catching up', off: 'Not live' },
  daysLeft: (days: number) => (days === 1 ? '1 day left' : `${counts.format(days)} days left`),
  lowBalance: (days: number | null) =>
    days === null
      ? 'The balance is low.'
      : `The balance lasts ${days === 1 ? '1 day' : `${counts.format(days)} days`}.`,
  stopped: 'The balance ran out, so every keyword is paused.',
  topUp: 'Open billing',
  offline: (time: string) => `Not connected. Shown as of ${time}.`,
  notFound: 'There is no such page',
  notFoundHint: 'The address may be mistyped, or the page may have moved.',
  toInbox: 'Go to the inbox',
  tryAgain: 'Try again',
  failed: 'This could not be loaded',
  reload: 'Reload the page',
  brokenPage: 'This page failed',
  scopes: {
    everywhere: 'Everywhere',
    places: 'Places',
    list: 'Move',
    verdict: 'Verdict',
    triage: 'Triage',
    select: 'Select',
    explain: 'Explain',
  } satisfies Record<KeyScope, string>,
  requestsHint: 'Every page uses the public API. These are the requests of this tab, newest first.',
  curl: 'As curl',
  close: 'Close',
  noRequests: 'No request yet.',
  waitSeconds: (seconds: number) =>
    seconds === 0
      ? 'Ready to try again.'
      : `Wait ${counts.format(seconds)} more ${seconds === 1 ? 'second' : 'seconds'}.`,
  triesAgain: (message: string) => `${message} The request is tried again.`,
  openExistingKeyword: 'Open the existing keyword',
  toKeywords: 'Open the keywords',
  toAttention: 'Open the attention list',
  whoTopsUp: 'An admin or owner of the workspace can top up the balance.',
  took: (milliseconds: number) => `${counts.format(milliseconds)} ms`,
}
