import { expect, test } from 'vitest'
import type { Channel } from '../api/channels.ts'
import { isReady } from '../app/new-channel/ready.ts'
import { type Done, isSentTo, STEP_NAMES, type StepName, stepStates, stepToFocus, targetChannel } from './steps.ts'

function done(...names: StepName[]): Done {
  return Object.fromEntries(STEP_NAMES.map((name) => [name, names.includes(name)])) as Record<StepName, boolean>
}

function opened(...names: StepName[]): StepName[] {
  const states = stepStates(done(...names), null)
  return STEP_NAMES.filter((name) => states[name] === 'open')
}

type Config = Channel['config']

function channel(id: string, config: Partial<Config>, part: Partial<Channel> = {}): Channel {
  const stats = { alerts: 0, activeAlerts: 0, lastDeliveryAt: null, last7d: { total: 0, failed: 0 } }
  const whole = { id, label: id, kind: 'webhook', enabled: true, createdAt: '2026-01-01T00:00:00.000Z', stats }
  return { ...whole, ...part, config: { events: [], ...config } } as Channel
}

const webhook = { url: 'https://receiver.example', headers: {} }

test.each<[finished: StepName[], open: StepName[]]>([
  [[], ['term']],
  [['term'], ['mention', 'channel']],
  [
    ['term', 'channel'],
    ['mention', 'test'],
  ],
  [['term', 'mention'], ['channel']],
  [['term', 'mention', 'channel', 'test'], ['rule']],
  [
    ['term', 'channel', 'test', 'rule'],
    ['mention', 'delivery'],
  ],
  [
    ['channel', 'test', 'rule'],
    ['term', 'delivery'],
  ],
  [[...STEP_NAMES], []],
])('after %j the steps %j are open', (finished, open) => {
  expect(opened(...finished)).toEqual(open)
})

test('a finished step can be opened again', () => {
  expect(stepStates(done(...STEP_NAMES), 'term')).toMatchObject({ term: 'open', mention: 'done' })
})

test('the focus goes to the step that opened, else to the first that is open', () => {
  const after = (...names: StepName[]) => stepStates(done(...names), null)
  expect(stepToFocus(after(), after('term'))).toBe('mention')
  expect(stepToFocus(after('term'), after('term', 'mention'))).toBe('channel')
  expect(stepToFocus(after('term'), after('term', 'channel'))).toBe('test')
  expect(stepToFocus(after('term'), after('term'))).toBeNull()
  const last = STEP_NAMES.slice(0, -1)
  expect(stepToFocus(after(...last), after(...STEP_NAMES))).toBe('delivery')
})

test('a channel is ready once somebody can be reached by it', () => {
  expect(isReady(channel('a', webhook))).toBe(true)
  expect(isReady(channel('a', webhook, { enabled: false }))).toBe(false)
  expect(isReady(channel('a', { chatId: null, chatType: null }))).toBe(false)
  expect(isReady(channel('a', { chatId: '7', chatType: 'private' }))).toBe(true)
  const recipient = (confirmedAt: string | null) => ({ email: 'a@people.example', confirmedAt })
  expect(isReady(channel('a', { recipients: [recipient(null)] }))).toBe(false)
  expect(isReady(channel('a', { recipients: [recipient(null), recipient('2026-01-01T00:00:00.000Z')] }))).toBe(true)
})

test('the steps are about the chosen channel, else one with a rule, else the newest', () => {
  const old = channel('old', webhook)
  const ruled = channel('ruled', webhook, { stats: { ...old.stats, activeAlerts: 1 } })
  const newest = channel('newest', webhook, { createdAt: '2026-02-01T00:00:00.000Z' })
  const waiting = channel('waiting', { chatId: null }, { createdAt: '2026-03-01T00:00:00.000Z' })
  expect(targetChannel([old, ruled, newest], 'old')).toBe(old)
  expect(targetChannel([old, ruled, newest], null)).toBe(ruled)
  expect(targetChannel([old, newest, waiting], 'waiting')).toBe(newest)
  expect(targetChannel([waiting], null)).toBeNull()
})

test('a rule counts for a channel while it is switched on', () => {
  const rule = { enabled: true, channelIds: ['dest_a'] } as Parameters<typeof isSentTo>[0]
  expect(isSentTo(rule, 'dest_a')).toBe(true)
  expect(isSentTo(rule, 'dest_b')).toBe(false)
  expect(isSentTo({ ...rule, enabled: false }, 'dest_a')).toBe(false)
})
