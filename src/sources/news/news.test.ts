import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { silentLog } from '../../kernel/log.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import { describeSource, type ServedReply, type ServedRequest, type Stage, searching } from '../conformance.suite.ts'
import { type CollectContext, QuotaReached, type SourceReply, type SourceRequest } from '../contract.ts'
import { articleId } from './article.ts'
import type { NewsIndex } from './ask.ts'
import { repaired, wordingOf } from './gdelt.ts'
import { fits, phraseOf } from './phrases.ts'
import { news } from './source.ts'

const text = (name: string): string => readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')
const AT = new Date('2026-11-21T12:00:00Z')
const EDITION = { language: 'en-US', country: 'US' }
const STAGES: readonly Stage[] = ['ordinary', 'later', 'changed']
const RECORDED: Record<NewsIndex, Record<Stage, string>> = {
  gdelt: recorded('gdelt', 'json'),
  googlenews: recorded('google', 'xml'),
  bing: recorded('bing', 'xml'),
}
const PATHS = new Map<string, NewsIndex>([
  ['/api/v2/doc/doc', 'gdelt'],
  ['/rss/search', 'googlenews'],
  ['/news/search', 'bing'],
])

function recorded(index: string, form: string): Record<Stage, string> {
  return Object.fromEntries(STAGES.map((stage) => [stage, text(`${index}-${stage}.${form}`)])) as Record<Stage, string>
}

/** Later everything from before is still there. */
function served(index: NewsIndex, stage: Stage): string {
  const { ordinary, later, changed } = RECORDED[index]
  if (stage !== 'later') return stage === 'ordinary' ? ordinary : changed
  if (index === 'gdelt')
    return JSON.stringify({ articles: [...JSON.parse(later).articles, ...JSON.parse(ordinary).articles] })
  return ordinary.replace(
    '</channel>',
    () => `${later.slice(later.indexOf('<item>'), later.indexOf('</channel>'))}</channel>`,
  )
}

function replies({ url }: ServedRequest, stage: Stage): ServedReply {
  const index = PATHS.get(url.pathname)
  return index ? { body: served(index, stage) } : { status: 404, body: '' }
}

const PRICES = articleId({
  domain: 'gazette.example',
  headline: "Acme Notes raises prices for teams, says it's the last time",
  url: '',
})
const REVIEW = articleId({
  domain: 'techcourier.example',
  headline: 'Fast & quiet – Acme Notes 5 reviewed - part one',
  url: '',
})
const OFFLINE = articleId({ domain: 'diario.example', headline: 'Acme Notes estrena modo sin conexión', url: '' })
const SCHOOLS = articleId({ domain: 'evening.example', headline: 'Schools turn to Acme Notes', url: '' })
const FOUNDER = articleId({ domain: 'gazette.example', headline: 'Founder of Acme Notes steps down', url: '' })

