import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  NAMED_PLATFORMS,
  PLATFORMS,
  type Platform,
  platformName,
  REVIEW_PLATFORMS,
} from '../domain/platform/platforms.ts'
import { systemClock } from '../kernel/clock.ts'
import { givenIn, readTable, type Setting } from '../kernel/settings.ts'
import { MONEY, type PlacesSource, type SourceSetup } from './contract.ts'
import { PLATFORM_SETTINGS } from './platform-settings.ts'
import { createSources } from './registry.ts'
import { SOURCES_SETTINGS, sourcesSettingsOf, USER_AGENT_SETTINGS } from './settings.ts'

const setups = (environment: Record<string, string> = {}) => {
  const { values, problems } = readTable({ ...USER_AGENT_SETTINGS, ...SOURCES_SETTINGS }, givenIn(environment))
  expect(problems).toEqual([])
  return createSources(sourcesSettingsOf(values, '1.2.3'), systemClock)
}
const setup = (platform: Platform, environment: Record<string, string> = {}) =>
  setups(environment).find((setup) => setup.platform === platform)!

/** Everything that an installation may set, so that every platform is ready. */
const KEYS = {
  BSKY_HANDLE: 'name.bsky.social',
  BSKY_APP_PASSWORD: 'x',
  MASTODON_TOKEN: 'x',
  STACKEXCHANGE_KEY: 'x',
  REDDIT_CLIENT_ID: 'x',
  REDDIT_CLIENT_SECRET: 'x',
  X_BEARER_TOKEN: 'x',
  YOUTUBE_API_KEY: 'x',
  STACKEXCHANGE_SITES: 'serverfault,dba',
  PODCASTINDEX_KEY: 'x',
  PODCASTINDEX_SECRET: 'x',
  PRODUCTHUNT_TOKEN: 'x',
  LINKEDIN_PROVIDER: 'scrapecreators',
  TIKTOK_PROVIDER: 'apify',
  INSTAGRAM_PROVIDER: 'scrapecreators',
  SCRAPECREATORS_API_KEY: 'x',
  APIFY_TOKEN: 'x',
  TRUSTPILOT_API_KEY: 'x',
  GOOGLE_MAPS_API_KEY: 'x',
}

const KEYLESS: readonly Platform[] = [
  'bluesky',
  'hackernews',
  'github',
  'stackoverflow',
  'devto',
  'news',
  'feeds',
  'mastodon',
  'discourse',
  'lemmy',
  'lobsters',
  'appstore',
  'googleplay',
]

const namesOf = ({ missing }: SourceSetup) => missing.map(({ name }) => name)

test('every platform is there once, in their order, and its source is of its platform and mode', () => {
  for (const environment of [{}, KEYS])
    expect(setups(environment).map(({ platform }) => platform)).toEqual([...PLATFORMS])
  for (const { platform, mode, source, missing } of setups(KEYS)) {
    expect([platform, source?.platform, missing]).toEqual([platform, platform, []])
    expect(source!.mode === 'page').toBe(REVIEW_PLATFORMS.some((item) => item === platform))
    expect(mode).toBe(source!.mode === 'live' ? 'live' : source!.mode === 'page' ? 'reviews' : 'search')
    expect([platform, source!.mode === 'places']).toEqual([
      platform,
      NAMED_PLATFORMS.some((named) => named === platform),
    ])
    for (const host of source!.hosts) expect(host).toMatch(/^\.?[a-z0-9-]+(\.[a-z0-9-]+)+$/)
  }
})

test('without any setting these platforms are collected from, and the others say what they lack', () => {
  const ready = setups().filter(({ source }) => source !== null)
  expect(ready.map(({ platform }) => platform)).toEqual(KEYLESS)
  for (const { source, missing, off } of setups()) expect([source === null, off]).toEqual([missing.length > 0, false])
  expect(namesOf(setup('linkedin'))).toEqual(['LINKEDIN_PROVIDER'])
  for (const { missing } of setups())
    for (const { name, meaning, getAt, price } of missing) {
      const needsValue = name !== 'REDDIT_ROUTE'
      expect([name, meaning.length > 0, getAt.length > 0, price === '']).toEqual([name, true, needsValue, false])
      for (const address of getAt) expect(new URL(address).protocol).toBe('https:')
    }
  expect(namesOf(setup('linkedin', { LINKEDIN_PROVIDER: 'apify' }))).toEqual(['APIFY_TOKEN'])
  expect(namesOf(setup('reddit', { REDDIT_CLIENT_ID: 'x' }))).toEqual(['REDDIT_CLIENT_SECRET'])
  expect(namesOf(setup('reddit', { REDDIT_ROUTE: 'provider' }))).toEqual(['SCRAPECREATORS_API_KEY'])
  expect(namesOf(setup('googlemaps', { GOOGLEMAPS_PROVIDER: 'apify', GOOGLE_MAPS_API_KEY: 'x' }))).toEqual([
    'APIFY_TOKEN',
  ])
})

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

