import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { POST_LIMITS } from '../domain/post/post.ts'
import { boundedId, languageFrom, normalPost, type PostDraft } from './normal-post.ts'

const AT = new Date('2026-11-21T12:00:00Z')
const draft = (more: Partial<PostDraft> = {}): PostDraft => ({
  platform: 'x',
  nativeId: '1',
  url: 'https://x.example/1',
  text: 'hello',
  publishedAt: AT,
  ...more,
})
const post = (more: Partial<PostDraft> = {}) => normalPost(draft(more), AT)

describe('a post in its stored form', () => {
  test('what is not known is null, never empty', () => {
    expect(
      post({
        title: ' ',
        imageUrl: '',
        engagement: { likes: null },
        replyTo: { author: '', url: null },
        author: { name: ' ' },
      }),
    ).toEqual({
      platform: 'x',
      nativeId: '1',
      url: 'https://x.example/1',
      title: null,
      text: 'hello',
      imageUrl: null,
      links: [],
      publishedAt: AT,
      languageHint: null,
      engagement: null,
      replyTo: null,
      author: null,
      review: null,
    })
  })

  test('texts are cleaned and cut between characters', () => {
    const { text, title } = post({ text: `a\u0000\ud800b${'€'.repeat(5000)}`, title: `two\nlines ${'x'.repeat(600)}` })!
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(POST_LIMITS.textBytes)
    expect(text.startsWith('a�b€€')).toBe(true)
    expect(text.isWellFormed() && text.endsWith('€')).toBe(true)
    expect(title?.startsWith('two lines x')).toBe(true)
    expect([...title!].length).toBe(POST_LIMITS.titleCharacters)
  })

  test.each(['', ' ', 'x'.repeat(301), 'a b', 'a\u0000b', 'a\ud800'])(
    'an id that cannot identify is refused: %j',
    (nativeId) => {
      expect(post({ nativeId })).toBeNull()
      expect(boundedId(nativeId)).toBeNull()
    },
  )

  test.each(['', '/relative', 'javascript:alert(1)', 'ftp://x.example/', `https://x.example/${'a'.repeat(2100)}`])(
    'an address that is none is refused: %s',
    (url) => {
      expect(post({ url })).toBeNull()
      expect(post({ imageUrl: url, author: { name: 'Ada', url } })).toMatchObject({
        imageUrl: null,
        author: { name: 'Ada', url: null },
      })
    },
  )

  test('links are absolute, unrepeated, and twenty at most', () => {
    const links = [
      'https://a.example',
      ' https://a.example/ ',
      'mailto:a@a.example',
      '//b.example',
      null,
      undefined,
      'HTTP://C.example/ä',
      ...Array.from({ length: 30 }, (_, at) => `https://n.example/${at}`),
    ]
    const found = post({ links })!.links
    expect(found.slice(0, 3)).toEqual(['https://a.example/', 'http://c.example/%C3%A4', 'https://n.example/0'])
    expect(found.length).toBe(20)
  })

  test('where a platform tells of no links they are the addresses in the text, twenty at most', () => {
    const text = `Read www.acme.example/start, https://b.example. ${Array.from({ length: 30 }, (_, at) => `https://n.example/${at}`).join(' ')}`
    const { links } = post({ text })!
    expect(links.slice(0, 3)).toEqual(['https://www.acme.example/start', 'https://b.example/', 'https://n.example/0'])
    expect(links).toHaveLength(20)
    expect(post({ text, links: [] })!.links).toEqual([])
  })

  test('a time ahead of now, before 2000 or unreadable becomes now', () => {
    for (const publishedAt of [
      new Date('2026-11-21T12:00:01Z'),
      new Date('1999-12-31T23:59:59Z'),
      new Date(Number.NaN),
      null,
    ])
      expect(post({ publishedAt })?.publishedAt).toEqual(AT)
    const fine = new Date('2000-01-01T00:00:00Z')
    expect(post({ publishedAt: fine })?.publishedAt).toEqual(fine)
  })

  test('counts are whole numbers from zero, anything else is unknown', () => {
    expect(
      post({ engagement: { likes: 0, reposts: -1, replies: 1.5, quotes: Number.NaN, views: 2 ** 60, bookmarks: 7 } })
        ?.engagement,
    ).toEqual({
      likes: 0,
      reposts: null,
      replies: null,
      quotes: null,
      views: null,
      bookmarks: 7,
    })
  })

  test('a review needs stars within its scale', () => {
    const review = {
      rating: 4,
      ratingMax: 5,
      title: ' Good ',
      version: null,
      country: 'US',
      verified: null,
      response: '',
      responseAt: null,
      app: { platform: 'appstore', id: '123456789', url: 'https://apps.apple.com/us/app/id123456789' },
    } as const
    expect(post({ review })?.review).toEqual({ ...review, title: 'Good', country: 'us', response: null })
    for (const rating of [0, 6, Number.NaN]) expect(post({ review: { ...review, rating } })?.review).toBeNull()
  })

  test('the language is the two-letter head of a tag', () => {
    expect(['en', 'pt-BR', 'zh_Hans_CN', 'IW', 'fil', 'e', '', null, 'x'.repeat(9999)].map(languageFrom)).toEqual([
      'en',
      'pt',
      'zh',
      'he',
      null,
      null,
      null,
      null,
      null,
    ])
  })

  test('whatever a reply holds, the post is within its limits', () => {
    const text = fc.string({ unit: 'binary', maxLength: 400 })
    const maybe = fc.option(text)
    fc.assert(
      fc.property(
        text,
        text,
        maybe,
        maybe,
        fc.array(maybe),
        fc.date({ noInvalidDate: false }),
        (nativeId, words, title, url, links, publishedAt) => {
          const made = post({
            nativeId,
            text: words,
            title,
            imageUrl: url,
            links,
            publishedAt,
            author: { id: nativeId, name: words, url },
            replyTo: { text: words, url },
          })
          if (made === null) return
          expect(made.publishedAt.getTime()).toBeLessThanOrEqual(AT.getTime())
          expect(JSON.stringify(made)).not.toMatch(/\\u0000|\\ud[89a-f]/)
          expect(made.links.every((link) => /^https?:\/\//.test(link))).toBe(true)
        },
      ),
      { numRuns: 1000, verbose: 1 },
    )
  })
})
