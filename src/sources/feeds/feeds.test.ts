import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import { describeSource, placing, type Stage } from '../conformance.suite.ts'
import type { CollectContext, Cursor, SourceReply } from '../contract.ts'
import { feeds } from './source.ts'
import { timeOf } from './to-post.ts'

const recorded = (name: string): string => readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')
const AT = new Date('2026-11-21T12:00:00Z')
const LONG_AGO = new Date('2026-11-01T00:00:00Z')
const ADDRESS = 'https://blog.example/feed'
const STAGES: Record<Stage, string> = {
  ordinary: recorded('ordinary.xml'),
  later: recorded('later.xml'),
  changed: recorded('changed.xml'),
}

const label = (link: string) => `post u:${createHash('sha256').update(link).digest('hex').slice(0, 40)}`

describeSource('feeds', {
  open: () => placing(feeds({ named: [] }), ADDRESS, LONG_AGO),
  at: { ordinary: AT, later: new Date(AT.getTime() + 900_000) },
  serves: {
    replies: ({ url }, stage) =>
      url.pathname === '/robots.txt' ? { status: 404, body: '' } : { status: 200, body: STAGES[stage] },
  },
  refusals: {
    throttled: { status: 429, headers: { 'retry-after': '7' }, body: 'Too Many Requests' },
    unavailable: { status: 503, body: 'Service Unavailable' },
    gone: { status: 404, body: 'Not Found' },
  },
  throttledForSeconds: 7,
  expected: {
    ordinary: [label('blog.example/tulips'), label('blog.example/roses')],
    later: [label('blog.example/weeds')],
  },
  nativeIdPattern: /^[ufg]:[0-9a-f]{40}$/,
  urlPattern: /^https:\/\/blog\.example\/\w+$/,
})

interface Site {
  [address: string]: Partial<SourceReply>
}

/** Sites that are kept here, without a network. */
function sites(pages: Site) {
  const asked: { url: string; headers: Record<string, string> }[] = []
  const context: CollectContext = {
    ...BARE_CONTEXT,
    at: AT,
    async fetch(url, init) {
      asked.push({ url, headers: init?.headers ?? {} })
      return { status: url in pages ? 200 : 404, headers: {}, body: '', ...pages[url] }
    },
  }
  const source = feeds({ named: [] })
  return {
    pages,
    asked,
    poll: (address: string, cursor: Cursor | null = null, since = LONG_AGO) =>
      source.poll(context, { address, since }, cursor),
    find: (address: string) => source.find(context, address),
  }
}

async function readOnly(address: string, body: string): Promise<Post> {
  const { posts } = await sites({ [address]: { body } }).poll(address)
  return posts[0]!
}

describe('a post', () => {
  test('of RSS has its text, author, count and link without marks of where it was read', async () => {
    const { posts, title, restSeconds } = await sites({ [ADDRESS]: { body: STAGES.ordinary } }).poll(ADDRESS)
    expect([title, restSeconds]).toEqual(['Stories about gardens', 3600])
    expect(posts[1]).toMatchObject({
      platform: 'feeds',
      url: 'https://blog.example/roses',
      title: 'Roses & more',
      text: 'Roses need water.',
      links: ['https://blog.example/water'],
      imageUrl: null,
      languageHint: 'en',
      engagement: { replies: 3 },
      publishedAt: new Date('2026-11-21T11:30:00Z'),
      author: { name: 'Ada Example' },
    })
    expect(posts[0]).toMatchObject({
      text: 'Tulips & daffodils in spring.',
      imageUrl: 'https://blog.example/tulips.jpg',
      author: { name: 'Ben Example' },
    })
  })

  test('of Atom resolves its link against the base, and reads XHTML and HTML titles', async () => {
    expect(await readOnly('https://code.example/releases.atom', recorded('releases.atom'))).toMatchObject({
      url: 'https://code.example/tool/releases/3',
      title: 'Version 3',
      text: 'Faster start.',
      imageUrl: 'https://code.example/3.png',
      languageHint: 'de',
      engagement: { replies: 5 },
      publishedAt: new Date('2026-11-21T08:00:00Z'),
      author: { name: 'Cleo Example', url: 'https://code.example/cleo' },
    })
  })

  test('of a JSON feed keeps plain text as it is', async () => {
    expect(await readOnly('https://notes.example/feed.json', recorded('notes.json'))).toMatchObject({
      url: 'https://notes.example/7',
      title: null,
      text: 'A <short> note.',
      languageHint: 'fr',
      author: { name: 'Dan Example', avatarUrl: 'https://notes.example/dan.png' },
    })
  })

  test('of RSS 1.0 stands beside the channel', async () => {
    expect(await readOnly('https://wire.example/index.rdf', recorded('wire.rdf'))).toMatchObject({
      url: 'https://wire.example/1',
      title: 'Rain',
      text: 'Rain in the north.',
      author: { name: 'The wire' },
    })
  })

  test('of one article in two feeds of its site has one id, and another in a feed elsewhere', async () => {
    const first = await readOnly(ADDRESS, STAGES.ordinary)
    const second = await readOnly(
      'https://www.blog.example/all',
      STAGES.ordinary.replaceAll('https://blog', 'http://www.blog'),
    )
    const planet = await readOnly('https://planet.example/all', STAGES.ordinary)
    expect(first.nativeId).toBe(second.nativeId)
    expect(planet.nativeId).toMatch(/^f:/)
  })

  test('tolerates a byte order mark, leading blanks, HTML entities and bare ampersands', async () => {
    const sloppy = `\uFEFF \n${STAGES.ordinary.replace('Tulips</title>', 'Tulips&nbsp;& co</title>')}`
    const { posts } = await sites({ [ADDRESS]: { body: sloppy } }).poll(ADDRESS)
    expect(posts[0]!.title).toBe('Tulips & co')
  })
})