test('the README says what every key brings', () => {
  const rows = README.split('\n').filter((line) => /^\| `[A-Z_]+/.test(line))
  const needed = setups().flatMap(namesOf)
  const secrets = Object.entries<Setting>(PLATFORM_SETTINGS).flatMap(([name, { secret }]) => (secret ? [name] : []))
  const inRows = (name: string) => rows.some((row) => row.includes(`\`${name}\``))
  expect([...needed, ...secrets].filter((name) => name !== 'REDDIT_ROUTE' && !inRows(name))).toEqual([])
})

test('the README says what is read without a key', () => {
  const readme = README.replace(/\s+/g, ' ')
  expect(readme).toContain(`Of these, ${KEYLESS.length} need no key.`)
  const [, listed = ''] = readme.match(/Without any key a new installation reads ([^.]+)\./) ?? []
  for (const platform of PLATFORMS)
    expect([platform, listed.toLowerCase().includes(platformName(platform).toLowerCase())]).toEqual([
      platform,
      KEYLESS.includes(platform),
    ])
})

test('what the operator switches off is off, whatever keys there are', () => {
  expect(setup('x', { ...KEYS, SOURCES_OFF: 'x,tiktok' })).toEqual({
    platform: 'x',
    mode: 'search',
    source: null,
    missing: [],
    off: true,
  })
  expect(setup('reddit', { ...KEYS, REDDIT_ROUTE: 'off' }).off).toBe(true)
  expect(setup('tiktok', { ...KEYS, TIKTOK_PROVIDER: 'off' }).off).toBe(true)
})

test('every other route of Reddit is there when it is chosen', () => {
  expect(setup('reddit', { REDDIT_ROUTE: 'atom' }).source).not.toBeNull()
  expect(setup('reddit', { REDDIT_ROUTE: 'provider', SCRAPECREATORS_API_KEY: 'x' }).source).not.toBeNull()
})

test('the operator may choose the interval of whatever is asked at intervals', () => {
  const environment = {
    SOURCE_GITHUB_POLL_SECONDS: '7',
    SOURCE_HACKERNEWS_POLL_SECONDS: '8',
    SOURCE_APPSTORE_POLL_SECONDS: '9',
  }
  const intervals = setups(environment).map(({ platform, source }) => [
    platform,
    source && source.mode !== 'live' ? source.pollSeconds : null,
  ])
  expect(Object.fromEntries(intervals)).toMatchObject({
    bluesky: null,
    github: 7,
    hackernews: 8,
    appstore: 9,
    googleplay: 86_400,
  })
})

test('what the settings say of the intervals is what the sources do', () => {
  for (const { source } of setups(KEYS)) {
    if (source === null || source.mode === 'live') continue
    const name = `SOURCE_${source.platform.toUpperCase()}_POLL_SECONDS` as keyof typeof SOURCES_SETTINGS
    expect([name, SOURCES_SETTINGS[name]]).toMatchObject([name, { fallback: String(source.pollSeconds) }])
  }
})

describe('money', () => {
  const paid: Platform[] = ['x', 'linkedin', 'tiktok', 'instagram', 'googlemaps']

  test.each(paid)('has a hard daily limit on %s, which the operator sets', (platform) => {
    const limitOf = (environment: Record<string, string>) =>
      setup(platform, environment).source!.limits.find(({ quota, kind }) => quota === MONEY && kind === 'daily')
    expect(limitOf(KEYS)!.most).toBe(platform === 'x' ? 5_000_000 : 2_000_000)
    expect(limitOf({ ...KEYS, [`${platform.toUpperCase()}_DAILY_USD_CAP`]: '0.75' })!.most).toBe(750_000)
  })
})

test('the hosts of the Bluesky feed can be set; an empty list means the public ones', () => {
  const hosts = (environment: Record<string, string>) => setup('bluesky', environment).source!.hosts
  expect(hosts({ BSKY_JETSTREAM_HOSTS: 'feed.example' })).toContain('feed.example')
  expect(hosts({ BSKY_JETSTREAM_HOSTS: 'feed.example' })).not.toEqual(hosts({}))
})

test('a feed that is set both by address and in a file, or twice in a file, is read once', () => {
  const FEEDS_FILE = join(import.meta.dirname, 'feeds/recorded/subscriptions.opml')
  const { source } = setup('feeds', { FEEDS_URLS: 'https://blog.example/feed https://a.example/', FEEDS_FILE })
  expect((source as PlacesSource).named).toEqual([
    'https://blog.example/feed',
    'https://a.example/',
    'https://notes.example/feed.json',
    'https://wire.example/index.rdf',
  ])
})
