import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { parseRepository } from '../platform/github.ts'
import { foldAuthorName } from '../platform/names.ts'
import { PLATFORMS, type Platform } from '../platform/platforms.ts'
import { parseSubreddit } from '../platform/reddit.ts'
import { authorKeysOf, parseAuthorEntry } from './author-entry.ts'
import { type Author, UNKNOWN_AUTHOR } from './post.ts'

const CASES = join(import.meta.dirname, '../../../../shared/cases/authors.json')

describe.skipIf(!existsSync(CASES))('the agreed cases', () => {
  const cases: { entry: string; normal: string | null; platform: Platform | null }[] = existsSync(CASES)
    ? JSON.parse(readFileSync(CASES, 'utf8'))
    : []
  test.each(cases)('$entry', ({ entry, normal, platform }) => {
    expect(parseAuthorEntry(entry)).toEqual(normal === null ? { needsResolving: true, platform } : { normal, platform })
  })
})

const NAMED: [entry: string, normal: string, platform: Platform | null][] = [
  // Names and handles
  ['  Ada   LOVELACE ', 'ada lovelace', null],
  ['Ａｃｍｅ Bot', 'acme bot', null],
  ['@@odd', '@@odd', null],
  ['@Two Words', '@two words', null],
  ['@ada.example', 'ada.example', null],
  ['ada.example', 'ada.example', null],
  ['@ada@mastodon.example', 'ada@mastodon.example', null],
  ['AC/DC', 'ac/dc', null],
  ['Dr. A/B Tester', 'dr. a/b tester', null],
  ['renovate[bot]', 'renovate[bot]', null],
  ['u/with space', 'u/with space', null],
  ['did:key:z6Mk', 'did:key:z6mk', null],
  ['Straße', 'straße', null],
  // Reddit
  ['/u/Ada_L', 'https://www.reddit.com/user/ada_l', 'reddit'],
  ['U/Ada-L/', 'https://www.reddit.com/user/ada-l', 'reddit'],
  ['user/Ada', 'https://www.reddit.com/user/ada', 'reddit'],
  ['https://new.reddit.com/user/Ada/comments/1abc/a_title/', 'https://www.reddit.com/user/ada', 'reddit'],
  ['np.reddit.com/u/Ada', 'https://www.reddit.com/user/ada', 'reddit'],
  ['https://m.reddit.com/user/Ada?sort=new#top', 'https://www.reddit.com/user/ada', 'reddit'],
  ['https://sh.reddit.com/user/Ada', 'https://www.reddit.com/user/ada', 'reddit'],
  ['https://de.reddit.com/user/Ada', 'https://www.reddit.com/user/ada', 'reddit'],
  ['https://www.reddit.com/r/u_Ada/comments/1abc/x/', 'https://www.reddit.com/user/ada', 'reddit'],
  // Bluesky
  ['did:plc:AAAABBBBCCCCDDDDEEEEFFFF', 'https://bsky.app/profile/did:plc:aaaabbbbccccddddeeeeffff', 'bluesky'],
  [
    'https://bsky.app/profile/did:plc:aaaabbbbccccddddeeeeffff/post/3k',
    'https://bsky.app/profile/did:plc:aaaabbbbccccddddeeeeffff',
    'bluesky',
  ],
  [
    'https://bsky.app/profile/did%3Aplc%3Aaaaabbbbccccddddeeeeffff',
    'https://bsky.app/profile/did:plc:aaaabbbbccccddddeeeeffff',
    'bluesky',
  ],
  ['bsky.app/profile/Ada.Example', 'https://bsky.app/profile/ada.example', 'bluesky'],
  ['https://bsky.app/profile/@ada.example', 'https://bsky.app/profile/ada.example', 'bluesky'],
  ['at://Ada.example/app.bsky.feed.post/3k', 'https://bsky.app/profile/ada.example', 'bluesky'],
  ['at://did:web:ada.example', 'https://bsky.app/profile/did:web:ada.example', 'bluesky'],
  // Hacker News
  ['https://news.ycombinator.com/user?id=Ada_L', 'https://news.ycombinator.com/user?id=ada_l', 'hackernews'],
  ['news.ycombinator.com/threads?id=ada&next=1', 'https://news.ycombinator.com/user?id=ada', 'hackernews'],
  // GitHub
  ['github.com/Ada?tab=repositories', 'https://github.com/ada', 'github'],
  ['https://www.github.com/ada/', 'https://github.com/ada', 'github'],
  ['https://github.com/Ada_corp', 'https://github.com/ada_corp', 'github'],
  ['https://github.com/renovate%5Bbot%5D', 'https://github.com/apps/renovate', 'github'],
  ['https://github.com/Renovate[bot]', 'https://github.com/apps/renovate', 'github'],
  ['https://gist.github.com/Ada', 'https://github.com/ada', 'github'],
  // Stack Overflow, dev.to
  ['https://stackoverflow.com/users/123?tab=profile', 'https://stackoverflow.com/users/123', 'stackoverflow'],
  ['http://www.stackoverflow.com/users/123/', 'https://stackoverflow.com/users/123', 'stackoverflow'],
  ['dev.to/Ada_Dev', 'https://dev.to/ada_dev', 'devto'],
  // Mastodon
  ['https://Social.example/@Ada', 'https://social.example/@ada', 'mastodon'],
  ['social.example/@ada/113000000000000001', 'https://social.example/@ada', 'mastodon'],
  ['https://other.example/@Ada@Social.example', 'https://social.example/@ada', 'mastodon'],
  ['https://social.example:8443/@ada', 'https://social.example:8443/@ada', 'mastodon'],
  ['https://medium.com/@ada', 'https://medium.com/@ada', 'news'],
  // Stack Exchange, Product Hunt, podcasts
  ['https://serverfault.com/users/12/ada?tab=x', 'https://serverfault.com/users/12', 'stackexchange'],
  ['https://dba.stackexchange.com/users/12', 'https://dba.stackexchange.com/users/12', 'stackexchange'],
  ['https://www.superuser.com/users/12', 'https://superuser.com/users/12', 'stackexchange'],
  ['https://meta.stackoverflow.com/users/12', 'https://meta.stackoverflow.com/users/12', 'stackexchange'],
  ['https://ru.stackoverflow.com/users/12/ada', 'https://ru.stackoverflow.com/users/12', 'stackexchange'],
  ['https://www.producthunt.com/@Ada', 'https://www.producthunt.com/@ada', 'producthunt'],
  ['podcastindex.org/podcast/77?episode=1', 'https://podcastindex.org/podcast/77', 'podcasts'],
  // Lemmy, Lobsters
  ['https://lemmy.example/u/Ada', 'https://lemmy.example/u/ada', 'lemmy'],
  ['https://lemmy.example/u/ada@home.example', 'https://home.example/u/ada', 'lemmy'],
  ['https://lobste.rs/~Ada', 'https://lobste.rs/~ada', 'lobsters'],
  ['lobste.rs/u/ada', 'https://lobste.rs/~ada', 'lobsters'],
  // X
  ['https://x.com/@Ada', 'https://x.com/ada', 'x'],
  ['http://www.twitter.com/Ada/with_replies', 'https://x.com/ada', 'x'],
  ['https://twitter.com/#!/Ada', 'https://x.com/ada', 'x'],
  ['https://x.com/intent/follow?screen_name=Ada', 'https://x.com/ada', 'x'],
  ['https://x.com/intent/user?user_id=12', 'https://x.com/i/user/12', 'x'],
  ['https://x.com/Ada/status/1/photo/1', 'https://x.com/ada', 'x'],
  // YouTube
  ['youtube.com/@Ada/videos', 'https://www.youtube.com/@ada', 'youtube'],
  ['https://m.youtube.com/@%C3%84da', 'https://www.youtube.com/@äda', 'youtube'],
  [
    'https://music.youtube.com/channel/UCabcdefghijklmnopqrstuv',
    'https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv',
    'youtube',
  ],
  ['https://www.youtube.com/c/AdaLab', 'https://www.youtube.com/c/adalab', 'youtube'],
  ['https://www.youtube.com/user/AdaLab/about', 'https://www.youtube.com/user/adalab', 'youtube'],
  // LinkedIn, TikTok, Instagram
  ['https://www.linkedin.com/company/Acme/posts/', 'https://www.linkedin.com/company/acme', 'linkedin'],
  ['linkedin.com/school/acme-university', 'https://www.linkedin.com/school/acme-university', 'linkedin'],
  ['https://de.linkedin.com/showcase/acme-cloud?trk=x', 'https://www.linkedin.com/showcase/acme-cloud', 'linkedin'],
  ['https://www.linkedin.com/in/j%C3%B6rg-example', 'https://www.linkedin.com/in/jörg-example', 'linkedin'],
  ['https://tiktok.com/@Ada.L/photo/7', 'https://www.tiktok.com/@ada.l', 'tiktok'],
  ['instagram.com/Ada.L/?hl=de', 'https://www.instagram.com/ada.l', 'instagram'],
  ['https://www.instagram.com/ada/p/DOOJ_zSjcnx/', 'https://www.instagram.com/ada', 'instagram'],
  ['https://www.instagram.com/stories/Ada/3', 'https://www.instagram.com/ada', 'instagram'],
  // Review platforms
  [
    'https://de.trustpilot.com/users/5f0ABCDEF0123456789abcde',
    'https://www.trustpilot.com/users/5f0abcdef0123456789abcde',
    'trustpilot',
  ],
  [
    'https://www.google.com/maps/contrib/1234567890/reviews/@1,2',
    'https://www.google.com/maps/contrib/1234567890',
    'googlemaps',
  ],
  ['https://www.google.co.uk/maps/contrib/1234567890', 'https://www.google.com/maps/contrib/1234567890', 'googlemaps'],
  ['https://itunes.apple.com/GB/reviews/id900000002', 'https://itunes.apple.com/gb/reviews/id900000002', 'appstore'],
  // Elsewhere
  ['http://blog.example/~Ada/?utm=1#me', 'https://blog.example/~Ada', 'news'],
  ['blog.example/authors/ada/', 'https://blog.example/authors/ada', 'news'],
  ['//blog.example/ada', 'https://blog.example/ada', 'news'],
  ['https://user:pass@blog.example:8080/ada', 'https://blog.example:8080/ada', 'news'],
  ['https://github.com.evil.example/ada', 'https://github.com.evil.example/ada', 'news'],
  ['https://github.com@evil.example/ada', 'https://evil.example/ada', 'news'],
  ['https://i.redd.it.example/ada', 'https://i.redd.it.example/ada', 'news'],
]

