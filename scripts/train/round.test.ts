import { expect, test } from 'vitest'
import { stagesCalled } from './round.ts'

const called = (only: string | undefined) => stagesCalled(only).map(({ name }) => name)

test('one part is learned anew with what reads it, and in the order in which all are', () => {
  expect(called('intents')).toEqual(['intents', 'mention'])
  expect(called('sentiment')).toEqual(['sentiment', 'intents', 'mention'])
  for (const { name, follows } of stagesCalled(undefined))
    for (const before of follows ?? [])
      expect(called(undefined).indexOf(before)).toBeLessThan(called(undefined).indexOf(name))
  expect(() => stagesCalled('moods')).toThrow(
    '--only knows these parts: sentiment, intents, relevance, language, mention',
  )
})
