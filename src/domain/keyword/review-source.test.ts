import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { REVIEW_PLATFORMS, type ReviewPlatform } from '../platform/platforms.ts'
import { reviewCountry, reviewLanguage } from '../platform/storefront.ts'
import { canonicalReviewUrl, parseReviewLink, reviewSourceFromId } from './review-source.ts'

const CASES = join(import.meta.dirname, '../../../../shared/cases/review_urls.json')
interface Case {
  url: string
  platform: ReviewPlatform | null
  id: string | null
  country: string | null
  language: string | null
}

describe.skipIf(!existsSync(CASES))('the agreed cases', () => {
  const cases: Case[] = existsSync(CASES) ? JSON.parse(readFileSync(CASES, 'utf8')) : []
  test.each(cases)('$url', ({ url, platform, id, country, language }) => {
    const expected =
      platform === null ? null : id === null ? { needsResolving: true, platform } : { platform, id, country, language }
    expect(parseReviewLink(url)).toEqual(expected)
  })
})

const PLACE = 'ChIJN1t_tDeuEmsRUsoyG83frY4'
const FEATURE = '0x6b12ae37b47f5b37:0x8eaddfcd1b32ca52'
const PAGES: [link: string, platform: ReviewPlatform, id: string, country?: string | null, language?: string | null][] =
  [
    ['  https://apps.apple.com/UK/app/acme-notes/id123456789  ', 'appstore', '123456789', 'gb'],
    ['apps.apple.com/de/app/id123456789', 'appstore', '123456789', 'de'],
    ['https://apps.apple.com/us/mac/app/acme/id123456789', 'appstore', '123456789', 'us'],
    ['https://apps.apple.com/us/app/developer/id123456789', 'appstore', '123456789', 'us'],
    ['https://apps.apple.com:443/us/App/acme/id123456789', 'appstore', '123456789', 'us'],
    ['https://apps.apple.com/app/acme/id123456789?l=de&country=FR', 'appstore', '123456789', 'fr'],
    ['https://apps.apple.com/jp/app/%E3%83%A1%E3%83%A2/id123456789', 'appstore', '123456789', 'jp'],
    ['https://itunes.apple.com/lookup?id=123456789&country=ca', 'appstore', '123456789', 'ca'],
    ['https://itunes.apple.com/gb/rss/customerreviews/id=123456789/xml', 'appstore', '123456789', 'gb'],
    ['itms-apps://itunes.apple.com/us/app/id123456789', 'appstore', '123456789', 'us'],
    [
      'https://itunes.apple.com/WebObjects/MZStore.woa/wa/viewContentsUserReviews?id=123456789&cc=UK',
      'appstore',
      '123456789',
      'gb',
    ],
    ['https://play.google.com/store/apps/details/Acme_Notes?id=com.Acme.notes', 'googleplay', 'com.Acme.notes'],
    [
      'play.google.com/store/apps/details?id=com.acme.notes&hl=pt_BR&gl=UK',
      'googleplay',
      'com.acme.notes',
      'gb',
      'pt-BR',
    ],
    ['https://play.google.com/store/apps/details?id=com.acme.notes&hl=iw', 'googleplay', 'com.acme.notes', null, 'he'],
    [
      'https://play.google.com/store/apps/details?id=com.acme.notes&hl=in&gl=xxx',
      'googleplay',
      'com.acme.notes',
      null,
      'id',
    ],
    ['market://details?id=com.acme.notes', 'googleplay', 'com.acme.notes'],
    ['https://market.android.com/details?id=com.acme.notes', 'googleplay', 'com.acme.notes'],
    ['https://fr-be.trustpilot.com/review/www.acme.example?page=2', 'trustpilot', 'www.acme.example'],
    ['https://www.trustpilot.com/evaluate/acme.example', 'trustpilot', 'acme.example'],
    ['https://www.trustpilot.com/review/m%C3%BCller.example', 'trustpilot', 'xn--mller-kva.example'],
    [
      'https://www.google.de/maps/place/?q=place_id:ChIJLU7jZClu5kcR4PcOOO6p3I0',
      'googlemaps',
      'ChIJLU7jZClu5kcR4PcOOO6p3I0',
    ],
    [
      'https://www.google.com/maps/place/Tower/@1,2,3z/data=!4m2!3m1!1s0x47e66e2964e34e2d%3A0x8ddca9ee380ef7e0',
      'googlemaps',
      'ChIJLU7jZClu5kcR4PcOOO6p3I0',
    ],
    [`https://www.google.co.uk/maps/place/X/data=!3m1!1s0x1:0x2!19s${PLACE}?entry=ttu`, 'googlemaps', PLACE],
    [`https://search.google.com/local/writereview?placeid=${PLACE}`, 'googlemaps', PLACE],
    [`google.com.au/maps?place_id=${PLACE}`, 'googlemaps', PLACE],
    [
      `https://www.google.com/search?q=acme#foo=1&lrd=${FEATURE.toUpperCase().replaceAll('0X', '0x')},1`,
      'googlemaps',
      PLACE,
    ],
    [
      `https://consent.google.com/ml?continue=${encodeURIComponent(`https://www.google.com/maps?ftid=${FEATURE}`)}&gl=DE`,
      'googlemaps',
      PLACE,
    ],
  ]