const TO_RESOLVE: [entry: string, platform: Platform][] = [
  ['https://news.ycombinator.com/item?id=123', 'hackernews'],
  ['https://github.com/acme/app/discussions/9', 'github'],
  ['github.com/acme/app/pull/9/files', 'github'],
  ['https://github.com/acme/app/commit/0a1b2c3', 'github'],
  ['https://gist.github.com/0123456789abcdef0123456789abcdef', 'github'],
  ['https://stackoverflow.com/q/12/34', 'stackoverflow'],
  ['https://www.reddit.com/r/acme/comments/1abc/a_title/kx1/', 'reddit'],
  ['https://reddit.com/r/acme/s/AbCdEf', 'reddit'],
  ['https://reddit.com/comments/1abc', 'reddit'],
  ['https://x.com/i/web/status/12', 'x'],
  ['https://twitter.com/statuses/12', 'x'],
  ['https://www.youtube.com/watch?v=abcdefghijk&t=1', 'youtube'],
  ['https://youtube.com/live/abcdefghijk', 'youtube'],
  ['https://www.linkedin.com/feed/update/urn%3Ali%3Ashare%3A7354600338621906944', 'linkedin'],
  ['https://www.linkedin.com/pulse/a-story-by-somebody', 'linkedin'],
  ['https://www.tiktok.com/t/ZT8abc/', 'tiktok'],
  ['https://www.tiktok.com/@/video/7334621391758642478', 'tiktok'],
  ['https://vt.tiktok.com/ZS1', 'tiktok'],
  ['https://www.instagram.com/p/DOOJ_zSjcnx/', 'instagram'],
  ['https://www.instagram.com/reel/DOOJ_zSjcnx', 'instagram'],
  ['https://instagram.com/tv/DOOJ_zSjcnx', 'instagram'],
  ['https://www.trustpilot.com/reviews/5f0abcdef0123456789abcde', 'trustpilot'],
  ['https://maps.app.goo.gl/AbC', 'googlemaps'],
  ['https://goo.gl/maps/AbC', 'googlemaps'],
]

