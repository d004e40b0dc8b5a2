import { expect, test } from 'vitest'
import { hintsOf, type TermFlow } from './hints.ts'

const FLOW: TermFlow = {
  sampled: 20_000,
  holding: 40,
  postsPerDay: 1_000_000,
  companions: [
    { word: 'pie', together: 10, overall: 60 },
    { word: 'rocket', together: 4, overall: 20 },
    { word: 'the', together: 40, overall: 19_000 },
    { word: 'once', together: 1, overall: 1 },
  ],
}
const NOTHING_KNOWN = { company: '', ownWords: new Set<string>() }

test('a word of everyday says how often it was seen, what that comes to, and what stands beside it', () => {
  expect(hintsOf('apple', 1, FLOW, NOTHING_KNOWN)).toEqual([
    {
      code: 'common_word',
      message:
        '“apple” occurs in 40 of 20,000 posts that were sampled lately from the feeds that are read whole; at that rate they alone bring about 2,000 a day. Many of them may mean something else.',
      requiredTerms: ['pie', 'rocket'],
    },
  ])
})

test('words of the team come first among those that stand beside the term, and its name makes a context', () => {
  const [hint] = hintsOf('apple', 1, FLOW, { company: 'Apple Rockets', ownWords: new Set(['rocket', 'the']) })
  expect(hint).toMatchObject({
    requiredTerms: ['rocket', 'pie'],
    suggestedContext: 'Only posts in which “apple” means that of Apple Rockets, in no other sense.',
  })
  expect(
    hintsOf('a'.repeat(80), 1, FLOW, { company: 'b'.repeat(300), ownWords: new Set() })[0]!.suggestedContext!.length,
  ).toBe(300)
})

test.each([
  ['a rare word', { ...FLOW, holding: 9, postsPerDay: 100_000 }, []],
  ['a rare word that brings very many posts', { ...FLOW, holding: 9, postsPerDay: 2_000_000 }, ['many_posts']],
  ['a handful of posts', { ...FLOW, sampled: 2000, holding: 4 }, []],
  ['a small sample', { ...FLOW, sampled: 1999 }, []],
  ['too short a time to tell a rate', { ...FLOW, postsPerDay: null }, ['common_word']],
])('%s', (_, flow, codes) => expect(hintsOf('apple', 1, flow, NOTHING_KNOWN).map(({ code }) => code)).toEqual(codes))