const TO_RESOLVE: [link: string, platform: ReviewPlatform][] = [
  ['https://maps.app.goo.gl/AbCdEf', 'googlemaps'],
  ['https://g.page/acme', 'googlemaps'],
  ['https://maps.google.com/?cid=10281119596374313554', 'googlemaps'],
  ['https://www.google.com/search?q=acme&ludocid=10281119596374313554', 'googlemaps'],
  ['https://www.trustpilot.com/reviews/5f0abcdef0123456789abcde', 'trustpilot'],
]

const NONE = [
  '',
  'acme',
  'ftp://apps.apple.com/us/app/id123456789',
  'https://apps.apple.com@evil.example/us/app/id123456789',
  'https://user@apps.apple.com/us/app/id123456789',
  'https://xapps.apple.com/us/app/id123456789',
  'https://apps.apple.com/us/developer/acme/id123456789',
  'https://apps.apple.com/us/app-bundle/acme/id123456789',
  'https://apps.apple.com/us/developer/app/id123456789',
  'https://apps.apple.com/us/story/app/id123456789',
  'https://apps.apple.com:8443/us/app/acme/id123456789',
  'https://www.trustpilot.com:8443/review/acme.com',
  'https://apps.apple.com/us/app/acme/id1234',
  'https://apps.apple.com/us/app/acme/id123456789/more',
  'https://play.google.com/store/apps/details?id=notapackage',
  'https://play.google.com/store/apps/details?id=com.acme.notes%20x',
  'https://play.google.com/store/apps/collection/x?id=com.acme.notes',
  'https://play.google.com/store/books/details?id=com.acme.notes',
  'https://www.trustpilot.com/users/5f0abcdef0123456789abcde',
  'https://www.trustpilot.com/categories/bank',
  'https://www.trustpilot.com/review/acme',
  'https://www.trustpilot.com/review/127.0.0.1',
  'https://trustpilot.com.evil.example/review/acme.example',
  'https://www.google.com/maps/contrib/1234567890',
  'https://www.google.com/maps/place/Acme',
  'https://google.evil.example/maps?ftid=0x1:0x2',
  'https://www.google.com/maps?ftid=0x11111111111111111:0x2',
  'https://maps.app.goo.gl/',
  `https://consent.google.com/ml?continue=${encodeURIComponent(`https://consent.google.com/ml?continue=https://maps.google.com/?ftid=${FEATURE}`)}`,
  'https://',
  'https://[',
  'x'.repeat(5000),
]

