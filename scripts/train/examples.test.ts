import { expect, test } from 'vitest'
import { commonShares, type Example } from './examples.ts'

const exampleOf = (set: string): Example => ({ set, row: { id: '1', text: 'good' }, sentiment: 'positive', weight: 1 })

test('sets with customs of their own teach all texts less, and others whole', () => {
  const [brands, conference, diaries, ...others] = commonShares(
    ['twitter_entity', 'brand_emotion_sxsw', 'tweet_extraction', 'tweeteval_sentiment', 'seeds'].map(exampleOf),
  )
  for (const share of [brands, conference, diaries]) {
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThan(1)
  }
  expect(others).toEqual([1, 1])
})