describe('what is new', () => {
  test('at the first sight is only what was published since the feed was named', async () => {
    const site = sites({ [ADDRESS]: { body: STAGES.ordinary } })
    const { posts } = await site.poll(ADDRESS, null, new Date('2026-11-21T11:00:00Z'))
    expect(posts.map(({ title }) => title)).toEqual(['Roses & more'])
  })

  test('does not return when it was hidden for a while', async () => {
    const site = sites({ [ADDRESS]: { body: STAGES.later } })
    const first = await site.poll(ADDRESS)
    site.pages[ADDRESS] = { body: STAGES.ordinary }
    const second = await site.poll(ADDRESS, first.cursor)
    site.pages[ADDRESS] = { body: STAGES.later }
    const third = await site.poll(ADDRESS, second.cursor)
    expect([second.posts, third.posts]).toEqual([[], []])
  })

  test('is asked for with the validators of the last reply, and an unchanged feed costs nothing', async () => {
    const headers = { etag: '"a1"', 'last-modified': 'Sat, 21 Nov 2026 11:30:00 GMT', 'cache-control': 'max-age=120' }
    const site = sites({ [ADDRESS]: { body: STAGES.ordinary.replace('<ttl>60</ttl>', ''), headers } })
    const { cursor, restSeconds } = await site.poll(ADDRESS)
    expect(restSeconds).toBe(120)
    site.pages[ADDRESS] = { status: 304 }
    const again = await site.poll(ADDRESS, cursor)
    expect(again).toMatchObject({ posts: [], cursor })
    expect(site.asked.at(-1)!.headers).toMatchObject({
      'if-none-match': '"a1"',
      'if-modified-since': 'Sat, 21 Nov 2026 11:30:00 GMT',
    })
  })
})

describe('a feed that cannot be read', () => {
  test('because it moved to another host says where it is now', async () => {
    const site = sites({ [ADDRESS]: { status: 301, headers: { location: 'https://new.example/feed' } } })
    await expect(site.poll(ADDRESS)).rejects.toMatchObject({
      kind: 'gone',
      message: 'The address has moved to https://new.example/feed.',
    })
  })

  test.each([
    ['no web address', 'https://[broken'],
    ['no web address', 'mailto:ada@blog.example'],
    ['an unencrypted one', 'http://blog.example/feed'],
  ])('because it leads to %s says so', async (what, location) => {
    await expect(sites({ [ADDRESS]: { status: 301, headers: { location } } }).poll(ADDRESS)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining(what),
    })
  })

  test('because it is a page says which feed the page names', async () => {
    const body = '<html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>'
    await expect(sites({ 'https://blog.example/': { body } }).poll('https://blog.example/')).rejects.toMatchObject({
      kind: 'shape_changed',
      message: 'This is a page, whose feed is https://blog.example/feed.xml.',
    })
  })

  test('because robots.txt forbids it is gone, and the feed itself is not asked for', async () => {
    const site = sites({ 'https://blog.example/robots.txt': { body: 'User-agent: *\nDisallow: /feed' } })
    await expect(site.poll(ADDRESS)).rejects.toMatchObject({ kind: 'gone' })
    expect(site.asked.map(({ url }) => url)).toEqual(['https://blog.example/robots.txt'])
  })

  test.each([
    ['nothing but opening brackets', `<rss version="2.0"><channel><item><title>${'<'.repeat(500_000)}`],
    ['nothing but beginnings of CDATA', `<rss version="2.0"><channel>${'<![CDATA['.repeat(300_000)}`],
    ['a flood of elements', `<rss version="2.0"><channel>${'<a/>'.repeat(700_000)}</channel></rss>`],
    ['more than it may be', `<rss version="2.0"><channel><title>${'x'.repeat(3_000_001)}</title></channel></rss>`],
    ['a declaration of entities', '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><b>&b;</b></rss>'],
  ])('because it holds %s is refused within a moment', async (_, body) => {
    const beganMs = performance.now()
    await expect(sites({ [ADDRESS]: { body } }).poll(ADDRESS)).rejects.toMatchObject({ kind: 'shape_changed' })
    expect(performance.now() - beganMs).toBeLessThan(20_000)
  })
})

