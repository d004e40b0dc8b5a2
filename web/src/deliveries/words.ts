import type { Delivery, DeliveryDetail } from '../api/deliveries.ts'
import { formatCount, formatPlural } from '../kit/count.tsx'
import { formatDuration } from '../kit/time.tsx'

function deliveries(count: number): string {
  return formatPlural(count, 'delivery', 'deliveries')
}

export const words = {
  title: 'Deliveries',
  delivery: 'Delivery',
  log: 'Log of deliveries',
  filter: 'Filter of the log',
  statuses: {
    pending: 'Waiting',
    held: 'Held',
    delivered: 'Delivered',
    failed: 'Failed',
    cancelled: 'Cancelled',
  } satisfies Record<Delivery['status'], string>,
  kinds: { mention: 'Mentions', digest: 'Digests', event: 'Account events' } satisfies Record<Delivery['kind'], string>,
  status: 'Status',
  channel: 'Channel',
  allChannels: 'All channels',
  rule: 'Rule',
  allRules: 'All rules',
  kind: 'Kind',
  allKinds: 'All kinds',
  since: 'Since',
  anySince: 'The whole log',
  sincePresets: { hour: 'The last hour', day: 'The last 24 hours', week: 'The last 7 days' },
  sinceTime: (time: string) => `Since ${time}`,
  mention: 'Of one mention',
  removeMention: 'Show the deliveries of all mentions',
  clearFilter: 'Clear the filter',
  newOnes: (count: number) => `${formatCount(count)} new`,
  announced: (count: number) => `${deliveries(count)} arrived`,
  more: 'Show older deliveries',
  endOfLog: 'End of the log. Older deliveries are not kept.',
  shown: (count: number, more: boolean) => (more ? `${formatCount(count)} shown` : deliveries(count)),

  noMatch: 'No delivery matches',
  noMatchHint: 'Older deliveries are not kept.',
  none: 'Nothing was sent yet',
  noneHint: 'A rule sends relevant mentions to a channel. Its deliveries appear here as they happen.',
  toStart: 'Set up a channel and a rule',

  /** What a row is about. */
  subject: ({ kind, event, alerts, mention }: Pick<Delivery, 'kind' | 'event' | 'alerts' | 'mention'>): string => {
    if (mention !== null) return mention.text
    if (kind === 'digest') return `Digest of ${alerts[0]?.name ?? 'a deleted rule'}`
    return plain(event)
  },
  deletedChannel: 'Deleted channel',
  attempts: (count: number) => (count === 0 ? 'no attempt yet' : formatPlural(count, 'attempt')),
  ofRules: (names: readonly string[]) => names.join(', '),

  choose: 'Choose a delivery',
  chooseHint: 'Its attempts, the signed request and the answer are shown here.',
  back: 'Back to the log',
  inLog: 'Open in the log',
  gone: 'This delivery does not exist',
  goneHint: 'Older deliveries are not kept. The delivery may also belong to another workspace.',
  created: 'Created',
  accepted: 'Accepted',
  nextAttempt: 'Next attempt',
  event: 'Event',
  rules: 'Rules',
  id: 'Id',
  copyId: 'delivery id',
  openMention: 'Open the mention',

  /** What became of it, and what ends the state. */
  outcome: (status: Delivery['status'], attempts: number): string => {
    if (status === 'delivered')
      return attempts === 1 ? 'Accepted at the first attempt.' : `Accepted at attempt ${formatCount(attempts)}.`
    if (status === 'failed')
      return attempts === 0 ? 'It was not sent.' : `Given up after ${formatPlural(attempts, 'attempt')}.`
    if (status === 'held') return 'Held back until the cause below ends.'
    if (status === 'cancelled') return 'No longer wanted, so it is not sent.'
    return attempts === 0 ? 'Waits for its first attempt.' : 'The last attempt failed. It is tried again.'
  },
  advice: {
    pending: null,
    held: 'Mend the cause, then retry. Deliveries that wait for room go on by themselves.',
    delivered: null,
    failed: 'Mend the receiver, then retry. The delivery keeps its id, so a receiver that knows the id takes it once.',
    cancelled: 'A replay sends the contents if the channel and the mention allow it.',
  } satisfies Record<Delivery['status'], string | null>,
  why: {
    pending: 'Last fault',
    held: 'Why it is held',
    delivered: 'Note',
    failed: 'Why it failed',
    cancelled: 'Why it was cancelled',
  } satisfies Record<Delivery['status'], string>,

  attemptLog: 'Attempts',
  noAttempt: 'Nothing was sent to the receiver so far.',
  attemptList: 'Choose an attempt',
  attempt: (number: number) => `Attempt ${formatCount(number)}`,
  outcomes: {
    delivered: 'Accepted',
    temporary_failure: 'Failed, tried again',
    permanent_failure: 'Refused for good',
  } satisfies Record<DeliveryDetail['attemptLog'][number]['outcome'], string>,
  lastTemporary: 'Failed, given up',
  took: (milliseconds: number) => formatDuration(milliseconds),
  requestSent: 'Request as it was sent',
  noRequest: 'The request of this attempt is not stored. The log keeps the requests of the newest ten attempts.',
  /** What statuses mean for whoever mends the receiver, by the status or its hundreds. */
  meanings: {
    '3': 'it redirects, and redirects are not followed; enter the final address',
    '401': 'it refuses the signature or the credentials',
    '403': 'it refuses the signature or the credentials',
    '404': 'there is nothing at the address',
    '405': 'it takes no POST at the address',
    '410': 'it no longer wants deliveries at the address',
    '413': 'the body is too large for it',
    '429': 'it takes no more requests for now',
    '4': 'it refuses the request',
    '5': 'it is at fault or down',
  } as Readonly<Record<string, string>>,
  receiverAnswered: (status: string, meaning: string | undefined) =>
    `The receiver answered ${status}${meaning === undefined ? '' : `: ${meaning}`}.`,
  answerTitle: 'Answer',
  answer: (status: number | null) => (status === null ? 'No status' : `Status ${status}`),
  noAnswer: 'The receiver gave no answer.',
  emptyAnswer: 'The answer has no body.',

  ways: { retry: 'Retry', replay: 'Replay' },
  wayHints: { retry: 'Goes on under the same id', replay: 'Sends the contents again under a new id' },
  retried: 'The delivery is tried again',
  replayed: 'The contents are sent again as a new delivery',
  openReplay: 'Show the new delivery',

  sendFailed: 'Send failed ones again',
  sendFailedHint: 'Sends every failed delivery of the chosen time again, one after the other, oldest first.',
  how: 'How',
  howHints: {
    retry: 'Under the same id. A receiver that keeps ids takes each delivery once.',
    replay: 'Under a new id, also where a retry is no longer possible. A receiver may get contents twice.',
  },
  counting: 'Counting',
  failedCount: (count: number, more: boolean) =>
    count === 0
      ? 'No delivery failed in this time.'
      : `${more ? 'More than ' : ''}${deliveries(count)} failed in this time.`,
  begin: (count: number) => (count === 0 ? 'Send again' : `Send ${deliveries(count)} again`),
  stop: 'Stop',
  close: 'Close',
  progress: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)}`,
  progressLabel: 'Progress',
  waiting: (seconds: number) => `The limit of requests is reached. It goes on in ${formatPlural(seconds, 'second')}.`,
  sent: (count: number) => `${deliveries(count)} ${count === 1 ? 'is' : 'are'} sent again.`,
  stopped: (left: number) =>
    `Stopped. ${deliveries(left)} ${left === 1 ? 'was' : 'were'} left as ${left === 1 ? 'it is' : 'they are'}.`,
  refused: (count: number, reason: string) => `${deliveries(count)} not sent: ${reason}`,
} as const

function plain(event: string): string {
  return event.replaceAll('_', ' ').replaceAll('.', ': ')
}
