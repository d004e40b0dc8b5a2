import { expect, test } from 'vitest'
import { isFiltered, type LogQuery, logHref, logQueryIn, NOTHING, openedIn, requestOf, sinceOf } from './log-query.ts'

const paramsOf = (href: string) => new URLSearchParams(href.split('?')[1] ?? '')

test('an address holds the filter of the log and the open delivery', () => {
  const query: LogQuery = {
    ...NOTHING,
    status: ['failed', 'held'],
    kind: 'digest',
    channelId: 'dest_1',
    alertId: 'feed_1',
    since: '2026-11-26T20:00:00Z',
  }
  const opened = { id: 'feed_1:2026-11-22', channelId: 'dest_1' }
  const href = logHref(query, opened)
  expect(href).toContain('/deliveries?status=failed,held&kind=digest&')
  expect(logQueryIn(paramsOf(href))).toEqual(query)
  expect(openedIn(paramsOf(href))).toEqual(opened)
  expect(logHref(NOTHING)).toBe('/deliveries')
  expect(openedIn(paramsOf('/deliveries'))).toBeNull()
})

test('unknown values are left out', () => {
  expect(logQueryIn(new URLSearchParams('status=lost,failed&kind=letter'))).toEqual({ ...NOTHING, status: ['failed'] })
})

test('a request names what is filtered', () => {
  expect(requestOf(NOTHING)).toEqual({})
  expect(isFiltered(NOTHING)).toBe(false)
  expect(requestOf({ ...NOTHING, status: ['failed'], kind: 'mention', mentionId: 'mtn_1' })).toEqual({
    status: ['failed'],
    kind: ['mention'],
    mentionId: 'mtn_1',
  })
  expect(isFiltered({ ...NOTHING, since: '2026-11-26' })).toBe(true)
})

test('a time that ends now begins at a whole minute', () => {
  expect(sinceOf('hour', Date.parse('2026-11-26T21:04:31.250Z'))).toBe('2026-11-26T20:04:00Z')
  expect(sinceOf('week', Date.parse('2026-11-26T21:04:31.250Z'))).toBe('2026-11-19T21:04:00Z')
})