const SETS: [name: string, indexes: NewsIndex[], expected: string[]][] = [
  ['news from GDELT', ['gdelt'], [OFFLINE, PRICES]],
  ['news from Google News', ['googlenews'], [REVIEW, PRICES]],
  ['news from Bing News', ['bing'], [SCHOOLS, PRICES]],
  ['news from all indexes', ['gdelt', 'googlenews', 'bing'], [SCHOOLS, OFFLINE, REVIEW, PRICES]],
]
for (const [name, indexes, ordinary] of SETS) {
  describeSource(name, {
    open: () => searching(news({ indexes, editions: [EDITION] }), ['Acme Notes']),
    at: { ordinary: AT, later: new Date(AT.getTime() + 60_000) },
    serves: { replies },
    refusals: JSON.parse(text('refusals.json')) as Record<
      'throttled' | 'unavailable' | 'credentials' | 'gone',
      ServedReply
    >,
    throttledForSeconds: 7,
    expected: { ordinary: ordinary.map((id) => `post ${id}`), later: [`post ${FOUNDER}`] },
    nativeIdPattern: /^[0-9a-f]{64}$/,
    urlPattern:
      /^https:\/\/(?:news\.google\.com\/rss\/articles\/\w+|(?:[a-z]+\.)?(?:gazette|diario|evening)\.example\/[^#]+)$/,
  })
}

interface Asked {
  index: NewsIndex
  url: URL
  cost: SourceRequest['cost']
}

interface Answered {
  posts: Post[]
  asked: Asked[]
  warnings: Record<string, unknown>[]
}

type Answer = (asked: Asked, number: number) => string | SourceReply

/** Searches indexes that are kept here, without a network. */
async function search(
  indexes: readonly NewsIndex[],
  answer: Answer,
  more: Partial<{ terms: string[]; editions: (typeof EDITION)[]; since: Date; limit: number }> = {},
) {
  const { terms = ['Acme Notes'], editions = [EDITION], since = new Date('2026-10-22T12:00:00Z'), limit = 1000 } = more
  return await searchWith(news({ indexes, editions }), answer, { terms, since, limit })
}

async function searchWith(
  source: ReturnType<typeof news>,
  answer: Answer,
  query: { terms: string[]; since: Date; limit: number },
  posts: Post[] = [],
): Promise<Answered> {
  const [asked, warnings]: [Asked[], Record<string, unknown>[]] = [[], []]
  const context: CollectContext = {
    fetch: async (address, init) => {
      const url = new URL(address)
      const item = { index: PATHS.get(url.pathname) as NewsIndex, url, cost: init?.cost }
      asked.push(item)
      const reply = answer(item, asked.length)
      return typeof reply === 'string' ? { status: 200, headers: {}, body: reply } : reply
    },
    ...BARE_CONTEXT,
    at: AT,
    log: {
      ...silentLog,
      warn: (fields: unknown) => warnings.push(fields as Record<string, unknown>),
    } as unknown as typeof silentLog,
  }
  for await (const portion of source.searching.search(context, query)) posts.push(...portion)
  return { posts, asked, warnings }
}

const ordinary: Answer = ({ index }) => RECORDED[index].ordinary
const down: SourceReply = { status: 503, headers: {}, body: '' }
const article = (number: number, seendate: string): object => ({
  url: `https://site${number}.example/acme`,
  title: `Acme Notes story ${number}`,
  seendate,
  domain: `site${number}.example`,
})
const gdeltReply = (articles: readonly object[]): string => JSON.stringify({ articles })
const rss = (items: string): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>x</title>${items}</channel></rss>`
const item = (title: string, pubDate: string, link = 'https://news.google.com/rss/articles/CBMiX'): string =>
  `<item><title>${title}</title><link>${link}</link><pubDate>${pubDate}</pubDate><source url="https://paper.example">Paper</source></item>`

describe('news', () => {
  test('an article that several indexes have found is one post, with its own address, the earliest time, and what each of them knows', async () => {
    const { posts } = await search(['gdelt', 'googlenews', 'bing'], ordinary)
    expect(posts.map((post) => post.nativeId)).toEqual([PRICES, REVIEW, OFFLINE, SCHOOLS])
    expect(posts[0]).toEqual({
      platform: 'news',
      nativeId: PRICES,
      url: 'https://www.gazette.example/business/acme-notes-prices',
      title: "Acme Notes raises prices for teams, says it's the last time",
      text: 'Small teams pay twice as much from January, the maker of Acme Notes says.',
      imageUrl: 'http://www.bing.com/th?id=ON.Composed1&pid=News',
      links: [],
      publishedAt: new Date('2026-11-21T09:02:11Z'),
      languageHint: 'en',
      engagement: null,
      replyTo: null,
      author: {
        id: 'gazette.example',
        name: 'The Example Gazette',
        handle: 'gazette.example',
        url: 'https://gazette.example/',
        avatarUrl: null,
        followers: null,
        automated: null,
      },
      review: null,
    })
  })

  test('each index alone gives the same article the same id', async () => {
    for (const index of ['gdelt', 'googlenews', 'bing'] as const) {
      expect((await search([index], ordinary)).posts.map((post) => post.nativeId)).toContain(PRICES)
    }
  })

  test('GDELT: address without tracking, headline without publisher, image, language, the host as publisher', async () => {
    const { posts } = await search(['gdelt'], ordinary)
    expect(posts[0]).toMatchObject({
      url: 'https://www.gazette.example/business/acme-notes-prices?page=2',
      title: "Acme Notes raises prices for teams , says it ' s the last time",
      imageUrl: 'https://www.gazette.example/images/acme.jpg',
      publishedAt: new Date('2026-11-21T09:15:00Z'),
    })
    expect(posts[1]).toMatchObject({
      title: 'Acme Notes estrena modo sin conexión',
      languageHint: 'es',
      imageUrl: null,
      author: { name: 'diario.example' },
    })
  })

  test('Google News: the feed stands for the article, and its description, which names other articles, is not taken for a text', async () => {
    const { posts } = await search(['googlenews'], ordinary)
    expect(posts[1]).toMatchObject({
      url: 'https://news.google.com/rss/articles/CBMiComposedArticle0002',
      title: 'Fast & quiet – Acme Notes 5 reviewed - part one',
      text: '',
      publishedAt: new Date('2026-11-20T14:30:00Z'),
      languageHint: 'en',
      author: { id: 'techcourier.example', name: 'Tech Courier' },
    })
  })

  test('Bing News: the address behind the counting link, and no text that only repeats the headline', async () => {
    const { posts } = await search(['bing'], ordinary)
    expect(posts[1]).toMatchObject({
      url: 'https://m.evening.example/schools?id=7',
      text: '',
      author: { id: 'evening.example', name: 'Evening Example' },
    })
  })

  test('an index that fails does not hide what the others have found, and is reported', async () => {
    const { posts, warnings } = await search(['gdelt', 'googlenews', 'bing'], (asked) =>
      asked.index === 'googlenews' ? down : ordinary(asked, 0),
    )
    expect(posts.map((post) => post.nativeId)).toEqual([PRICES, OFFLINE, SCHOOLS])
    expect(warnings).toEqual([expect.objectContaining({ index: 'googlenews', fault: 'unavailable' })])
  })

  test('an index whose turn has not come yet is waited for, so that articles are kept under their own addresses', async () => {
    const posts: Post[] = []
    const waiting = new QuotaReached('too fast', 30, false)
    const searched = searchWith(
      news({ indexes: ['gdelt', 'googlenews'], editions: [EDITION] }),
      (asked) => {
        if (asked.index === 'gdelt') throw waiting
        return ordinary(asked, 0)
      },
      { terms: ['Acme Notes'], since: new Date('2026-10-22T12:00:00Z'), limit: 100 },
      posts,
    )
    await expect(searched).rejects.toBe(waiting)
    expect(posts).toEqual([])
  })

  test('an index that fails three times in a row fails the search behind what the others found; an answer of it begins anew', async () => {
    const source = news({ indexes: ['gdelt', 'googlenews'], editions: [EDITION] })
    const query = { terms: ['Acme Notes'], since: new Date('2026-10-22T12:00:00Z'), limit: 100 }
    const searched = async (answer: Answer) => {
      const found: Post[] = []
      const fault = await searchWith(source, answer, query, found).then(
        () => null,
        (error: { kind: string }) => error.kind,
      )
      return [found.length, fault]
    }
    const halfDown: Answer = (asked) => (asked.index === 'gdelt' ? down : ordinary(asked, 0))
    for (const fault of [null, null, 'unavailable', 'unavailable']) expect(await searched(halfDown)).toEqual([2, fault])
    expect(await searched(ordinary)).toEqual([3, null])
    expect(await searched(halfDown)).toEqual([2, null])
  })

  test('what is cut off a headline by guess is looked through all the same; a publisher that is named is not', async () => {
    const title = 'Rivals circle - Fox Tail'
    const value = { ...article(1, '20261121T090000Z'), title, domain: 'ft.com' }
    expect((await search(['gdelt'], () => gdeltReply([value]))).posts[0]).toMatchObject({
      title: 'Rivals circle',
      text: title,
    })
    const sure = await search(['googlenews'], () => rss(item('Rivals circle - Paper', 'Sat, 21 Nov 2026 09:00:00 GMT')))
    expect(sure.posts[0]).toMatchObject({ title: 'Rivals circle', text: '' })
  })

  test('a search fails only when no index answers, with the fault that passes soonest', async () => {
    const slow: SourceReply = { status: 429, headers: {}, body: 'Please limit requests to one every 5 seconds' }
    const failed = search(['gdelt', 'bing'], ({ index }) => (index === 'bing' ? down : slow))
    await expect(failed).rejects.toMatchObject({ kind: 'throttled', retryAfterSeconds: 5 })
    // An index that has nothing to be asked for cannot make up for the others.
    await expect(search(['gdelt', 'bing'], () => down, { terms: ['AI'] })).rejects.toMatchObject({
      kind: 'unavailable',
    })
  })

  test('what one edition has answered is kept when the next one fails', async () => {
    const editions = [EDITION, { language: 'pt-BR', country: 'BR' }]
    const { posts } = await search(['googlenews'], (asked, number) => (number === 1 ? ordinary(asked, 1) : down), {
      editions,
    })
    expect(posts.length).toBe(2)
  })

  test('several phrases are one request to GDELT and Google News, and one each to Bing News, whose feed is short', async () => {
    const { asked } = await search(['gdelt', 'googlenews', 'bing'], ordinary, {
      terms: ['Acme Notes', 'say "cheese" now', 'Widgets'],
    })
    expect(asked.map(({ index, url }) => [index, url.searchParams.get('q') ?? url.searchParams.get('query')])).toEqual([
      ['googlenews', '("Acme Notes" OR "say cheese now" OR "Widgets") after:2026-10-21'],
      ['bing', '"Acme Notes"'],
      ['bing', '"say cheese now"'],
      ['bing', '"Widgets"'],
      ['gdelt', '("Acme Notes" OR "say cheese now" OR widgets)'],
    ])
    for (const { index, cost } of asked) expect(cost).toEqual({ [index]: 1 })
  })

  test('phrases share a request while they have at most 30 words with the ORs between them; one phrase always fits', () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')
    expect(fits([words(15), words(14)])).toBe(true)
    expect(fits([words(15), words(15)])).toBe(false)
    expect(fits([words(100)])).toBe(true)
    expect(fits(['x'.repeat(200), 'y'.repeat(200)])).toBe(false)
  })

  test('every edition is asked for in its own language and country', async () => {
    const editions = [
      EDITION,
      { language: 'pt-BR', country: 'BR' },
      { language: 'es-419', country: 'MX' },
      { language: 'de', country: 'DE' },
    ]
    const { asked } = await search(['googlenews', 'bing'], ordinary, { editions })
    const names = (first: string, second: string) =>
      asked
        .map(({ url }) => [url.searchParams.get(first), url.searchParams.get(second)])
        .filter(([name]) => name !== null)
    expect(names('ceid', 'hl')).toEqual([
      ['US:en', 'en-US'],
      ['BR:pt-419', 'pt-BR'],
      ['MX:es-419', 'es-419'],
      ['DE:de', 'de'],
    ])
    expect(names('setlang', 'cc').length).toBe(4)
  })

  test('posts from before are left out, and those that appear during the search come with the next one', async () => {
    const items = ['11:59:59', '12:00:02']
      .map((time) => item(`Acme Notes at ${time}`, `Sat, 21 Nov 2026 ${time} GMT`))
      .join('')
    const { posts } = await search(
      ['googlenews'],
      () => rss(items + item('Old Acme Notes', 'Fri, 20 Nov 2026 11:59:59 GMT')),
      {
        since: new Date('2026-11-20T12:00:00Z'),
      },
    )
    expect(posts.map((post) => post.title)).toEqual(['Acme Notes at 11:59:59'])
    // A clock that is hours ahead does not keep an article out for ever.
    const ahead = await search(['googlenews'], () => rss(item('Acme Notes tomorrow', 'Sun, 22 Nov 2026 12:00:00 GMT')))
    expect(ahead.posts[0]?.publishedAt).toEqual(AT)
  })

  describe('GDELT', () => {
    test('plain words with status 200 are read as what they say', async () => {
      const says = (words: string) => search(['gdelt'], () => words)
      await expect(
        says('Please limit requests to one every 5 seconds or contact us for larger queries.\n'),
      ).rejects.toMatchObject({
        kind: 'throttled',
        retryAfterSeconds: 5,
      })
      for (const words of ['Invalid mode.\n', 'ERROR: the query timed out', 'upstream connect error']) {
        await expect(says(words)).rejects.toMatchObject({
          kind: 'unavailable',
          message: expect.stringContaining(words.trim()),
        })
      }
      expect((await says('The specified phrase is too short.\n')).posts).toEqual([])
      expect((await says('Illegal character in query.\n')).posts).toEqual([])
    })

    test('an empty object is an empty result; another object is not', async () => {
      expect((await search(['gdelt'], () => '{}')).posts).toEqual([])
      await expect(search(['gdelt'], () => '{"articles_v2":[]}')).rejects.toMatchObject({ kind: 'shape_changed' })
    })

    test('a phrase that the index refuses does not hide the others, and is not put among them again', async () => {
      const source = news({ indexes: ['gdelt'], editions: [] })
      const query = { terms: ['Acme Notes', 'of it', 'Widgets'], since: new Date('2026-11-01T00:00:00Z'), limit: 100 }
      const answer: Answer = ({ url }) =>
        url.searchParams.get('query')?.includes('of it')
          ? 'The specified phrase is too short.\n'
          : RECORDED.gdelt.ordinary
      const first = await searchWith(source, answer, query)
      expect(first.asked.map(({ url }) => url.searchParams.get('query'))).toEqual([
        '("Acme Notes" OR "of it" OR widgets)',
        '"Acme Notes"',
        '"of it"',
        'widgets',
      ])
      expect(first.posts.length).toBe(2)
      const second = await searchWith(source, answer, query)
      expect(second.asked.map(({ url }) => url.searchParams.get('query'))).toEqual(['("Acme Notes" OR widgets)'])
    })

    test('words under three letters are never asked for; a word stands bare and in small letters', async () => {
      expect([
        wordingOf('AI'),
        wordingOf('C++'),
        wordingOf('NOT'),
        wordingOf('AAON'),
        wordingOf('acme.com'),
        wordingOf('Bank of X'),
      ]).toEqual([null, null, 'not', 'aaon', '"acme.com"', '"Bank of X"'])
      const alone = news({ indexes: ['gdelt'], editions: [] })
      const ask = (source = alone) =>
        searchWith(source, ordinary, {
          terms: ['AI', 'Acme Notes'],
          since: new Date('2026-11-01T00:00:00Z'),
          limit: 100,
        })
      // Nobody else is asked for it, which is said once.
      expect((await ask()).warnings).toEqual([expect.objectContaining({ index: 'gdelt', phrase: 'AI' })])
      expect([
        (await ask()).warnings,
        (await ask(news({ indexes: ['gdelt', 'bing'], editions: [EDITION] }))).warnings,
      ]).toEqual([[], []])
      expect((await search(['gdelt'], ordinary, { terms: ['AI'] })).asked).toEqual([])
    })

    test('more articles than one reply holds are read page by page, each page from where the one before ended, at most four', async () => {
      const page = (number: number) =>
        gdeltReply(
          Array.from({ length: 250 }, (_, at) =>
            article(
              number * 250 + at,
              `202611${21 - number}T${String(23 - Math.floor(at / 20)).padStart(2, '0')}0000Z`,
            ),
          ),
        )
      const { asked, posts } = await search(['gdelt'], (_, number) => page(number))
      expect(asked.map(({ url }) => url.searchParams.get('enddatetime'))).toEqual([
        null,
        '20261120110000',
        '20261119110000',
        '20261118110000',
      ])
      expect(asked[0]?.url.searchParams.get('startdatetime')).toBe('20261022120000')
      expect(posts.length).toBe(1000)
      const stuck = await search(['gdelt'], () => page(1))
      expect(stuck.asked.length).toBe(2)
      expect((await search(['gdelt'], (_, number) => page(number), { limit: 200 })).asked.length).toBe(1)
    })

    test('a headline with a control character or a lone backslash does not lose the reply', async () => {
      const reply = gdeltReply([article(1, '20261121T090000Z')]).replace('Acme Notes', () =>
        'Acme\tNotes \\ C:\\drive "quoted\\"'.replace('"', '\\"'),
      )
      expect((await search(['gdelt'], () => reply)).posts[0]?.title).toBe('Acme Notes \\ C:\\drive "quoted" story 1')
    })
  })

  test('repairing what is JSON already changes nothing in it', () => {
    const value = fc.record({ articles: fc.array(fc.record({ title: fc.string({ unit: 'binary' }) })) })
    fc.assert(
      fc.property(value, (item) => {
        expect(JSON.parse(repaired(JSON.stringify(item, null, 1)))).toEqual(item)
      }),
    )
  })

  test('a time for which Google News shows no more than a hundred articles is halved, newer half first, at most eight requests', async () => {
    const hundred = rss(
      Array.from({ length: 100 }, (_, at) => item(`Acme Notes ${at}`, 'Sat, 21 Nov 2026 09:00:00 GMT')).join(''),
    )
    const days = (asked: readonly Asked[]) =>
      asked.map(({ url }) => url.searchParams.get('q')?.replace('"Acme Notes" ', ''))
    const always = await search(['googlenews'], () => hundred)
    expect(always.asked.length).toBe(8)
    const once = await search(['googlenews'], (_, number) => (number === 1 ? hundred : rss('')), {
      since: new Date('2026-11-11T12:00:00Z'),
    })
    expect(days(once.asked)).toEqual(['after:2026-11-10', 'after:2026-11-16', 'after:2026-11-10 before:2026-11-17'])
    expect((await search(['googlenews'], () => hundred, { limit: 50 })).asked.length).toBe(1)
  })

  test('one odd article is left out, a majority of odd ones is a change of form', async () => {
    const good = item('Acme Notes one', 'Sat, 21 Nov 2026 09:00:00 GMT')
    const odd = item('Acme Notes two', 'yesterday')
    expect((await search(['googlenews'], () => rss(good + odd + odd))).posts.length).toBe(1)
    await expect(search(['googlenews'], () => rss(good + good + odd + odd + odd))).rejects.toMatchObject({
      kind: 'shape_changed',
    })
  })

  test('a phrase of punctuation alone is asked of nobody', async () => {
    expect([phraseOf('“Acme”  Notes\n'), phraseOf('!?')]).toEqual(['Acme Notes', null])
    expect((await search(['gdelt', 'googlenews', 'bing'], ordinary, { terms: ['!?'] })).asked).toEqual([])
  })
})