const NOBODY = [
  '',
  ' \n ',
  '\u0000'.repeat(1001),
  'a\u0000b',
  'a\u0007b',
  'a\u009fb',
  'https://www.youtube.com/@a%00b',
  'https://www.youtube.com/c/a%1fb',
  'https://www.linkedin.com/in/a%00b',
  'ftp://ftp.example/ada',
  'https://',
  'javascript://x',
  'at://',
  'https://bsky.app/settings',
  'https://bsky.app/profile/',
  'https://news.ycombinator.com/newest',
  'https://github.com/orgs/acme',
  'https://github.com/topics/rust',
  'https://github.com/search?q=ada',
  'https://github.com/marketplace/x',
  'https://github.com/sponsors/ada',
  'https://github.com/features',
  'https://github.com/settings/profile',
  'https://github.com/acme/app',
  'https://github.com/acme/app/issues',
  'https://gist.github.com/discover',
  'https://stackoverflow.com/questions/tagged/rust',
  'https://stackoverflow.com/users',
  ...[
    't/rust',
    'tags',
    'search?q=x',
    'latest',
    'top/week',
    'about',
    'enter',
    'settings',
    'challenges',
    'api/articles',
  ].map((path) => `https://dev.to/${path}`),
  'https://www.reddit.com/r/acme',
  'https://www.reddit.com/user/me',
  ...['i/lists/1', 'search?q=x', 'hashtag/x', 'home', 'explore', 'share?text=x', 'settings', 'intent/post?text=x'].map(
    (path) => `https://x.com/${path}`,
  ),
  'https://www.youtube.com/results?search_query=x',
  'https://www.youtube.com/channel/short',
  'https://www.linkedin.com/jobs/view/1',
  'https://www.tiktok.com/tag/x',
  ...['reels/', 'explore/tags/x', 'accounts/login', 'p/', 'tv/', 'stories/highlights/1'].map(
    (path) => `https://www.instagram.com/${path}`,
  ),
  'https://www.trustpilot.com/review/acme.example',
  'https://www.google.com/maps/place/Acme',
  'https://apps.apple.com/us/app/x/id618783545',
  'https://play.google.com/store/apps/details?id=com.acme.notes',
]

