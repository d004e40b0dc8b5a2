import type { Invoice, LedgerEntry } from '../api/billing.ts'
import { formatCount, formatPlural } from '../kit/count.tsx'

const BYS = { keyword: 'Keyword', group: 'Group', platform: 'Platform', day: 'Day' }

export const words = {
  title: 'Money',
  tabsLabel: 'Parts of the account',
  tabs: { overview: 'Wallet', usage: 'Usage', ledger: 'Ledger', invoices: 'Invoices' },
  figures: {
    balance: 'Balance',
    daysLeft: 'Days left',
    burn: 'Spent a day',
    nextDay: 'The next day costs',
  },
  pending: (pending: string) => `${pending} of it waits for the daily settlement and is already taken off`,
  nothingPending: 'Nothing waits for settlement',
  endless: 'No end in sight',
  ends: (date: string) => `Ends about ${date}, at the present rate`,
  burnNote: 'Mean of the last seven days',
  keywords: (active: number) => `${formatPlural(active, 'keyword')} ${active === 1 ? 'is' : 'are'} charged daily`,
  stopped: (keywords: number, cost: string) =>
    `The balance ran out, so ${formatPlural(keywords, 'keyword')} ${keywords === 1 ? 'is' : 'are'} paused. They ` +
    `start by themselves when the balance covers ${cost}, a day of all of them.`,
  low: 'The balance is low: at most a fifth of the last credit is left.',
  paid: 'Thank you. The balance grows when the payment provider reports the payment, usually within a minute.',
  credit: (amount: string, date: string) => `Welcome credit of ${amount} on ${date}.`,
  lastTopUp: (date: string) => `Last top-up on ${date}.`,
  noTopUp: 'Nothing was topped up yet.',

  topUp: 'Top up',
  topUpHint: 'You pay on a page of the payment provider and come back here. The provider saves the payment method.',
  amount: 'Amount in US dollars',
  between: (least: string, most: string) => `From ${least} to ${most}.`,
  pay: 'Go to the payment page',
  whoManages: 'An admin or owner of the workspace can top up the balance and change the auto-recharge.',
  notConfigured:
    'This installation takes no payments. Its operator can set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or ' +
    'grant credit with “earshot grant”.',

  recharge: 'Auto-recharge',
  rechargeHint: 'Charges the saved payment method when the balance falls below an amount, at most once an hour.',
  rechargeOn: 'Recharge by itself',
  noMethod: 'Charges start with the first paid top-up, which saves a payment method.',
  threshold: 'When the balance falls below, in US dollars',
  rechargeAmount: 'Charge, in US dollars',
  save: 'Save the auto-recharge',
  saved: 'The auto-recharge is saved',
  lastRun: 'Last charge',
  lastError: (reason: string) => `The last charge failed: ${reason}`,

  usageCaption: 'Usage and cost of the month',
  by: 'By',
  bys: BYS,
  byOne: (dimension: keyof typeof BYS) => `By ${BYS[dimension].toLowerCase()}`,
  usageFigures: {
    total: 'Cost of the month',
    perRelevant: 'A relevant mention costs',
    mentions: 'Charged mentions',
    days: 'Keyword days',
  },
  relevantOf: (count: number) => `${formatPlural(count, 'relevant mention')} in the month`,
  ofCents: (cost: string) => `${cost} in all`,
  waiting: (count: number) => (count === 0 ? '' : `${formatPlural(count, 'more mention')} not scored yet`),
  columns: {
    mentions: 'Mentions',
    charged: 'Charged',
    days: 'Keyword days',
    cost: 'Cost',
    perRelevant: 'For a relevant one',
    share: 'Share',
  },
  keywordDays: 'Keyword days',
  removed: 'deleted',
  noUsage: 'Nothing was charged in this month.',
  noUsageHint: 'A keyword that collects costs a fixed price a day, and each scored mention its own.',
  moreRows: (shown: number) => `The ${formatCount(shown)} most expensive are shown.`,
  settlement:
    'Mentions are settled on the day after they were scored. Amounts are rounded one by one, so that sums may ' +
    'differ by a cent.',

  ledgerCaption: 'Entries of the ledger, newest first',
  ledgerHint: 'Every change of the balance. Entries are never changed or removed.',
  kind: 'Kind',
  allKinds: 'All kinds',
  kinds: {
    signup_credit: 'Welcome credit',
    topup: 'Top-up',
    auto_recharge: 'Auto-recharge',
    refund: 'Refund',
    dispute: 'Disputed payment',
    debit_keyword_days: 'Keyword days',
    debit_mentions: 'Mentions',
    grant: 'Credit of the operator',
    adjustment: 'Adjustment',
  } satisfies Record<LedgerEntry['kind'], string>,
  ledgerColumns: { at: 'Time', kind: 'What', day: 'For', amount: 'Amount', balance: 'Balance after' },
  units: (kind: LedgerEntry['kind'], units: number) =>
    kind === 'debit_mentions' ? formatPlural(units, 'mention') : formatPlural(units, 'keyword'),
  noEntry: 'No entry yet',
  noEntryHint: 'The first entry is a credit.',
  noEntryOfKind: 'No entry of this kind',
  showAll: 'Show all kinds',
  older: 'Show older ones',
  whoSeesLedger: 'The ledger and the invoices are for admins and owners of the workspace. Ask one of them.',

  invoicesCaption: 'Invoices, newest first',
  invoicesHint:
    'Invoices of top-ups, as the payment provider keeps them. For automatic charges the provider mails a receipt.',
  invoiceColumns: { number: 'Number', date: 'Date', status: 'State', amount: 'Amount', open: 'Invoice' },
  invoiceStatuses: {
    draft: 'Draft',
    open: 'Open',
    paid: 'Paid',
    uncollectible: 'Given up',
    void: 'Void',
  } satisfies Record<Invoice['status'], string>,
  noNumber: 'not final yet',
  open: 'Open',
  noInvoice: 'No invoice yet',
  noInvoiceHint: 'The first top-up makes one.',
} as const
