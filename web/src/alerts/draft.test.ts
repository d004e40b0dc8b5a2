import { expect, test } from 'vitest'
import type { Alert } from '../api/alerts.ts'
import { bodyOf, changeBetween, draftOf, droppedIn, emptyDraft, filterOf, formerOf, matchesNothing } from './draft.ts'

const RULE: Alert = {
  id: 'feed_1',
  name: 'Complaints',
  enabled: true,
  mode: 'weekly',
  event: 'digest',
  filter: { intents: ['complaint'], anyOf: [{ platforms: ['x'] }] },
  schedule: { hour: 9, minute: 0, timezone: 'UTC', skipEmpty: false, weekday: 1 },
  channelIds: ['dest_1', 'dest_2'],
  channels: [],
  version: 3,
  stats: { sentLast7d: 0, lastSentAt: null, nextRunAt: null },
  createdAt: '2026-11-26T10:00:00.000Z',
}

test('a rule holds the conditions that rules know, and its alternatives', () => {
  const draft = draftOf(RULE)
  expect(draft.event).toBe('')
  expect(filterOf(draft)).toEqual(RULE.filter)
  const filter = { ...draft.filter, q: 'leak', status: ['open' as const] }
  expect(droppedIn(filter)).toEqual(['q', 'status'])
  expect(filterOf({ ...draft, filter })).toEqual(RULE.filter)
})

test('only what differs is changed', () => {
  const former = draftOf(RULE)
  expect(changeBetween(former, { ...former, name: ' Complaints ', channelIds: ['dest_2', 'dest_1'] })).toEqual({})
  expect(changeBetween(former, { ...former, name: 'Leaks', event: 'leak' })).toEqual({ name: 'Leaks', event: 'leak' })
  expect(changeBetween(former, { ...former, mode: 'instant', schedule: null })).toEqual({
    mode: 'instant',
    schedule: null,
  })
  expect(changeBetween({ ...former, event: 'leak' }, former)).toEqual({ event: null })
  expect(changeBetween(former, { ...former, filter: {} })).toEqual({ filter: { anyOf: RULE.filter.anyOf } })
})

test('an undo sends the former values', () => {
  expect(formerOf(RULE, { name: 'Leaks', filter: {}, ifVersion: 3 })).toEqual({ name: RULE.name, filter: RULE.filter })
})

test('a new rule takes the name of the event from its mode', () => {
  const draft = { ...emptyDraft({ intents: ['complaint'] }, ['dest_1']), name: ' New ' }
  expect(bodyOf(draft)).toEqual({
    ...{ name: 'New', mode: 'instant', channelIds: ['dest_1'], schedule: null, enabled: true },
    filter: { intents: ['complaint'] },
  })
  expect(bodyOf({ ...draft, event: 'leak' }).event).toBe('leak')
})

test('a list that lost its last entry matches nothing', () => {
  expect(matchesNothing({ filter: { keywordIds: [] } })).toBe(true)
  expect(matchesNothing({ filter: { intents: ['complaint'] } })).toBe(false)
})
