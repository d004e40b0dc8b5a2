import { describe, expect, test } from 'vitest'
import type { Venue } from '../cues/signs.ts'
import { MAX_CHARACTERS } from '../text/tokens.ts'
import { charactersOf, newCharacters, oddsOfRuns, SPELLING_LABELS } from './spelling.ts'

function characters(text: string, venue: Venue = 'video', room = newCharacters()): number[] {
  charactersOf(text, venue, room)
  return [...room.bucket.subarray(0, room.count)]
}

const shared = (first: string, second: string) => {
  const known = new Set(characters(first))
  return characters(second).filter((bucket) => known.has(bucket)).length / known.size
}

describe('the spelling of a text', () => {
  test('is nearly that of a misspelled one, and not that of another', () => {
    expect(shared('subscribe to my channel', 'subscrib to my chanel')).toBeGreaterThan(0.6)
    expect(shared('subscribe to my channel', 'what a lovely song')).toBeLessThan(0.2)
  })

  test('is learned apart for every venue', () => {
    const video = new Set(characters('check it out', 'video'))
    expect(characters('check it out', 'social').some((bucket) => video.has(bucket))).toBe(false)
  })

  test('counts a run of characters once, whatever was read before', () => {
    const room = newCharacters()
    const once = characters('crash again', 'reviews', room)
    expect(new Set(once).size).toBe(once.length)
    characters('crash again crash again', 'reviews', room)
    expect(characters('crash again', 'reviews', room)).toEqual(once)
    const twice = characters('again again', 'reviews', room)
    expect(new Set(twice).size).toBe(twice.length)
  })

  test('runs on from word to word, and is the same however the words are spaced and written', () => {
    expect(characters('check it')).not.toEqual(characters('checkit'))
    expect(characters('  Check\n\tit ')).toEqual(characters('check it'))
  })

  test('is read from a bounded part of a long text', () => {
    const long = Array.from({ length: 2000 }, (_, at) => `w${at}ord`).join(' ')
    expect(characters(long)).toEqual(characters(long.slice(0, 500)))
    expect(characters(`${' '.repeat(MAX_CHARACTERS)}a`)).toEqual(characters(''))
  })

  test('counts where a purpose is spelled, under videos most, and nowhere else', () => {
    const head = { labels: SPELLING_LABELS, bits: 1, scale: [0.5], bias: [0], weights: Int8Array.of(0, 4) }
    const runs = { bucket: Int32Array.of(1), count: 1 }
    const [video, reviews, social] = (['video', 'reviews', 'social'] as const).map((venue) =>
      oddsOfRuns(head, runs, venue),
    )
    expect(social).toBe(0)
    expect(reviews).toBeGreaterThan(0)
    expect(video).toBeGreaterThan(reviews!)
    expect(oddsOfRuns(head, { bucket: Int32Array.of(0), count: 1 }, 'video')).toBe(0)
  })
})
