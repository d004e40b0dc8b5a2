import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseReviewLink, type ReviewPage } from '../../domain/keyword/review-source.ts'
import { silentLog } from '../../kernel/log.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import { createCollectContext, isDeclaredHost } from '../collect-context.ts'
import {
  type CollectContext,
  type Cost,
  MONEY,
  SourceFault,
  type SourceReply,
  type SourceRequest,
} from '../contract.ts'
import { CONSENT_HOSTS, LINK_HOSTS } from './google-hosts.ts'
import { googlemaps } from './source.ts'

// Over three hundred lines, because the addresses that must not be asked are listed one by one.
const AT = new Date('2026-11-21T12:00:00Z')
const FEATURE = '0x6b12ae37b47f5b37:0x8eaddfcd1b32ca52'
const PAGE: ReviewPage = { platform: 'googlemaps', id: 'ChIJN1t_tDeuEmsRUsoyG83frY4', country: null, language: null }
const PLACE = `https://www.google.com/maps/place/Acme+Bakery/@51.5,-0.1,17z/data=!3m1!4b1!4m6!3m5!1s${encodeURIComponent(FEATURE)}!8m2!3d51.5!4d-0.1`
const SHORT = 'https://maps.app.goo.gl/AbCdEf123'
const KEYED = googlemaps({ route: 'places', key: 'key-1', dailyMicroUsd: 1_000_000 })
const KEYLESS = googlemaps({ route: 'apify', token: 'token-1', actor: 'a/b', dailyMicroUsd: 1_000_000 })

type Answer = Partial<SourceReply> | undefined
const to = (location: string, status = 302): Answer => ({ status, headers: { location } })
const legacy = (body: object): Answer => ({ body: JSON.stringify(body) })

/** Resolves a link on a web that is kept here; addresses that are not on it answer with an ordinary page. */
async function resolve(link: string, web: Record<string, Answer> | ((url: string) => Answer), source = KEYED) {
  const asked: string[] = []
  const inits: SourceRequest[] = []
  const spent: Cost[] = []
  const context: CollectContext = {
    fetch: async (url, init = {}) => {
      asked.push(url)
      inits.push(init)
      const answer = typeof web === 'function' ? web(url) : web[url]
      return { status: 200, headers: {}, body: '<html></html>', ...answer }
    },
    ...BARE_CONTEXT,
    spend: (cost) => spent.push(cost),
    at: AT,
  }
  const found = await source.resolveLink!(context, link).catch((error: unknown) => {
    throw Object.assign(error as Error, { spent })
  })
  return { found, asked, inits, spent }
}

