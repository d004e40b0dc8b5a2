import { describe, expect, test } from 'vitest'
import { intervalOf, reportHref, reportQueryIn, requestOf } from './report-query.ts'

const queryIn = (text: string) => reportQueryIn(new URLSearchParams(text))

test.each([
  '/analytics',
  '/analytics?range=7d',
  '/analytics?platforms=reddit,x&relevant=true&by=intent',
  '/analytics?from=2026-10-01&to=2026-10-09&timezone=Europe/Berlin&include=all',
])('%s stays as it is', (address) => {
  expect(reportHref(queryIn(address.split('?')[1] ?? ''), '/analytics')).toBe(address)
})

test('times of posts give way to the days of the page, and own days to no range', () => {
  const query = queryIn('since=2026-10-01&until=2026-10-09&q=leak&range=7d&timezone=UTC')
  expect(requestOf(query)).toEqual({ q: 'leak', range: '7d', timezone: 'UTC', compare: true })
  const own = queryIn('from=2026-10-01&to=2026-10-09&range=7d&timezone=UTC')
  expect(requestOf(own)).toEqual({ from: '2026-10-01', to: '2026-10-09', timezone: 'UTC', compare: true })
})

describe('a bucket is', () => {
  test.each([
    ['from=2026-10-01&to=2026-10-02', 'hour'],
    ['from=2026-10-01&to=2026-10-03', 'day'],
    ['range=90d', 'day'],
    ['from=2026-01-01&to=2026-10-03', 'week'],
  ])('%s: a %s', (text, expected) => {
    expect(intervalOf(queryIn(text))).toBe(expected)
  })
})
