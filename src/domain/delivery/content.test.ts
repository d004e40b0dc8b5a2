import { expect, test } from 'vitest'
import { contentOf, type MentionData } from './content.ts'

test.each([
  ['Acme is back', 'Acme is back', ''],
  ['Acme is back', 'With a rocket.', 'With a rocket.'],
  [null, 'With a rocket.', 'With a rocket.'],
])('of a post with the title %j and the text %j, %j is told below the title', (title, text, told) => {
  const post = {
    platform: 'hackernews' as const,
    url: 'https://example.com/1',
    text,
    title,
    publishedAt: '2026-11-20T00:00:00.000Z',
  }
  const data: MentionData = {
    id: 'mtn_1',
    keyword: { term: 'acme' },
    post,
    author: null,
    review: null,
    classification: null,
  }
  expect(
    contentOf({ kind: 'mention', id: 'dlv_1', event: 'mention.matched', alerts: [], data }, 'https://earshot.test'),
  ).toMatchObject({ mention: { title, text: told, dashboardUrl: 'https://earshot.test/mentions/mtn_1' } })
})
