import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalPost } from '../normal-post.ts'
import { candidateBatches, publicationAmong, searchPhrase } from './candidates.ts'
import { AT, daysAgo } from './provided.suite.ts'

const post = (nativeId: string, days: number) =>
  normalPost(
    { platform: 'tiktok', nativeId, url: 'https://www.tiktok.com/@a/video/1', text: 'x', publishedAt: daysAgo(days) },
    AT,
  )!
const query = (limit: number) => ({ terms: ['x'], since: daysAgo(7), limit })

async function idsOf(
  pages: [string, number][][],
  limit = 100,
  next = (page: number): string | null => String(page + 1),
): Promise<string[][]> {
  const portioned: string[][] = []
  let page = 0
  const read = async () => {
    const posts = (pages[page] ?? []).map(([id, days]) => post(id, days))
    page += 1
    return { posts, next: next(page) }
  }
  for await (const portion of candidateBatches(query(limit), pages.length, read))
    portioned.push(portion.map(({ nativeId }) => nativeId))
  return portioned
}

describe('candidates', () => {
  test('come in portions, newest first in each, without what is too old or came before', async () => {
    expect(
      await idsOf([
        [
          ['b', 2],
          ['old', 8],
          ['a', 1],
        ],
        [['older', 9]],
        [
          ['a', 1],
          ['c', 3],
          ['c', 3],
        ],
      ]),
    ).toEqual([['a', 'b'], ['c']])
  })

  test('end at the limit, at the last page, and where a page leads back to one that was read', async () => {
    const pages: [string, number][][] = [[['a', 1]], [['b', 1]], [['c', 1]]]
    expect(await idsOf(pages, 2)).toEqual([['a'], ['b']])
    expect(await idsOf(pages, 100, (page) => (page === 2 ? null : String(page)))).toEqual([['a'], ['b']])
    expect(await idsOf(pages, 100, () => 'same')).toEqual([['a'], ['b']])
  })
})

describe('a phrase for a search box', () => {
  test.each([
    ['Acme "Notes"', 'Acme Notes'],
    ['  “Acme”\u0000\nNotes ', 'Acme Notes'],
    ['C++', 'C++'],
    ['.NET', '.NET'],
    ['日本語', '日本語'],
    ['"..."', null],
    ['', null],
  ])('%j is %j', (term, phrase) => {
    expect(searchPhrase(term, 80)).toBe(phrase)
  })

  test('is cut between words where it can be', () => {
    expect(searchPhrase('aaaa bbbb cccc', 10)).toBe('aaaa bbbb')
    expect(searchPhrase('aaaa bbbb cccc', 9)).toBe('aaaa bbbb')
    expect(searchPhrase('aaaabbbbcccc', 10)).toBe('aaaabbbbcc')
  })

  test('is never too long, quoted, ill-formed or without a letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 2, max: 80 }), (term, most) => {
        const phrase = searchPhrase(term, most)
        if (phrase === null) return
        expect(phrase.length).toBeLessThanOrEqual(most)
        expect(phrase.isWellFormed()).toBe(true)
        expect(phrase).not.toMatch(/["\p{Cc}]|^\s|\s$/u)
        expect(phrase).toMatch(/[\p{L}\p{N}]/u)
      }),
    )
  })
})

describe('the time of a publication', () => {
  test('is the first that can be one', () => {
    expect(publicationAmong(AT, null, daysAgo(3), daysAgo(5))).toEqual(daysAgo(3))
    for (const wrong of [new Date(0), new Date(Number.NaN), daysAgo(-2), new Date('1999-12-31T00:00:00Z')]) {
      expect(publicationAmong(AT, wrong, daysAgo(5))).toEqual(daysAgo(5))
      expect(publicationAmong(AT, wrong, null)).toBeNull()
    }
  })

  test('may lie a little ahead, because clocks do', () => {
    expect(publicationAmong(AT, daysAgo(-0.5))).toEqual(daysAgo(-0.5))
  })
})
