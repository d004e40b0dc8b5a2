import { expect, test } from 'vitest'
import { ACCOUNT_EVENTS, ATTENTION_EVENTS, subscribableEvents } from './account-events.ts'

test('there are ten account events, of which chats and mail may take the four that call for attention', () => {
  expect(new Set(ACCOUNT_EVENTS).size).toBe(10)
  expect(subscribableEvents('webhook')).toEqual(ACCOUNT_EVENTS)
  for (const kind of ['slack', 'telegram', 'email'] as const) expect(subscribableEvents(kind)).toEqual(ATTENTION_EVENTS)
  expect(ATTENTION_EVENTS).toHaveLength(4)
})
