import { describe, expect, test } from 'vitest'
import { type Author, UNKNOWN_AUTHOR } from '../../../domain/post/post.ts'
import { subjectFor } from '../../conformance.suite.ts'
import { newReading, read } from '../text/reading.ts'
import { seemsAutomated } from './automated.ts'

const reading = newReading()

function automated(text: string, author: Partial<Author> = {}): boolean {
  read(subjectFor(text).post, reading)
  return seemsAutomated(reading, { ...UNKNOWN_AUTHOR, ...author })
}

describe('automated', () => {
  test.each([
    'Bump acme from 1.2.0 to 1.3.1',
    'Bumps acme and globex from 1.2.0 to 1.3.1.',
    'chore(deps): update acme to v4',
    'Release v2.3.1 of acme',
    'Build #512 failed on acme/main',
    'Beep boop, I am a bot. This action was performed automatically.',
    'BTC 64,000 ETH 3,100 SOL 150 24h: 1.2% 0.4% 3.3%',
    '#nowplaying Acme - Song number 4 https://example.com/4',
    'Acme release notes via IFTTT https://example.com',
  ])('takes %j as written by a program', (text) => {
    expect(automated(text)).toBe(true)
  })

  test.each([
    'My first post here! #art #artist #artwork #drawing #newhere #sketch #ink #acme #fanart #follow #hello',
    'We are about to release acme 2.0, what do you think?',
    'The price of acme went up by 45% in one year, from 20 to 29 dollars',
    'Has the build of acme 5.1 failed for anybody else?',
    'I talked to a bot in the support chat of acme for an hour',
    'Acme shares rise after earnings https://example.com/a',
    '',
  ])('takes %j as written by a person', (text) => {
    expect(automated(text)).toBe(false)
  })

  test('believes names that say so, and only those', () => {
    expect(automated('acme is fine', { handle: 'news_bot' })).toBe(true)
    expect(automated('acme is fine', { handle: 'renovate[bot]' })).toBe(true)
    expect(automated('acme is fine', { handle: 'tonyabbott', name: 'Tony Abbott' })).toBe(false)
    expect(automated('acme is fine', { handle: 'acmefeed' })).toBe(false)
    expect(automated('acme is fine', { automated: true })).toBe(true)
  })
})
