import { cleanLine, excerpt } from '../../kernel/text.ts'
import type { ResumeReason } from '../keyword/lifecycle.ts'
import { ACCOUNT_EVENTS, type AccountEvent } from './account-events.ts'
import { dollarsOf } from './dollars.ts'
import { ATTENTION_KINDS, type AttentionKind } from './kinds.ts'

export interface EventLine {
  text: string
  url: string | null
}

/** Names and reasons come from strangers: shortened and on one line, but not escaped. The sender escapes them. */
export function eventLine(event: string, data: Record<string, unknown>): EventLine {
  const url = typeof data.url === 'string' ? data.url : null
  return { text: isKnown(event) ? LINES[event](reading(data)) : event, url }
}

/** Characters of a name or reason, and of a line. */
const SHOWN_MAX = 120
export const EVENT_LINE_MAX = 500

const LINES: Readonly<Record<AccountEvent | AttentionKind, (facts: Facts) => string>> = {
  'keyword.capped': (facts) => {
    const cap = facts.number('cap', 'mentions')
    return `${facts.keyword} has reached its monthly limit${cap === null ? '' : ` of ${counted(cap, 'mention')}`}`
  },
  'keyword.paused_for_balance': (facts) => `${facts.keyword} has stopped because the balance does not cover it`,
  'keyword.resumed': (facts) => {
    const why = RESUMED.get(facts.text('reason'))
    return `${facts.keyword} collects again${why === undefined ? '' : `: ${why}`}`
  },
  'wallet.low': (facts) => {
    const [left, credit] = [facts.number('wallet', 'effectiveCents'), facts.number('lastCreditCents')]
    if (left === null) return 'The balance is low'
    return (
      `The balance is low: ${dollarsOf(left)} ` +
      `left${credit === null ? '' : ` of the last credit of ${dollarsOf(credit)}`}`
    )
  },
  'wallet.paused': (facts) => {
    const paused = facts.number('keywordsPaused')
    return (
      'Tracking is paused because the balance does not cover another ' +
      `day${paused === null ? '' : `: ${counted(paused, 'keyword')} stopped`}`
    )
  },
  'wallet.resumed': (facts) => {
    const resumed = facts.number('keywordsResumed')
    return (
      'Tracking goes on because the balance covers it ' +
      `again${resumed === null ? '' : `: ${counted(resumed, 'keyword')} resumed`}`
    )
  },
  'mention.spike': (facts) => {
    const [matches, usual] = [facts.number('matches'), facts.number('baseline', 'meanPerHour')]
    const numbers =
      matches === null
        ? ''
        : `: ${matches} in the last ` +
          `hour${usual === null ? '' : `, usually ${usual >= 1 ? Math.round(usual) : 'less than 1'}`}`
    return `Unusually many mentions of ${facts.keyword}${numbers}`
  },
  'sentiment.negative_spike': (facts) => {
    const [negative, relevant, before] = [
      facts.number('negative'),
      facts.number('relevant'),
      facts.number('baseline', 'share'),
    ]
    const numbers =
      negative === null || relevant === null
        ? ''
        : `: ${negative} of ${relevant} in the last 24 hours ` +
          `(${percent(negative / relevant)})${before === null ? '' : `, ${percent(before)} in the week before`}`
    return `Unusually many negative mentions of ${facts.keyword}${numbers}`
  },
  'keyword.noisy': (facts) => {
    const [scored, relevant, days] = [facts.number('scored'), facts.number('relevant'), facts.number('windowDays')]
    const numbers =
      scored === null || relevant === null
        ? ''
        : `: ${scored - relevant} of ${scored} scored${days === null ? '' : ` in ${days} days`}`
    return `Most matches of ${facts.keyword} are noise${numbers}`
  },
  'channel.failing': (facts) => {
    const [failures, error] = [facts.number('failures'), facts.text('lastError')]
    const numbers =
      failures === null
        ? ''
        : `: the last ${counted(failures, 'delivery', 'deliveries')} ` +
          `failed${error === null ? '' : ` (${shown(error)})`}`
    return `The channel ${facts.channel} accepts no deliveries${numbers}`
  },
  'deliveries.waiting': (facts) => {
    const [held, limit] = [facts.number('held'), facts.number('waitingLimit')]
    const numbers = held === null || limit === null ? '' : `: ${held} above the limit of ${limit} waiting deliveries`
    return `Deliveries are held because too many wait to be sent${numbers}`
  },
  'disk.filling': (facts) => {
    const days = facts.number('daysLeft')
    const when = days ? `in ${counted(days, 'day')}` : 'within a day'
    return `The disk of the database is full ${when} at the present growth`
  },
}

const RESUMED: ReadonlyMap<string | null, string> = new Map<ResumeReason, string>([
  ['balance_restored', 'the balance covers it again'],
  ['cap_raised', 'its monthly limit was raised'],
  ['cap_removed', 'its monthly limit was removed'],
  ['month_turned', 'a new month has begun'],
])

/** Null where absent. */
interface Facts {
  number(...path: readonly string[]): number | null
  text(...path: readonly string[]): string | null
  keyword: string
  channel: string
}

function reading(data: Record<string, unknown>): Facts {
  const at = (path: readonly string[]) =>
    path.reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
      data,
    )
  const text: Facts['text'] = (...path) => {
    const value = at(path)
    return typeof value === 'string' ? value : null
  }
  const quoted = (name: string | null, unnamed: string) =>
    name === null || shown(name) === '' ? unnamed : `“${shown(name)}”`
  return {
    number: (...path) => {
      const value = at(path)
      return typeof value === 'number' ? value : null
    },
    text,
    keyword: quoted(text('keyword', 'name') ?? text('keyword', 'term'), 'a keyword'),
    channel: quoted(text('channel', 'label'), 'without a name'),
  }
}

function isKnown(event: string): event is AccountEvent | AttentionKind {
  return [...ACCOUNT_EVENTS, ...ATTENTION_KINDS].some((item) => item === event)
}

/** Removes characters that are invisible or change the text direction. */
function shown(text: string): string {
  return excerpt(cleanLine(text.replace(/[\p{Zl}\p{Zp}\p{Cc}]/gu, ' ').replace(/\p{C}/gu, '')), SHOWN_MAX)
}

function counted(count: number, text: string, many = `${text}s`): string {
  return `${count} ${count === 1 ? text : many}`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