describe('links of review pages', () => {
  test.each(PAGES)('%s is of %s: %s', (link, platform, id, country = null, language = null) => {
    expect(parseReviewLink(link)).toEqual({ platform, id, country, language })
  })
  test.each(TO_RESOLVE)('%s needs %s to name the page', (link, platform) =>
    expect(parseReviewLink(link)).toEqual({ needsResolving: true, platform }),
  )
  test.each(NONE)('%j is none', (link) => expect(parseReviewLink(link)).toBeNull())

  test('the canonical link of a page leads to the same page', () => {
    for (const [, platform, id, country = null] of PAGES) {
      const link = canonicalReviewUrl(platform, id, country)
      expect(parseReviewLink(link)).toMatchObject({ platform, id })
      expect(link).toMatch(/^https:/)
    }
    expect(canonicalReviewUrl('appstore', '123456789', null)).toBe('https://apps.apple.com/us/app/id123456789')
  })

  test('any text is answered, quickly', () => {
    const pieces = fc.constantFrom(
      'https://',
      'apps.apple.com/',
      'google.com/maps',
      '!1s',
      '0x1:0x2',
      '?id=',
      '%',
      '%zz',
      '#lrd=',
      'market:',
      'trustpilot.com/review/',
      '\ud800',
      '\u0000',
      ':',
      '//',
      'a'.repeat(200),
    )
    const hostile = fc
      .array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 40 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(hostile, fc.constantFrom(...REVIEW_PLATFORMS), (text, platform) => {
        const link = parseReviewLink(text)
        if (link && 'id' in link)
          expect(reviewSourceFromId(link.platform, link.id)).toEqual({ platform: link.platform, id: link.id })
        const source = reviewSourceFromId(platform, text)
        if (source) expect(reviewSourceFromId(platform, source.id)).toEqual(source)
      }),
      { numRuns: 3000, verbose: 1 },
    )
    const began = systemClock.monotonicMs()
    for (const piece of ['a.', '!1s', '%20', '/', 'a-', '0x1:', '-.', ' ']) {
      parseReviewLink(piece.repeat(200_000))
      parseReviewLink(`https://www.google.com/maps/${piece.repeat(2000)}`.slice(0, 3990))
      for (const platform of REVIEW_PLATFORMS) reviewSourceFromId(platform, piece.repeat(200_000))
    }
    expect(systemClock.monotonicMs() - began).toBeLessThan(5000)
  })
})

test.each<[ReviewPlatform, string, string | null]>([
  ['appstore', 'id123456789', '123456789'],
  ['appstore', ' 123456789 ', '123456789'],
  ['appstore', '1234', null],
  ['appstore', '123456789x', null],
  ['googleplay', 'com.Acme.notes_2', 'com.Acme.notes_2'],
  ['googleplay', 'com', null],
  ['googleplay', 'com..acme', null],
  ['trustpilot', 'Acme.Example', 'acme.example'],
  ['trustpilot', 'https://Acme.example/about', 'acme.example'],
  ['trustpilot', 'acme.example.', 'acme.example'],
  ['trustpilot', 'acme', null],
  ['trustpilot', '10.0.0.1', null],
  ['googlemaps', PLACE, PLACE],
  ['googlemaps', FEATURE, PLACE],
  ['googlemaps', '0x47e66e2964e34e2d:0x8ddca9ee380ef7e0', 'ChIJLU7jZClu5kcR4PcOOO6p3I0'],
  ['googlemaps', 'EiQxMjM', 'EiQxMjM'],
  ['googlemaps', `${PLACE} `, PLACE],
  ['googlemaps', 'ChIJ', null],
  ['googlemaps', `ChIJ${'a'.repeat(300)}`, null],
  ['googlemaps', '10281119596374313554', null],
])('the %s id %j is stored as %s', (platform, id, stored) =>
  expect(reviewSourceFromId(platform, id)).toEqual(stored === null ? null : { platform, id: stored }),
)

test('storefronts and languages have one form', () => {
  expect(['US', ' de ', 'uk', 'usa', '', 'u1', null].map(reviewCountry)).toEqual([
    'us',
    'de',
    'gb',
    null,
    null,
    null,
    null,
  ])
  expect(
    [
      'EN',
      'pt_BR',
      'zh-Hant',
      'zh_Hant_tw',
      'zh-Hant-TW-x',
      'zh-Hant-TWN',
      'es-419',
      'iw',
      'in',
      'english',
      '',
      'e',
      null,
    ].map(reviewLanguage),
  ).toEqual(['en', 'pt-BR', 'zh-Hant', 'zh-Hant-TW', null, null, 'es-419', 'he', 'id', null, null, null, null])
})
