import { afterEach, beforeEach, expect, test } from 'vitest'
import { everything } from '../../../test/everything.ts'
import { type OctolensStandIn, startOctolens } from '../../../test/stand-ins/octolens.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { type ImportOptions, moveWorkspace } from './import-octolens.ts'

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
let vendor: OctolensStandIn
let lines: string[]

const keyword = (id: number, term: string, more: object = {}) => ({
  id,
  keyword: term,
  context: null,
  additionalTerms: null,
  additionalTermsAndOr: true,
  caseSensitive: false,
  symbolSensitive: true,
  platforms: ['reddit', 'reddit_comment', 'twitter'],
  excludeWords: null,
  wildcardExcludeWords: null,
  excludeAuthors: null,
  tag: 'own_brand',
  paused: false,
  isSubReddit: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  volume: null,
  ...more,
})
const feed = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  icon: 'BellIcon',
  simpleFilters: null,
  advancedFilters: null,
  isDefault: false,
  destinations: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...more,
})
const simple = (...conditions: [field: string, values: string][]) => ({
  simpleFilters: { conditions: conditions.map(([name, values]) => ({ field: name, values })) },
})

beforeEach(async () => {
  lines = []
  vendor = await startOctolens({
    keywords: [
      keyword(901, 'Acme Cloud', {
        context: 'Anvils.',
        excludeWords: 'jobs, hir*',
        additionalTerms: 'anvil',
        tag: 'competitor',
      }),
      keyword(902, 'paused one', { paused: true, platforms: ['twitter', 'firehose'] }),
      keyword(903, 'r/selfhosted', { isSubReddit: true }),
      keyword(904, 'only the firehose', { platforms: ['firehose'] }),
      keyword(905, 'part of words', { symbolSensitive: false, context: 'x'.repeat(201) }),
    ],
    feeds: [
      feed(801, 'Cloud', simple(['Keywords', '901'], ['Sentiment', 'negative'])),
      feed(802, 'Gone', simple(['Keywords', '903'])),
      feed(803, 'Bookmarks', simple(['Bookmarked', 'true'])),
      feed(804, 'Everything', {
        destinations: [
          { type: 'EMAIL', frequency: 'weekly', dayOfWeek: 1 },
          { type: 'WEBHOOK', frequency: 'daily' },
        ],
      }),
    ],
    filters: {
      negativeKeywords: ['Jobs'],
      negativeAuthors: ['@spammer'],
      negativeSubreddits: ['sales'],
      positiveSubreddits: [],
      negativeRepos: ['acme/anvil', 'no repository'],
    },
    company: {
      id: 1,
      name: 'Acme',
      description: 'Makes anvils.',
      domain: 'acme.example',
      competitors: '[{"name":"Bolt","description":"Bolts."}]',
      twitter: 'acme',
    },
  })
})
afterEach(() => vendor.close())

function run(more: Partial<ImportOptions> = {}) {
  return moveWorkspace(
    {
      theirs: { address: vendor.address, key: vendor.key },
      ours: { address: world.origin, key: acme.writeKey },
      apply: true,
      ...more,
    },
    { clock: { ...world.clock, wait: async () => undefined }, fetch, say: (line) => void lines.push(line) },
  )
}

test('a rehearsal tells what would be made and changes nothing', async () => {
  const before = await everything(world, ['compat_number', 'compat_sequence'])
  const { made, there, left } = await run({ apply: false })
  expect(await everything(world, ['compat_number', 'compat_sequence'])).toEqual(before)
  expect([made, there]).toEqual([3 + 2 + 5 + 4, 0])
  expect(lines).toContain('would make keyword "Acme Cloud"')
  expect(lines.at(-1)).toContain('--apply')
  expect(left.some((line) => line.startsWith('feed "Gone"'))).toBe(true)
  expect(vendor.asked.every((line) => line.startsWith('GET '))).toBe(true)
})

test('a workspace is moved, and everything that is not is told with its reason', async () => {
  const { left, failed } = await run()
  const keywords = (await acme.api('GET', '/v1/keywords?sort=oldest')).body.data
  expect(keywords.map(({ term }: { term: string }) => term)).toEqual(['Acme Cloud', 'paused one', 'part of words'])
  expect(keywords[0]).toMatchObject({
    kind: 'competitor',
    context: 'Anvils.',
    platforms: ['reddit', 'x', 'instagram'],
    matching: { requiredTerms: ['anvil'], requiredMode: 'any', excludedTerms: ['jobs', 'hir*'] },
  })
  expect(keywords[1]).toMatchObject({ muted: true, platforms: ['x', 'instagram'] })
  const views = (await acme.api('GET', '/v1/views')).body.data
  expect(views.map(({ name, filter }: { name: string; filter: object }) => [name, filter])).toEqual([
    ['Cloud', { keywordIds: [keywords[0].id], sentiments: ['negative'] }],
    ['Everything', {}],
  ])
  expect((await acme.api('GET', '/v1/filters')).body).toMatchObject({
    excludedTerms: ['jobs'],
    excludedRepos: ['acme/anvil'],
    subreddits: { excluded: ['sales'] },
  })
  expect((await acme.api('GET', '/v1/company')).body).toMatchObject({
    name: 'Acme',
    competitors: ['Bolt'],
    accounts: { x: 'https://x.com/acme' },
  })
  expect(failed).toBe(1)
  const about = (text: string) => left.filter((line) => line.includes(text))
  for (const text of [
    'r/selfhosted',
    'only the firehose',
    'made without firehose',
    'whole phrase',
    'without its context',
    'keyword 903',
    'Bookmarked',
    'mode weekly',
    'mode instant',
    'no repository',
    'domain',
    'competitors',
  ])
    expect(about(text), text).toHaveLength(1)
})

test('a second run finds everything there, and one that broke off continues', async () => {
  await acme.api('POST', '/v1/keywords', { term: 'acme  cloud' })
  await run()
  lines = []
  const { made, failed, there } = await run()
  expect([made, failed]).toEqual([0, 1])
  expect(there).toBeGreaterThan(10)
  expect((await acme.api('GET', '/v1/keywords')).body.total).toBe(3)
  expect((await acme.api('GET', '/v1/views')).body.data).toHaveLength(2)
})

test('a busy vendor is waited for, and refusals end the command with what helps', async () => {
  vendor.busyFor = 3
  expect((await run({ apply: false })).made).toBeGreaterThan(0)
  await expect(run({ theirs: { address: vendor.address, key: 'ak_wrong' } })).rejects.toThrow('UNAUTHORIZED')
  await expect(run({ ours: { address: world.origin, key: 'ref_wrong' } })).rejects.toThrow('The workspace here')
  await expect(run({ theirs: { address: vendor.address } })).rejects.toThrow('--key')
  await expect(run({ ours: { address: world.origin } })).rejects.toThrow('--to-key')
  await expect(run({ theirs: { address: 'nonsense', key: 'x' } })).rejects.toThrow('not an http')
  await vendor.close()
  await expect(run()).rejects.toThrow('does not answer')
  vendor = await startOctolens({ keywords: [], feeds: [], filters: {}, company: {} })
})

test('a workspace of another form than documented is refused before anything is made', async () => {
  await vendor.close()
  vendor = await startOctolens({ keywords: [{ id: 'one' }], feeds: [], filters: {}, company: {} })
  await expect(run()).rejects.toThrow('another form than documented')
  expect((await acme.api('GET', '/v1/keywords')).body.total).toBe(0)
})
