import { beforeAll, describe, expect, test } from 'vitest'
import { subjectFor, verdictOn } from '../../conformance.suite.ts'
import type { Classifier } from '../../contract.ts'
import { createOfflineClassifier } from '../index.ts'

const CONTEXT = 'Ubuntu: Linux distribution by Canonical.'

describe('the mention layer', () => {
  let classifier: Classifier
  beforeAll(async () => {
    classifier = await createOfflineClassifier()
  })
  const on = (text: string, changes: Parameters<typeof subjectFor>[1] = {}) =>
    verdictOn(classifier, subjectFor(text, { term: 'Ubuntu', context: CONTEXT, ...changes }))

  test('ranks a post about the term above one in passing, and both above a field of a form', async () => {
    const about = await on('Ubuntu 24.04 is the best release Ubuntu has ever made. I love Ubuntu on my laptop.')
    const passing = await on(
      'The meeting was long, then I wrote a script for the printer on my Ubuntu laptop and went home to cook dinner.',
    )
    const field = await on('Crash when the window is resized\n\n### OS\n\nUbuntu 20.04\n\n### Version\n\n1.0', {
      post: { platform: 'github' },
    })
    expect(about.relevance).toBeGreaterThanOrEqual(70)
    expect(passing.relevance).toBeLessThan(70)
    expect(field.relevance).toBeLessThan(40)
    expect(field.note).toContain('only in a field of a form')
  })

  test('leaves keywords without a context to the other models', async () => {
    const field = 'Crash when the window is resized\n\n### OS\n\nUbuntu 20.04\n\n### Version\n\n1.0'
    const { relevance } = await verdictOn(classifier, subjectFor(field, { term: 'Ubuntu' }))
    expect(relevance).toBeGreaterThanOrEqual(55)
  })

  test('follows the team when it marks such posts as relevant', async () => {
    const text = 'Crash when the window is resized\n\n### OS\n\nUbuntu 20.04\n\n### Version\n\n1.0'
    const post = { platform: 'github' } as const
    const marks = Array.from({ length: 10 }, () => ({ relevant: true, sentiment: null, text }))
    const plain = await on(text, { post })
    const marked = await on(text, { marks, post })
    expect(marked.relevance).toBeGreaterThan(plain.relevance + 20)
  })

  test('lets the sentiment and the intents follow what the team says of the sentiment', async () => {
    const text = 'The new Ubuntu update changed the dock and the settings of my laptop again.'
    const marks = Array.from({ length: 20 }, (_, at) => ({
      relevant: true,
      sentiment: 'negative' as const,
      text: `The Ubuntu update number ${at} changed the dock of my laptop again.`,
    }))
    const plain = await on(text)
    const marked = await on(text, { marks })
    expect(plain.sentiment).toBe('neutral')
    expect(marked.sentiment).toBe('negative')
    expect(plain.intents).toEqual([])
    expect(marked.intents).toContain('bug_report')
  })

  test('never calls a post praise and complaint of the same term', async () => {
    for (const text of ['I love Ubuntu, but I hate how slow Ubuntu is.', 'Ubuntu is the worst. Thanks, I love it!']) {
      const { intents } = await on(text)
      expect(intents.filter((intent) => intent === 'praise' || intent === 'complaint').length).toBeLessThan(2)
    }
  })
})