describe('an address that a person writes', () => {
  const page = (links: string) => ({ body: `<!doctype html><html><head>${links}</head><body>Hello</body></html>` })

  test('may be the feed itself, and may lead there from another host', async () => {
    const site = sites({
      [ADDRESS]: { body: STAGES.ordinary },
      'https://old.example/feed': { status: 301, headers: { location: ADDRESS } },
    })
    const found = { address: ADDRESS, title: 'Stories about gardens' }
    expect([await site.find(ADDRESS), await site.find('https://old.example/feed')]).toEqual([found, found])
  })

  test('may be a page that links to its feed, of which comments are left out', async () => {
    const site = sites({
      'https://blog.example/': page(
        '<link rel="alternate" type="application/rss+xml" title="Comments Feed" href="/comments/feed/">' +
          '<link rel="alternate" hreflang="de" href="/de"><link rel=alternate type="application/rss+xml" href="feed">',
      ),
      [ADDRESS]: { body: STAGES.ordinary },
    })
    expect(await site.find('https://blog.example/')).toMatchObject({ address: ADDRESS })
  })

  test('is asked for by https if it stands on such a page, and kept without what no server sees', async () => {
    const site = sites({
      'https://blog.example/': page('<link rel="alternate" type="application/rss+xml" href="http://blog.example/old">'),
      'https://blog.example/old': { status: 301, headers: { location: '/feed#newest' } },
      'https://blog.example/feed#newest': { body: STAGES.ordinary },
    })
    expect(await site.find('https://blog.example/')).toMatchObject({ address: ADDRESS })
  })

  test('is not read where robots.txt forbids it, wherever it leads', async () => {
    const site = sites({
      [ADDRESS]: { body: STAGES.ordinary },
      'https://blog.example/robots.txt': { body: 'User-agent: *\nDisallow: /feed' },
      'https://old.example/feed': { status: 301, headers: { location: ADDRESS } },
    })
    await expect(site.find('https://old.example/feed')).rejects.toMatchObject({
      kind: 'gone',
      message: expect.stringContaining('robots.txt'),
    })
    expect(site.asked.map(({ url }) => url)).not.toContain(ADDRESS)
  })

  test('is refused on the host of another source, wherever it leads', async () => {
    const site = sites({ 'https://old.example/feed': { status: 301, headers: { location: 'https://dev.to/feed' } } })
    for (const address of ['https://dev.to/feed', 'https://old.example/feed'])
      await expect(site.find(address)).rejects.toMatchObject({
        kind: 'gone',
        message: 'A source of its own reads dev.to, without a feed.',
      })
  })

  test.each([
    ['its robots.txt forbids', '/private', 'robots.txt'],
    ['is gone', '/missing', 'nothing at this address'],
    ['a source of its own reads', 'https://dev.to/feed', 'A source of its own'],
  ])('may be a page with a feed that %s, and then is the next one', async (_, first, reason) => {
    const link = (href: string) => `<link rel="alternate" type="application/rss+xml" href="${href}">`
    const site = sites({
      'https://blog.example/': page(`${link(first)}${link('/feed')}`),
      'https://blog.example/robots.txt': { body: 'User-agent: *\nDisallow: /private' },
      [ADDRESS]: { body: STAGES.ordinary },
    })
    expect(await site.find('https://blog.example/')).toMatchObject({ address: ADDRESS })
    site.pages['https://blog.example/'] = page(link(first))
    await expect(site.find('https://blog.example/')).rejects.toMatchObject({
      kind: 'gone',
      message: expect.stringContaining(reason),
    })
  })

  test('is refused in words when there is no feed', async () => {
    const site = sites({ 'https://blog.example/': page('<title>Blog</title>') })
    await expect(site.find('https://blog.example/')).rejects.toMatchObject({
      kind: 'gone',
      message: 'There is no feed at this address, and the page names none.',
    })
    await expect(site.find('https://blog.example/missing')).rejects.toMatchObject({ kind: 'gone' })
  })
})

test('a time without a zone is UTC, and one that cannot be read is none', () => {
  const noon = new Date('2026-11-21T12:00:00Z')
  for (const text of ['2026-11-21T12:00:00', 'Sat, 21 Nov 2026 12:00:00', '2026-11-21T13:00:00+01:00'])
    expect([text, timeOf(text)]).toEqual([text, noon])
  for (const text of ['', 'yesterday', 'le 21', null]) expect([text, timeOf(text)]).toEqual([text, null])
})
