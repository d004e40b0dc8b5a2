import { expect, test } from 'vitest'
import { helpFor } from './help.ts'

const openedAt = '2026-11-20T10:00:00.000Z'
const hrefs = (kind: Parameters<typeof helpFor>[0]['kind'], id: string) =>
  helpFor({ kind, subject: { type: 'keyword', id: id as 'kw_1' }, openedAt }).map(({ href }) => href)

test('each kind leads to what helps, the mentions to those of the time that was looked at', () => {
  expect(hrefs('mention.spike', 'kw_1')).toEqual([
    '/inbox?keywordIds=kw_1&since=2026-11-20T09%3A00%3A00.000Z',
    '/keywords/kw_1',
  ])
  expect(hrefs('sentiment.negative_spike', 'kw_1')[0]).toBe(
    '/inbox?keywordIds=kw_1&sentiments=negative&since=2026-11-19T10%3A00%3A00.000Z',
  )
  expect(hrefs('keyword.noisy', 'kw_1')).toEqual(['/keywords/kw_1'])
  expect(hrefs('channel.failing', 'dest_1')).toEqual(['/deliveries?status=failed&channelId=dest_1', '/channels/dest_1'])
  expect(hrefs('deliveries.waiting', 'org_1')).toEqual(['/deliveries?status=held'])
  expect(hrefs('disk.filling', 'org_1')).toEqual(['/settings/team'])
})
