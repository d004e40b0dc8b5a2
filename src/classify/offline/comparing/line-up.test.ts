import { describe, expect, test } from 'vitest'
import { newReading, readPlain } from '../text/reading.ts'
import { hashOfWord, newTokens, tokenise } from '../text/tokens.ts'
import { aspectsOf, newAspects } from './aspects.ts'
import { placeOf } from './comparing.ts'
import { lineUp, MOST_LINED_UP, newLineUp } from './line-up.ts'
import { partsOfRivals, type Rivals, rivalNameOf, rivalsFrom, rivalsOf } from './rivals.ts'

const named = (name: string) => {
  const tokens = newTokens()
  tokenise(name, tokens)
  return rivalNameOf(tokens, 0, tokens.count)
}
const KNOWN = rivalsFrom([
  [named('Windows 7'), named('Windows 8')],
  [named('tea'), named('coffee')],
])

/** The text as it is laid out around the term, and whether it sets the term against anything. */
function layout(text: string, term: string, rivals: Rivals = KNOWN) {
  const reading = newReading()
  readPlain(text, reading)
  const into = newLineUp()
  return { into, measured: lineUp(reading, placeOf(reading.tokens, term)!, rivals, into) }
}

/** The words between the two things. */
function between(text: string, term: string) {
  const { into, measured } = layout(text, term)
  return { measured, swapped: into.swapped, words: [...into.plain.subarray(into.first + 1, into.second)] }
}

function aspects(text: string, term: string, room = newAspects()) {
  const { into } = layout(text, term)
  aspectsOf(into, room)
  return [...room.bucket.subarray(0, room.count)]
}

describe('the place of a keyword', () => {
  const placeIn = (text: string, term: string) => {
    const tokens = newTokens()
    tokenise(text, tokens)
    return placeOf(tokens, term)
  }

  test('is where it first stands as a word of its own', () => {
    expect(placeIn('Google and Django are fine, Go is better', 'go')).toEqual({ start: 28, end: 30 })
    expect(placeIn('The Google of old', 'go')).toBeNull()
    expect(placeIn('go_home, gone', 'go')).toBeNull()
    expect(placeIn('Try #go, C++ or Go', 'Go')).toEqual({ start: 5, end: 7 })
    expect(placeIn('nothing', '')).toBeNull()
  })

  test('is found in writing without spaces too', () => {
    expect(placeIn('私はアップルが好き', 'アップル')).toEqual({ start: 2, end: 6 })
    expect(placeIn('애플은 좋다', '애플')).toEqual({ start: 0, end: 2 })
  })
})

describe('what a keyword is set against', () => {
  test('is what people are known to set it against, though something else stands nearer', () => {
    expect(between('I drink tea in Paris, better than coffee', 'tea').words).toContain(hashOfWord('paris'))
  })

  test('tells names apart by their numbers', () => {
    expect(between('Windows 8 beats Windows 10 and even Windows 7 by far', 'Windows 8').words).toContain(
      hashOfWord('even'),
    )
  })

  test('is the next name where nothing is known of the keyword, and the one before in "than the keyword"', () => {
    expect(between('I find Acme better than Globex', 'acme')).toEqual({
      measured: true,
      swapped: false,
      words: ['better', 'than'].map(hashOfWord),
    })
    expect(between('I find Globex better than Acme on Linux', 'acme')).toEqual({
      measured: true,
      swapped: true,
      words: ['better', 'than'].map(hashOfWord),
    })
  })

  test('may stand before the keyword and be known to be set against it', () => {
    const { swapped, words } = between('I like coffee in the morning better than tea', 'tea')
    expect(swapped).toBe(true)
    expect(words).toEqual(['in', 'the', 'morning', 'better', 'than'].map(hashOfWord))
  })

  test('is nothing where no word compares, save what is known to be set against the keyword', () => {
    expect(layout('Acme is terrible and Globex knows', 'acme').measured).toBe(false)
    expect(layout('No tea for me, coffee please', 'tea').measured).toBe(true)
    expect(layout('No tea for me, Globex please', 'tea').measured).toBe(false)
  })

  test('is nothing where words only count', () => {
    expect(layout('Acme has more than 300 people in Berlin', 'acme').measured).toBe(false)
    expect(layout('Acme sold over 20 houses in Berlin', 'acme').measured).toBe(false)
    expect(layout('Acme has more than Globex', 'acme').measured).toBe(true)
  })

  test('is named in the sentence of the keyword, or is whatever it is measured by', () => {
    expect(between('I moved to Globex. Acme is better vs. Initech', 'acme').words).toEqual([
      ...['is', 'better', 'vs'].map(hashOfWord),
      expect.anything(),
    ])
    expect(layout('Globex is out. Acme is better than anything', 'acme').into.second).toBe(-1)
    expect(layout('Globex is out. Acme really is the best', 'acme').measured).toBe(false)
  })

  test('counts as it is written alone: one pair of things is read like every other', () => {
    expect(aspects('I think Acme is faster than Globex', 'acme')).toEqual(
      aspects('I think Initech is faster than Hooli', 'initech'),
    )
    expect(aspects('I think Acme is faster than Globex', 'acme')).not.toEqual(
      aspects('I think Acme is slower than Globex', 'acme'),
    )
  })

  test('does not depend on the text before', () => {
    const room = newAspects()
    const first = aspects('Acme is better than anything', 'acme', room)
    aspects(`${'Globex is cheaper, faster, and better than Initech. '.repeat(8)} Acme`, 'acme', room)
    expect(aspects('Acme is better than anything', 'acme', room)).toEqual(first)
  })

  test('reads no more than a bounded part of a long text', () => {
    const { into } = layout(
      `${'Globex is better than coffee. '.repeat(50)}Acme ${'is worse than tea, '.repeat(300)}`,
      'acme',
    )
    expect(into.count).toBeLessThanOrEqual(MOST_LINED_UP)
  })

  test('is kept in the model as it was learned', () => {
    const { sections } = partsOfRivals(KNOWN)
    expect(rivalsOf({ heads: {}, sections, numbers: {} })).toEqual(KNOWN)
    const [name, bytes] = Object.entries(sections)[0]!
    expect(() => rivalsOf({ heads: {}, sections: { [name]: bytes.subarray(4) }, numbers: {} })).toThrow('damaged')
  })
})
