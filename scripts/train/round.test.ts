import { expect, test } from 'vitest'
import { stagesCalled } from './round.ts'

const called = (only: string | undefined) => stagesCalled(only).map(({ name }) => name)

test('one part is learned anew with what reads it, and in the order in which all are', () => {
  expect(called('intents')).toEqual(['intents'])
  expect(called('sentiment')).toEqual(['sentiment', 'intents'])
  for (const { name, follows } of stagesCalled(undefined))
    if (follows) expect(called(undefined).indexOf(follows)).toBeLessThan(called(undefined).indexOf(name))
  expect(() => stagesCalled('moods')).toThrow('--only knows these parts: sentiment, intents, relevance, language')
})