describe('author entries', () => {
  test.each(NAMED)('%s names %s', (entry, normal, platform) =>
    expect(parseAuthorEntry(entry)).toEqual({ normal, platform }),
  )
  test.each(TO_RESOLVE)('%s needs %s to name the person', (entry, platform) =>
    expect(parseAuthorEntry(entry)).toEqual({ needsResolving: true, platform }),
  )
  test.each(NOBODY)('%j names nobody, and says why', (entry) =>
    expect(parseAuthorEntry(entry)).toEqual({ invalid: expect.stringMatching(/\w/) }),
  )

  test('a normal form is its own normal form', () => {
    for (const [, normal, platform] of NAMED)
      if (platform !== null) expect(parseAuthorEntry(normal)).toEqual({ normal, platform })
  })

  test('any text is answered, in time that does not grow with malice', () => {
    const pieces = fc.constantFrom(
      'https://',
      'github.com/',
      'x.com/',
      '@',
      'u/',
      'at://',
      'did:plc:',
      '..',
      '%',
      '%zz',
      '/',
      '?id=',
      '#',
      '[',
      '\u0000',
      '\ud800',
      'a'.repeat(300),
      'www.',
      'google.',
      '-',
    )
    const hostile = fc
      .array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 40 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(hostile, (entry) => {
        const parsed = parseAuthorEntry(entry)
        if ('normal' in parsed) {
          expect(parsed.normal.length).toBeGreaterThan(0)
          expect(parsed.normal).not.toMatch(/[\p{Cc}\p{Cs}]/u)
        }
        const known = { id: entry, name: entry, handle: entry, url: entry }
        for (const platform of PLATFORMS)
          expect(authorKeysOf(platform, author(known)).join('')).not.toMatch(/[\p{Cc}\p{Cs}]/u)
        parseRepository(entry)
        parseSubreddit(entry)
      }),
      { numRuns: 3000, verbose: 1 },
    )
    const began = systemClock.monotonicMs()
    for (const piece of ['a.', '@', '/', '%20', 'a-', ' ', 'u/', 'did:plc:', '-.'])
      for (const parse of [parseAuthorEntry, parseRepository, parseSubreddit]) parse(piece.repeat(200_000))
    for (const piece of ['a.', '@', '/', '%20', 'a-', ' ', 'u/', '-.'])
      for (const parse of [parseAuthorEntry, parseRepository, parseSubreddit])
        parse(`https://x.com/${piece.repeat(300)}`.slice(0, 990))
    expect(systemClock.monotonicMs() - began).toBeLessThan(5000)
  })
})

