import { expect, test } from 'vitest'
import type { Channel } from '../api/channels.ts'
import { eventsFor, printHeaders, readHeaders, stateOf } from './state.ts'
import { words } from './words.ts'

const WEBHOOK: Channel = {
  id: 'dest_1',
  label: 'Support desk',
  kind: 'webhook',
  enabled: true,
  createdAt: '2026-11-26T10:00:00.000Z',
  stats: { alerts: 1, activeAlerts: 1, lastDeliveryAt: null, last7d: { total: 10, failed: 5 } },
  config: { url: 'https://receiver.example/hook', headers: {}, events: [] },
}

const failed = (total: number, count: number): Channel => ({
  ...WEBHOOK,
  stats: { ...WEBHOOK.stats, last7d: { total, failed: count } },
})
const telegram: Channel = { ...WEBHOOK, kind: 'telegram', config: { chatId: null, chatType: null, events: [] } }
const email = (confirmedAt: string | null): Channel => ({
  ...WEBHOOK,
  kind: 'email',
  config: { recipients: [{ email: 'a@b.example', confirmedAt }], events: [] },
})

test.each<[string, Channel]>([
  ['On', WEBHOOK],
  ['On', failed(0, 0)],
  ['Failing', failed(10, 6)],
  ['Paused', { ...failed(10, 6), enabled: false }],
  ['No chat connected', telegram],
  ['Not confirmed', email(null)],
  ['On', email('2026-11-26T10:00:00.000Z')],
])('%s', (label, channel) => {
  expect(stateOf(channel).label).toBe(label)
})

test('chats and mails receive the events of attention only', () => {
  expect(eventsFor('webhook')).toEqual(Object.keys(words.eventNames))
  expect(eventsFor('slack')).toEqual(['mention.spike', 'sentiment.negative_spike', 'keyword.noisy', 'channel.failing'])
})

test('headers are lines of a text', () => {
  const headers = { authorization: 'Bearer a:b', 'x-team': 'support' }
  expect(readHeaders(printHeaders(headers))).toEqual({ headers })
  expect(readHeaders(' X-Team :  support \n\n')).toEqual({ headers: { 'X-Team': 'support' } })
  expect(readHeaders('')).toEqual({ headers: {} })
  expect(readHeaders('x-a: 1\nnonsense')).toEqual({ badLine: 'nonsense' })
  expect(readHeaders(': empty')).toEqual({ badLine: ': empty' })
})
