import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PLATFORMS, type Platform } from '../platform/platforms.ts'
import { parseAuthorEntry } from './author-entry.ts'
import { nativeIdInLink } from './post-link.ts'

const LINKS: [link: string, platform: Platform, id: string | null][] = [
  ['https://news.ycombinator.com/item?id=123', 'hackernews', '123'],
  ['https://serverfault.com/questions/11/why-is', 'stackexchange', 'serverfault:11'],
  ['https://dba.stackexchange.com/a/12/22656', 'stackexchange', 'dba:12'],
  ['https://meta.askubuntu.com/questions/11/why-is#comment13_12', 'stackexchange', 'meta.askubuntu:c:13'],
  ['https://www.serverfault.com/questions/11/why-is', 'stackexchange', 'serverfault:11'],
  ['https://meta.stackoverflow.com/questions/11/why-is', 'stackexchange', 'meta.stackoverflow:11'],
  ['https://pt.stackoverflow.com/a/12', 'stackexchange', 'pt.stackoverflow:12'],
  ['https://es.meta.stackoverflow.com/a/12', 'stackexchange', 'es.meta.stackoverflow:12'],
  ['https://www.producthunt.com/products/acme?comment=14', 'producthunt', 'comment:14'],
  ['https://www.producthunt.com/posts/acme', 'producthunt', null],
  ['https://lobste.rs/s/abc123/a_title', 'lobsters', 's:abc123'],
  ['https://lobste.rs/s/abc123/a_title#c_def456', 'lobsters', 'c:def456'],
  ['https://lobste.rs/c/def456', 'lobsters', 'c:def456'],
  ['https://stackoverflow.com/questions/11/why-is', 'stackoverflow', '11'],
  ['https://stackoverflow.com/q/11/22656', 'stackoverflow', '11'],
  ['https://stackoverflow.com/a/12/22656', 'stackoverflow', '12'],
  ['https://stackoverflow.com/questions/11/why-is/12#12', 'stackoverflow', '12'],
  ['https://stackoverflow.com/questions/11/why-is#comment13_12', 'stackoverflow', 'c:13'],
  ['https://redd.it/1AbC', 'reddit', 't3_1abc'],
  ['https://www.reddit.com/r/acme/comments/1abc/some_title/', 'reddit', 't3_1abc'],
  ['https://old.reddit.com/r/acme/comments/1abc/some_title/k9z', 'reddit', 't1_k9z'],
  ['https://www.reddit.com/comments/1abc', 'reddit', 't3_1abc'],
  ['https://www.reddit.com/r/acme/s/Xyz', 'reddit', null],
  ['https://x.com/i/status/1234567890', 'x', '1234567890'],
  ['https://twitter.com/i/web/status/1234567890?s=20', 'x', '1234567890'],
  ['youtu.be/D-lhorsDlUQ', 'youtube', 'D-lhorsDlUQ'],
  ['https://www.youtube.com/shorts/D-lhorsDlUQ', 'youtube', 'D-lhorsDlUQ'],
  ['https://m.youtube.com/watch?v=D-lhorsDlUQ&t=3', 'youtube', 'D-lhorsDlUQ'],
  ['https://www.youtube.com/watch?v=D-lhorsDlUQ&lc=Ugw1', 'youtube', 'Ugw1'],
  ['https://www.linkedin.com/feed/update/urn:li:activity:7354600338621906944', 'linkedin', '7354600338621906944'],
  [
    'https://www.linkedin.com/feed/update/urn%3Ali%3Aactivity%3A7354600338621906944/',
    'linkedin',
    '7354600338621906944',
  ],
  ['https://www.instagram.com/p/DOOJ_zSjcnx/', 'instagram', 'DOOJ_zSjcnx'],
  ['https://www.trustpilot.com/reviews/5F0abcdef0123456789abcde', 'trustpilot', '5f0abcdef0123456789abcde'],
  ['https://github.com/octocat/hello-world/issues/12', 'github', null],
  ['https://vm.tiktok.com/ZM1', 'tiktok', null],
]

describe('the link of a post', () => {
  test.each(LINKS)('%s of %s holds %s, and its author has to be looked up', (link, platform, id) => {
    expect(parseAuthorEntry(link)).toEqual({ needsResolving: true, platform })
    expect(nativeIdInLink(platform, link)).toBe(id)
  })

  test('may be any text', () => {
    const pieces = fc.constantFrom(
      'https://',
      'x.com',
      '/status/',
      '%',
      '%zz',
      '#comment',
      '?v=',
      '//',
      'r/a/comments',
      'urn:li:activity:',
      '1',
      'é',
      ' ',
    )
    const link = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(
        fc.constantFrom(...PLATFORMS),
        link,
        (platform, text) => nativeIdInLink(platform, text) !== undefined,
      ),
    )
  })
})
