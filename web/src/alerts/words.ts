import type { Alert } from '../api/alerts.ts'
import { formatCount, formatPlural } from '../kit/count.tsx'
import { listAll } from '../kit/list.ts'

export const words = {
  title: 'Rules',
  caption: 'Rules with what they send, and when',
  add: 'Add a rule',
  total: (count: number) => formatPlural(count, 'rule'),
  columns: {
    name: 'Rule',
    state: 'State',
    mode: 'Sends',
    channels: 'To',
    week: 'Sent in 7 days',
    last: 'Last sent',
    next: 'Next run',
    actions: 'Actions',
  },
  none: 'No rule yet',
  noneHint: 'A rule chooses mentions and sends them to channels, each at once or as a digest.',
  never: 'nothing yet',
  noNext: '–',
  noChannels: 'no channel',
  everything: 'Everything relevant',
  conditions: (parts: readonly string[]) => parts.join(' · '),
  alternatives: (count: number) => formatPlural(count, 'alternative'),
  states: { on: 'On', off: 'Paused', silent: 'No channel' },

  modes: {
    instant: 'At once',
    hourly: 'Every hour',
    daily: 'Every day',
    weekly: 'Every week',
  } satisfies Record<Alert['mode'], string>,
  modeHints: {
    instant: 'Each mention by itself, right after its score.',
    hourly: 'A digest, five minutes past each hour. Not by e-mail.',
    daily: 'A digest of the time since the one before.',
    weekly: 'A digest of the time since the one before.',
  } satisfies Record<Alert['mode'], string>,
  daily: (time: string) => `Every day at ${time}`,
  weekly: (day: string, time: string) => `Every ${day} at ${time}`,
  inZone: (schedule: string, zone: string) => `${schedule}, ${zone}`,

  newTitle: 'New rule',
  back: 'All rules',
  missing: 'There is no such rule',
  missingHint: 'The rule may have been deleted.',
  what: 'What it sends',
  placeholder: 'platform:reddit -intent:hiring followers:>1000',
  filterHint: 'Without “relevance:” it sends relevant mentions only, which score 40 or more. All conditions must hold.',
  notInRules: 'A rule cannot hold this part',
  dropped: (parts: readonly string[]) => `A rule cannot hold ${listAll(parts)}, so this is left out.`,
  keptAlternatives: (count: number) =>
    `${formatPlural(count, 'group')} of alternatives ${count === 1 ? 'stands' : 'stand'} in this rule too, and ` +
    `${count === 1 ? 'is' : 'are'} kept.`,
  emptyList:
    'The last keyword or group of this rule was deleted, so it sends nothing. Remove the condition to send all.',
  when: 'When and where',
  name: 'Name',
  namePlaceholder: 'Complaints on Reddit',
  mode: 'When',
  time: 'Time of day',
  weekday: 'Day of the week',
  zone: 'Time zone',
  ownZone: (zone: string) => `${zone} (yours)`,
  skipEmpty: 'Send no empty digest',
  channels: 'Channels',
  noChannelYet: 'There is no channel yet.',
  addChannel: 'Add a channel',
  channelOff: 'paused',
  event: 'Event name',
  eventHint: 'What webhooks see as “event”. Empty takes the name of the mode.',
  create: 'Create the rule',
  save: 'Save the rule',
  discard: 'Discard',
  changed: 'A change takes effect with the next mention.',
  created: (name: string) => `The rule ${name} is created`,
  saved: (name: string) => `The rule ${name} is saved`,
  stale: 'Somebody changed the rule while you edited it.',
  loadTheirs: 'Show the present rule',

  preview: 'What it would have sent',
  days: 'Days',
  dayOptions: { 7: '7 days', 14: '14 days', 30: '30 days' },
  counted: (count: number, days: number) =>
    count === 0
      ? `Nothing in the last ${days} days.`
      : `${formatPlural(count, 'mention')} in the last ${days} days, ${perDay(count / days)} a day.`,
  countedNote: 'As an instant rule to a webhook. Ignored and done mentions, and those of muted people, are left out.',
  legend: 'Mentions',
  newest: 'The newest of them',
  openAll: 'Open them in the inbox',
  mute: (name: string) => `Mute ${name} in this rule`,

  authors: 'Muted authors',
  authorsHint: 'The rule sends none of their mentions. Profile links, @handles, u/names and names work.',
  authorsNone: 'Nobody is muted.',
  author: 'Author',
  muteAuthor: 'Mute',
  unmute: (name: string) => `Unmute ${name}`,
  muted: (name: string) => `${name} is muted in the rule`,
  unmuted: (name: string) => `${name} is no longer muted in the rule`,

  stats: { week: 'Sent in 7 days', last: 'Last sent', next: 'Next run' },
  openLog: 'Open its deliveries',
  test: 'Send a test',
  testDone: (count: number) => `The test arrived at ${formatPlural(count, 'channel')}`,
  outcomeFailed: (label: string, reason: string) => `${label}: ${reason}`,
  testFailed: (reasons: readonly string[]) => `The test did not arrive everywhere. ${reasons.join(' ')}`,
  run: 'Send the digest now',
  runDone: (count: number) => `The digest with ${formatPlural(count, 'mention')} is sent`,
  runFailed: (reasons: readonly string[]) =>
    `The digest did not arrive everywhere, and is tried again. ${reasons.join(' ')}`,
  runSkipped: {
    already_sent: 'The last digest was sent already.',
    empty: 'The digest is empty, and the rule sends no empty digest.',
  },
  pause: 'Pause',
  resume: 'Resume',
  paused: (name: string) => `The rule ${name} is paused`,
  resumed: (name: string) => `The rule ${name} sends again`,
  actionsOf: (name: string) => `Actions for ${name}`,
  remove: 'Delete the rule',
  removeTitle: (name: string) => `Delete the rule ${name}?`,
  removeText: 'Its waiting deliveries are cancelled. What was sent stays in the log. This cannot be undone.',
  removed: (name: string) => `The rule ${name} is deleted`,
} as const

function perDay(value: number): string {
  return value < 1 ? 'less than one' : `about ${formatCount(Math.round(value))}`
}
