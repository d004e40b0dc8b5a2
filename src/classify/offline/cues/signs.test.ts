import { describe, expect, test } from 'vitest'
import { INTENTS, SENTIMENTS } from '../../../domain/mention/classification.ts'
import { directionsOf, vectorsOf } from '../model/directions.ts'
import { loadModel } from '../model/model-file.ts'
import { newReading, readPlain } from '../text/reading.ts'
import { signCount, signsOf, TONE_SIGNS, VENUES, venueOf } from './signs.ts'

describe('the venue of a text', () => {
  test('is the family of its platform, save where people write for other ends', () => {
    expect((['x', 'reddit', 'github', 'appstore', 'news'] as const).map(venueOf)).toEqual([
      'social',
      'forum',
      'developer',
      'reviews',
      'news',
    ])
    expect((['youtube', 'tiktok', 'trustpilot', 'hackernews'] as const).map(venueOf)).toEqual([
      'video',
      'video',
      'shop',
      'hackernews',
    ])
  })

  test('sets what stands beside the words apart from that of every other', async () => {
    const directions = directionsOf(vectorsOf(await loadModel()))
    const reading = newReading()
    readPlain('Is https://example.com any good?', reading)
    const signsAt = VENUES.map((venue) => {
      const into = new Float64Array(signCount(directions))
      signsOf(
        reading,
        { venue, stars: null, cues: new Float64Array(INTENTS.length), tone: new Float64Array(SENTIMENTS.length) },
        directions,
        into,
      )
      return into
    })
    const shared = [...signsAt[0]!.keys()].filter((at) => signsAt.every((signs) => signs[at] !== 0))
    // Signs of the tone, of which nothing is told here, stand at nought.
    for (const signs of signsAt) for (const at of TONE_SIGNS) expect(signs[at]).toBe(0)
    for (const signs of signsAt) {
      const own = [...signs.keys()].filter((at) => signs[at] !== 0 && !shared.includes(at))
      expect(own.length).toBeGreaterThan(1)
      for (const others of signsAt.filter((other) => other !== signs)) for (const at of own) expect(others[at]).toBe(0)
    }
  })

  test('tells the tone of its words once for all venues and once for the own', async () => {
    const directions = directionsOf(vectorsOf(await loadModel()))
    const reading = newReading()
    readPlain('some words', reading)
    const told = (venue: (typeof VENUES)[number], tone: Float64Array) => {
      const into = new Float64Array(signCount(directions))
      signsOf(reading, { venue, stars: null, cues: new Float64Array(INTENTS.length), tone }, directions, into)
      return into
    }
    const silent = new Float64Array(SENTIMENTS.length)
    for (const venue of VENUES) {
      const [quiet, loud] = [told(venue, silent), told(venue, Float64Array.of(0.5, 0.3, 0.2))]
      const changed = [...loud.keys()].filter((at) => loud[at] !== quiet[at])
      expect(changed.map((at) => loud[at])).toEqual([0.5, 0.2, 0.5, 0.2])
      for (const at of changed) expect(TONE_SIGNS).toContain(at)
    }
    expect(new Set(TONE_SIGNS).size).toBe(2 * (1 + VENUES.length))
  })
})
