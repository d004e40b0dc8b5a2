import { beforeAll, describe, expect, test } from 'vitest'
import { expectInBounds, subjectFor, verdictOn } from '../conformance.suite.ts'
import type { Classifier } from '../contract.ts'
import { aspectsOf, newAspects } from './comparing/aspects.ts'
import { placeOf } from './comparing/comparing.ts'
import { lineUp, newLineUp } from './comparing/line-up.ts'
import { rivalsFrom } from './comparing/rivals.ts'
import { createOfflineClassifier } from './index.ts'
import { charactersOf, newCharacters } from './intents/spelling.ts'
import { mannerTraitsOf, newMannerTraits } from './text/manner.ts'
import { newReading, read } from './text/reading.ts'
import { hashOfWord, MAX_CHARACTERS } from './text/tokens.ts'

/** Pieces that, repeated, cost readers of text most. */
const PIECES = [
  'a',
  'a ',
  '!',
  '?a',
  '#tag ',
  '@me ',
  'not ',
  '日本語',
  'ß'.repeat(40),
  '\ud83d',
  '\u0000',
  '\u202e\u200b',
  'http://a.b ',
  '<b>&amp;',
  'aaaa-',
  '😀👍🏽',
  ':) ',
  'Ж1_',
  "d'a",
]

describe('the work on a hostile text', () => {
  test.each(PIECES)('grows with its length at most, up to the part that is read: %j', (piece) => {
    const reading = newReading()
    const workOn = (length: number) => {
      read(subjectFor(piece.repeat(Math.ceil(length / piece.length)).slice(0, length)).post, reading)
      return { tokens: reading.tokens.count, features: reading.features.count }
    }
    for (const length of [100, 1000, 4000, 8000]) {
      const work = workOn(length)
      expect(work.tokens).toBeLessThanOrEqual(length + 1)
      // A character begins a handful of features at most.
      expect(work.features).toBeLessThanOrEqual(10 * length + 50)
    }
    expect(workOn(64 * 1024)).toEqual(workOn(MAX_CHARACTERS + 64))
  })

  test('is the same for the second text as for the first: nothing piles up', () => {
    const reading = newReading()
    const counts = Array.from({ length: 3 }, () => {
      for (const piece of PIECES) read(subjectFor(piece.repeat(5000)).post, reading)
      return [reading.tokens.count, reading.features.count]
    })
    expect(counts[1]).toEqual(counts[0])
    expect(counts[2]).toEqual(counts[0])
  })
})

describe('what is read of the beginning of a hostile text, or around its keyword', () => {
  let classifier: Classifier
  beforeAll(async () => {
    classifier = await createOfflineClassifier()
  })
  test.each([...PIECES, 'Globex ', 'better than Globex, not ', 'vs. ', 'Windows 7 '])('has room: %j', (piece) => {
    const reading = newReading()
    const [traits, runs, lined, aspects] = [newMannerTraits(), newCharacters(), newLineUp(), newAspects()]
    const rivals = rivalsFrom([[hashOfWord('globex'), hashOfWord('acme')]])
    for (const text of [
      piece.repeat(MAX_CHARACTERS),
      `${piece.repeat(1500 / piece.length)} acme ${'better than '.repeat(9)}${piece.repeat(MAX_CHARACTERS)}`,
    ]) {
      read(subjectFor(text).post, reading)
      mannerTraitsOf(reading.tokens, reading.features, traits)
      expect(traits.count).toBeLessThanOrEqual(traits.bucket.length)
      charactersOf(text, 'video', runs)
      expect(runs.count).toBeGreaterThan(0)
      const place = placeOf(reading.tokens, 'acme')
      if (place === null || !lineUp(reading, place, rivals, lined)) continue
      expect(lined.count).toBeLessThanOrEqual(lined.plain.length)
      aspectsOf(lined, aspects)
      expect(aspects.count).toBeLessThan(aspects.bucket.length)
    }
  })

  test.each(PIECES)('gives a verdict within its bounds on every kind of platform: %j', async (piece) => {
    const text = `${piece.repeat(20)} acme is better than ${piece.repeat(MAX_CHARACTERS)}`
    const platforms = ['x', 'youtube', 'googleplay', 'trustpilot', 'reddit', 'github', 'news'] as const
    for (const platform of platforms)
      expectInBounds(await verdictOn(classifier, subjectFor(text, { term: 'acme', post: { platform } })))
  })
})

describe('the note on a hostile text', () => {
  test('is one plain line without markup, whatever stands in the post, the keyword or the context', async () => {
    const classifier = await createOfflineClassifier()
    const evil = [
      '<img src=x onerror=alert(1)>',
      '[click](javascript:alert(1))',
      '*bold* _it_ `code`',
      '\u202egnp.exe',
      '=cmd|calc',
      '{{7*7}} #{env}',
      '"; drop table',
    ]
    const subjects = evil.flatMap((text) => [
      subjectFor(`I love ${text} great awful ${text}`, { context: `great ${text} love`, term: text.slice(0, 40) }),
      subjectFor(text.repeat(300), { post: { title: text } }),
    ])
    for (const scored of await classifier.score(subjects, new AbortController().signal)) {
      if (!('verdict' in scored)) throw new Error(scored.failed)
      expect(scored.verdict.note).toMatch(/^[\p{L}\p{N} ,;:'().%-]+$/u)
      expect(scored.verdict.note.length).toBeLessThanOrEqual(200)
    }
  })
})