const author = (known: Partial<Author>): Author => ({ ...UNKNOWN_AUTHOR, ...known })

const EXCLUDED: [why: string, platform: Platform, author: Author, entries: string[]][] = [
  [
    'Bluesky by did and by handle',
    'bluesky',
    author({ id: 'did:plc:aaaabbbbccccddddeeeeffff', handle: 'Ada.Example', name: 'Ada L' }),
    [
      'did:plc:aaaabbbbccccddddeeeeffff',
      '@ada.example',
      'https://bsky.app/profile/ada.example/post/3k',
      'at://did:plc:aaaabbbbccccddddeeeeffff/app.bsky.feed.post/3k',
      'ADA  l',
    ],
  ],
  [
    'Bluesky where only the id is known',
    'bluesky',
    author({ id: 'did:plc:aaaabbbbccccddddeeeeffff' }),
    ['https://bsky.app/profile/did:plc:aaaabbbbccccddddeeeeffff'],
  ],
  [
    'Hacker News in any case',
    'hackernews',
    author({ id: 'AdaL', handle: 'AdaL', name: 'AdaL' }),
    ['@adal', 'https://news.ycombinator.com/user?id=ADAL', 'adal'],
  ],
  [
    'a program at GitHub',
    'github',
    author({ id: '49699333', handle: 'renovate[bot]', url: 'https://github.com/apps/renovate' }),
    ['https://github.com/apps/renovate', 'renovate[bot]', '@renovate[bot]'],
  ],
  [
    'Stack Overflow by number',
    'stackoverflow',
    author({ id: '123', name: 'Ada', url: 'https://stackoverflow.com/users/123/ada' }),
    ['https://stackoverflow.com/users/123/another-name', 'ada'],
  ],
  ['dev.to by name', 'devto', author({ id: '5', handle: 'ada' }), ['https://dev.to/ada/an-article']],
  [
    'Reddit with and without u/',
    'reddit',
    author({ id: 't2_1', handle: 'u/Ada' }),
    ['u/ada', '@Ada', 'https://old.reddit.com/user/ADA'],
  ],
  [
    'X by handle and by number',
    'x',
    author({ id: '12', handle: '@Ada', name: 'Ada 🚀' }),
    ['https://twitter.com/ada', 'https://x.com/i/user/12', 'ada 🚀'],
  ],
  [
    'YouTube by handle and by channel',
    'youtube',
    author({ id: 'UCabcdefghijklmnopqrstuv', handle: '@AdaLab' }),
    ['https://youtube.com/@adalab', 'https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv'],
  ],
  [
    'a person or company at LinkedIn alike',
    'linkedin',
    author({ url: 'https://www.linkedin.com/company/acme/' }),
    [
      'https://www.linkedin.com/in/acme',
      'https://www.linkedin.com/company/acme',
      'https://www.linkedin.com/posts/acme_news-activity-1-x',
    ],
  ],
  ['TikTok', 'tiktok', author({ handle: 'ada.l' }), ['https://www.tiktok.com/@Ada.L/video/1', '@ada.l']],
  ['Instagram', 'instagram', author({ handle: 'ada.l' }), ['https://instagram.com/ada.l']],
  [
    'Mastodon by handle with its server, and by link at any server',
    'mastodon',
    author({ id: 'https://social.example/users/Ada', handle: 'Ada@social.example' }),
    ['@ada@social.example', 'https://social.example/@ada', 'https://other.example/@Ada@social.example'],
  ],
  [
    'Trustpilot by number',
    'trustpilot',
    author({ id: '5f0abcdef0123456789abcde' }),
    ['https://fr.trustpilot.com/users/5f0abcdef0123456789abcde'],
  ],
  [
    'Google Maps by number',
    'googlemaps',
    author({ id: '1234567890', name: 'Ada' }),
    ['https://www.google.de/maps/contrib/1234567890'],
  ],
  [
    'the App Store by link',
    'appstore',
    author({ url: 'https://itunes.apple.com/us/reviews/id900000001?x=1' }),
    ['https://itunes.apple.com/us/reviews/id900000001'],
  ],
  ['Google Play by name', 'googleplay', author({ name: 'Ada  Lovelace' }), ['ada lovelace']],
  [
    'a page elsewhere',
    'news',
    author({ url: 'http://blog.example/ada/?p=1', name: 'Ada' }),
    ['https://blog.example/ada'],
  ],
  ['a display name that looks like a handle', 'x', author({ handle: 'a1', name: '@Ada' }), ['@ada']],
]