describe('a short link of Google Maps', () => {
  test.each([
    [SHORT, { [SHORT]: to(PLACE) }],
    ['maps.app.goo.gl/AbCdEf123', { [SHORT]: to(PLACE, 301) }],
    ['http://goo.gl/maps/xyz', { 'https://goo.gl/maps/xyz': to(SHORT, 307), [SHORT]: to(PLACE) }],
    [
      'https://g.page/acme',
      { 'https://g.page/acme': to(`https://search.google.com/local/writereview?placeid=${PAGE.id}`, 303) },
    ],
    [SHORT, { [SHORT]: to(`https://www.google.de/search?q=acme#lrd=${FEATURE},1`, 308) }],
    [SHORT, { [SHORT]: to('/second'), 'https://maps.app.goo.gl/second': to(PLACE) }],
    // A page that does not name its place may still lead to one that does.
    [SHORT, { [SHORT]: to('https://maps.google.com/maps?q=Acme'), 'https://maps.google.com/maps?q=Acme': to(PLACE) }],
  ])('%s leads to its place', async (link, web) => {
    const { found, asked } = await resolve(link, web as Record<string, Answer>)
    expect(found).toEqual(PAGE)
    // The last address is read, not asked.
    expect(asked).toHaveLength(Object.keys(web).length)
  })

  test('is asked without cookies or credentials, without letting the connection follow by itself, at a measured pace', async () => {
    const { inits } = await resolve(SHORT, { [SHORT]: to(PLACE) })
    expect(inits).toEqual([{ redirect: 'manual', headers: { accept: 'text/html' }, cost: { links: 1 } }])
    for (const source of [KEYED, KEYLESS])
      expect(source.limits).toContainEqual({ quota: 'links', kind: 'paced', most: 30, perSeconds: 60, burst: 10 })
  })

  test('the question about cookies is read and not asked', async () => {
    const consent = (target: string) => `https://consent.google.com/ml?continue=${encodeURIComponent(target)}&gl=DE&m=0`
    expect(await resolve(SHORT, { [SHORT]: to(consent(PLACE)) })).toMatchObject({ found: PAGE, asked: [SHORT] })
    const second = 'https://maps.app.goo.gl/second'
    const web = {
      [SHORT]: to(consent(second)),
      [second]: to(consent(consent(PLACE)).replace('google.com', 'google.de')),
    }
    expect(await resolve(SHORT, web)).toMatchObject({ found: PAGE, asked: [SHORT, second] })
    for (const target of [
      'https://evil.example/',
      'javascript:alert(1)',
      'http://169.254.169.254/',
      '//evil.example',
      '',
    ]) {
      expect(await resolve(SHORT, { [SHORT]: to(consent(target)) })).toMatchObject({ found: null, asked: [SHORT] })
    }
  })

  test('the page for supposed robots gives the place when it names it, and is throttled otherwise', async () => {
    const sorry = (target: string) => `https://www.google.com/sorry/index?continue=${encodeURIComponent(target)}&q=x`
    expect((await resolve(SHORT, { [SHORT]: to(sorry(PLACE)) })).found).toEqual(PAGE)
    await expect(resolve(SHORT, { [SHORT]: to(sorry('https://www.google.com/maps?q=Acme')) })).rejects.toMatchObject({
      kind: 'throttled',
    })
  })

  test.each([
    'https://evil.example/maps/place/x',
    `https://evil.example/?q=place_id:${PAGE.id}`,
    `https://www.google.com.evil.example/maps?ftid=${FEATURE}`,
    `https://google.evil.example/maps?ftid=${FEATURE}`,
    `https://evil.example/#https://www.google.com/maps?ftid=${FEATURE}`,
    `https://www.google.com@evil.example/maps?ftid=${FEATURE}`,
    `https://user:secret@www.google.com/maps?ftid=${FEATURE}`,
    'https://user@www.google.com/maps',
    'https://www.google.com:8443/maps',
    'https://www.google.com:22/maps',
    'https://sites.google.com/view/acme',
    'https://accounts.google.com/ServiceLogin',
    'https://script.google.com/macros/s/x/exec',
    'https://play.google.com/store/apps/details?id=com.acme.notes',
    'https://www.trustpilot.com/reviews/5f0abcdef0123456789abcde',
    'https://places.googleapis.com/v1/places/x',
    'http://127.0.0.1/maps',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/maps',
    'http://[::1]/maps',
    'http://[::ffff:127.0.0.1]/maps',
    'http://10.0.0.1:8080/maps',
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://localhost:3000/maps',
    'https://localhost/maps',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'ftp://www.google.com/maps',
    'intent://maps.google.com/#Intent;scheme=https;end',
    'https://',
    '',
    '\\\\evil.example\\maps',
    '//evil.example/maps',
    'https://www.google.com\u3002evil.example/maps',
    `https://www.google.com/maps/contrib/100000000000000000001\u0000`,
  ])('a redirection to %j is the end, and nobody but the short link is asked', async (location) => {
    const { found, asked } = await resolve(SHORT, (url) => (url === SHORT ? to(location) : undefined))
    expect(found).toBeNull()
    // What stays within Google's sites for maps may be asked, encrypted; everything else may not.
    for (const address of asked.slice(1))
      expect(address).toMatch(/^https:\/\/(?:maps\.app\.goo\.gl|www\.google\.com)\//)
    expect(asked.filter((address) => /evil|127|localhost|internal|169|:\d/.test(new URL(address).host))).toEqual([])
  })

  test('a redirection without encryption is asked encrypted, or read', async () => {
    expect(
      await resolve(SHORT, {
        [SHORT]: to('http://maps.google.com/x'),
        'https://maps.google.com/x': to(PLACE.replace('https:', 'http:')),
      }),
    ).toMatchObject({
      found: PAGE,
      asked: [SHORT, 'https://maps.google.com/x'],
    })
  })

  test('no more than five requests are made, in a circle or out of one', async () => {
    const circle = { [SHORT]: to('https://g.page/acme'), 'https://g.page/acme': to(SHORT) }
    expect((await resolve(SHORT, circle)).asked).toHaveLength(5)
    expect((await resolve(SHORT, { [SHORT]: to(SHORT) })).asked).toHaveLength(5)
    const along = (steps: number) => (url: string) => {
      const at = Number(new URL(url).searchParams.get('n') ?? '1')
      return to(at === steps ? PLACE : `https://maps.app.goo.gl/x?n=${at + 1}`)
    }
    expect(await resolve(SHORT, along(5))).toMatchObject({ found: PAGE, asked: { length: 5 } })
    expect(await resolve(SHORT, along(6))).toMatchObject({ found: null, asked: { length: 5 } })
  })

  test('one that leads nowhere is null; trouble is a fault, and never one of credentials', async () => {
    for (const status of [200, 400, 404, 410]) expect((await resolve(SHORT, { [SHORT]: { status } })).found).toBeNull()
    // A redirection to nowhere is trouble, too.
    for (const status of [302, 401, 403, 418, 500, 503])
      await expect(resolve(SHORT, { [SHORT]: { status } })).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(resolve(SHORT, { [SHORT]: { status: 429, headers: { 'retry-after': '9' } } })).rejects.toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: 9,
    })
  })

  test('links that are none of Google Maps, or name their place, ask nobody', async () => {
    expect(await resolve(PLACE, {})).toEqual({ found: PAGE, asked: [], inits: [], spent: [] })
    for (const link of [
      '',
      'acme',
      'https://evil.example/',
      'https://maps.app.goo.gl.evil.example/x',
      'http://127.0.0.1/',
      'https://www.trustpilot.com/review/acme.example',
      'javascript:1',
    ]) {
      expect(await resolve(link, {})).toEqual({ found: null, asked: [], inits: [], spent: [] })
    }
  })

  test('whatever redirections say, only Google is asked, encrypted and at most five times', async () => {
    const hosts = fc.constantFrom(
      'www.google.com',
      'maps.google.co.uk',
      'goo.gl',
      'consent.google.com',
      'evil.example',
      '127.0.0.1',
      'www.google.com.evil.example',
      '[::1]',
    )
    const schemes = fc.constantFrom(
      'https://',
      'http://',
      '//',
      '',
      'javascript:',
      'https:/',
      'https:\\\\',
      'HTTPS://a@',
      'https://a:b@',
      'ftp://',
    )
    const tails = fc.constantFrom(
      '',
      '/',
      '/maps/x',
      '/maps?cid=1',
      ':444/maps',
      '/sorry/',
      '?continue=https://evil.example',
      '/maps/%zz',
      '#x',
      '\\maps',
      '?continue=http://127.0.0.1',
    )
    const location = fc.oneof(
      fc.tuple(schemes, hosts, tails).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(location, { minLength: 1, maxLength: 8 }), async (locations) => {
        const asked: string[] = []
        let at = 0
        const answer = (url: string) => {
          asked.push(url)
          if (url.startsWith('https://maps.googleapis.com/')) return legacy({ status: 'NOT_FOUND' })
          at += 1
          return to(locations[(at - 1) % locations.length]!)
        }
        await resolve(SHORT, answer).catch((error) => {
          if (!(error instanceof SourceFault)) throw error
        })
        expect(asked.length).toBeLessThanOrEqual(6)
        for (const address of asked) {
          const url = new URL(address)
          expect([url.protocol, url.port, url.username, url.password]).toEqual(['https:', '', '', ''])
          expect(isDeclaredHost(KEYED.hosts, url.host), address).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a link with the number of a place', () => {
  const CID = 'https://maps.google.com/?cid=10281119596374313554'
  const ASKED =
    'https://maps.googleapis.com/maps/api/place/details/json?cid=10281119596374313554&fields=place_id&key=key-1'

  test('is looked up, also at the end of a short link, at the price of a request', async () => {
    const found = legacy({ status: 'OK', result: { place_id: PAGE.id } })
    const { inits, ...direct } = await resolve(CID, { [ASKED]: found })
    expect([direct, inits[0]?.cost, inits[0]?.redirect]).toEqual([
      { found: PAGE, asked: [ASKED], spent: [] },
      { [MONEY]: 17_000 },
      'manual',
    ])
    const search = 'https://www.google.com/search?q=acme&ludocid=10281119596374313554'
    expect(await resolve(SHORT, { [SHORT]: to(search), [ASKED]: found })).toMatchObject({
      found: PAGE,
      asked: [SHORT, ASKED],
    })
  })

  test('is null when nobody knows it, when there is no key to ask with, or when the older service is not turned on', async () => {
    for (const status of ['NOT_FOUND', 'ZERO_RESULTS', 'INVALID_REQUEST'])
      expect((await resolve(CID, { [ASKED]: legacy({ status }) })).found).toBeNull()
    expect((await resolve(CID, { [ASKED]: legacy({ status: 'OK', result: { place_id: '../x' } }) })).found).toBeNull()
    expect(await resolve(CID, {}, KEYLESS)).toMatchObject({ found: null, asked: [] })
    for (const error_message of [
      'You’re calling a legacy API, which is not enabled for your project.',
      'This API key is not authorized to use this service or API.',
    ]) {
      expect((await resolve(CID, { [ASKED]: legacy({ status: 'REQUEST_DENIED', error_message }) })).found).toBeNull()
    }
  })

  test.each([
    [{ status: 'REQUEST_DENIED', error_message: 'The provided API key is invalid.' }, 'credentials'],
    [{ status: 'OVER_DAILY_LIMIT' }, 'credentials'],
    [{ status: 'OVER_QUERY_LIMIT' }, 'throttled'],
    [{ status: 'UNKNOWN_ERROR' }, 'unavailable'],
    [{ status: 'SOMETHING_NEW' }, 'shape_changed'],
    [{ status: 'OK' }, 'shape_changed'],
    [{ state: 'OK' }, 'shape_changed'],
  ])('%j is %s', async (body, kind) => {
    await expect(resolve(CID, { [ASKED]: legacy(body) })).rejects.toMatchObject({ kind })
  })
})

describe('the price of a number of a place', () => {
  const CID = 'https://maps.google.com/?cid=10281119596374313554'
  const back = [{ [MONEY]: -17_000 }]

  test.each([
    [{ status: 302, headers: { location: 'https://evil.example/' } }, back],
    [{ status: 403 }, back],
    [{ status: 429 }, back],
    [{ status: 500 }, back],
    [legacy({ status: 'REQUEST_DENIED' }), back],
    [legacy({ status: 'OVER_QUERY_LIMIT' }), back],
    [legacy({ status: 'UNKNOWN_ERROR' }), back],
    [{ body: '<html></html>' }, []],
    [legacy({ status: 'SOMETHING_NEW' }), []],
  ])('is given back for a refusal and for nothing else: %j', async (answer, spent) => {
    const asked: string[] = []
    const tell = (url: string) => {
      asked.push(url)
      return answer
    }
    await expect(resolve(CID, tell)).rejects.toMatchObject({ spent })
    expect(asked.map((url) => new URL(url).host)).toEqual(['maps.googleapis.com'])
  })

  test('is kept for a number that nobody knows', async () => {
    expect((await resolve(CID, () => legacy({ status: 'NOT_FOUND' }))).spent).toEqual([])
    expect((await resolve(CID, () => legacy({ status: 'INVALID_REQUEST' }))).spent).toEqual(back)
  })
})

describe('the hosts of links', () => {
  test('are those that links of Google Maps are read from, and are declared', () => {
    const short = new Set(['maps.app.goo.gl', 'goo.gl', 'g.page'])
    for (const host of LINK_HOSTS) {
      if (!short.has(host)) expect(parseReviewLink(`https://${host}/maps?ftid=${FEATURE}`), host).toEqual(PAGE)
      for (const source of [KEYED, KEYLESS]) expect(isDeclaredHost(source.hosts, host), host).toBe(true)
    }
    for (const host of CONSENT_HOSTS)
      expect(parseReviewLink(`https://${host}/ml?continue=${encodeURIComponent(PLACE)}`), host).toEqual(PAGE)
    expect(new Set(LINK_HOSTS).size).toBe(LINK_HOSTS.length)
  })

  test('a real connection follows no redirection by itself and sends no cookie that it was given', async () => {
    const seen: { url: string; headers: IncomingHttpHeaders }[] = []
    const server = createServer((request, response) => {
      seen.push({ url: request.url ?? '', headers: request.headers })
      const location = seen.length === 1 ? 'https://goo.gl/maps/second' : PLACE
      response.writeHead(302, { location, 'set-cookie': 'id=1; Domain=.google.com' }).end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    try {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/googlemaps`
      const context = createCollectContext(KEYED, {
        address,
        userAgent: 'test',
        at: AT,
        signal: new AbortController().signal,
        log: silentLog,
      })
      expect(await KEYED.resolveLink!(context, SHORT)).toEqual(PAGE)
      expect(seen.map(({ url }) => url)).toEqual(['/googlemaps/AbCdEf123', '/googlemaps/maps/second'])
      for (const { headers } of seen)
        expect([headers.cookie, headers.authorization, headers['x-goog-api-key']]).toEqual([
          undefined,
          undefined,
          undefined,
        ])
    } finally {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
  })
})
