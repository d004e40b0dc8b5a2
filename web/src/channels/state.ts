import type { Channel } from '../api/channels.ts'
import { isSetUp } from '../app/new-channel/ready.ts'
import type { Tone } from '../kit/tone.ts'
import { words } from './words.ts'

type StateName = keyof typeof words.states

const TONES: Readonly<Record<StateName, Tone>> = {
  on: 'positive',
  off: 'neutral',
  chat: 'warning',
  confirmation: 'warning',
  failing: 'negative',
}

/** What a channel does now, and what stands in its way. */
export function stateOf(channel: Channel): { tone: Tone; label: string; why: string | null } {
  const name = nameOf(channel)
  return { tone: TONES[name], label: words.states[name], why: words.whys[name] }
}

function nameOf({ enabled, config, stats: { last7d } }: Channel): StateName {
  if (!enabled) return 'off'
  if (!isSetUp(config)) return 'recipients' in config ? 'confirmation' : 'chat'
  return last7d.failed * 2 > last7d.total ? 'failing' : 'on'
}

type AccountEvent = Channel['config']['events'][number]

/** Events that every kind of channel receives. Webhooks receive those of the account too. */
const ATTENTION_EVENTS: readonly AccountEvent[] = [
  'mention.spike',
  'sentiment.negative_spike',
  'keyword.noisy',
  'channel.failing',
]

export function eventsFor(kind: Channel['kind']): AccountEvent[] {
  const all = Object.keys(words.eventNames) as AccountEvent[]
  return kind === 'webhook' ? all : all.filter((event) => ATTENTION_EVENTS.includes(event))
}

/** Headers as lines of a text, `Name: value`. */
export function printHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** The headers of a text, or the line that is none. */
export function readHeaders(text: string): { headers: Record<string, string> } | { badLine: string } {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const badLine = lines.find((line) => line.indexOf(':') < 1)
  if (badLine !== undefined) return { badLine: badLine.trim() }
  const pairs = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const
  })
  return { headers: Object.fromEntries(pairs) }
}