describe('keys of authors', () => {
  test.each(EXCLUDED)('an entry excludes %s', (_, platform, given, entries) => {
    const keys = authorKeysOf(platform, given)
    for (const entry of entries) {
      const parsed = parseAuthorEntry(entry)
      expect(keys, entry).toContain('normal' in parsed ? parsed.normal : null)
    }
  })

  test("nobody else is excluded: neither parts of a name, nor the same name behind another platform's link", () => {
    const keys = authorKeysOf('x', author({ id: '12', handle: 'ada', name: 'Ada Lovelace' }))
    for (const entry of [
      'Lovelace',
      'Ada Love',
      'https://github.com/ada',
      'https://www.tiktok.com/@ada',
      'https://x.com/i/user/1',
      'u/ada',
    ]) {
      const parsed = parseAuthorEntry(entry)
      expect(keys).not.toContain('normal' in parsed ? parsed.normal : null)
    }
    expect(authorKeysOf('reddit', author({}))).toEqual([])
  })

  test('any author has keys, whatever their name holds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        fc.constantFrom<Platform>('x', 'bluesky', 'linkedin', 'github', 'news'),
        (name, handle, platform) => {
          const keys = authorKeysOf(platform, author({ id: handle, name, handle, url: `https://x.com/${name}` }))
          if (foldAuthorName(name) !== '' && !/\p{Cc}/u.test(foldAuthorName(name)))
            expect(keys).toContain(foldAuthorName(name))
        },
      ),
      { numRuns: 1000, verbose: 1 },
    )
  })
})

test.each([
  ['Acme/App', 'acme/app'],
  [' acme/app.js ', 'acme/app.js'],
  ['https://github.com/Acme/App', 'acme/app'],
  ['github.com/acme/app/issues/12#issuecomment-1', 'acme/app'],
  ['https://github.com/acme/app.git', 'acme/app'],
  ['git@github.com:Acme/App.git', 'acme/app'],
  ['ssh://git@github.com/acme/app.git', 'acme/app'],
  ['git+https://github.com/acme/app.git', 'acme/app'],
  ['https://api.github.com/repos/acme/app/issues', 'acme/app'],
  ['https://raw.githubusercontent.com/acme/app/main/README.md', 'acme/app'],
  ['https://github.com/acme', null],
  ['https://github.com/orgs/acme', null],
  ['https://gitlab.com/acme/app', null],
  ['https://github.com.evil.example/acme/app', null],
  ['acme', null],
  ['acme/..', null],
  ['a b/c', null],
  ['acme/app/more', null],
  ['', null],
])('the repository of %j is %s', (entry, name) => expect(parseRepository(entry)).toBe(name))

test.each([
  ['r/Acme', 'acme'],
  ['/r/Acme/', 'acme'],
  ['Acme', 'acme'],
  ['https://www.reddit.com/r/Acme/comments/1/x/', 'acme'],
  ['old.reddit.com/r/acme', 'acme'],
  ['r/u_ada', 'u_ada'],
  ['https://www.reddit.com/user/ada', null],
  ['https://reddit.com.evil.example/r/acme', null],
  ['r/a+b', null],
  ['a', null],
  ['r/', null],
  ['two words', null],
  ['', null],
])('the subreddit of %j is %s', (entry, name) => expect(parseSubreddit(entry)).toBe(name))
