import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store, type TestKeyword, VERDICT } from '../../../test/mentions.ts'
import { createWorld, stored, type TestWorkspace, type World } from '../../../test/world.ts'
import { INTENTS, SENTIMENTS } from '../../domain/mention/classification.ts'
import { PLATFORMS } from '../../domain/post/platform.ts'
import type { Post } from '../../domain/post/post.ts'
import { recordScores } from '../../store/scores.ts'
import { mentionFromRow, readMentions, rowOfScored } from './mention-shape.ts'

let world: World
let acme: TestWorkspace
let keywords: TestKeyword[]
beforeAll(async () => {
  world = await createWorld()
  acme = await world.workspace('Acme')
  const groupId = stored('grp', await acme.group('Rockets “東京”'))
  keywords = [await makeKeyword(acme), await makeKeyword(acme, { groupId, kind: 'competitor', context: 'Not the salad.' })]
})
afterAll(() => world.close())

const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null })
/** Text as collectors hand it over: no control characters, no halves of characters. */
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => value.replace(/[\p{Cc}\p{Cs}]/gu, ' '))
const count = orNull(fc.oneof(fc.nat(5_000_000), fc.constantFrom(0, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER)))
const time = fc.date({ min: new Date('2001-01-01'), max: new Date('2026-11-20'), noInvalidDate: true })

const review = fc.record({
  rating: fc.integer({ min: 1, max: 5 }),
  ratingMax: fc.constant(5),
  title: orNull(text),
  version: orNull(text),
  country: orNull(fc.constantFrom('us', 'de')),
  verified: orNull(fc.boolean()),
  response: orNull(text),
  responseAt: orNull(time),
  app: orNull(fc.record({ platform: fc.constantFrom('appstore' as const, 'googleplay' as const), id: text, url: fc.constant('https://apps.example/1') })),
})
const post: fc.Arbitrary<Partial<Post>> = fc.record({
  platform: fc.constantFrom(...PLATFORMS),
  url: text.map((value) => `https://example.com/${encodeURIComponent(value)}`),
  title: orNull(text),
  text,
  imageUrl: orNull(fc.constant('https://example.com/a.png')),
  links: fc.uniqueArray(fc.constantFrom('https://a.example/', 'https://b.example/"{,}', 'https://c.example/\\'), { maxLength: 3 }),
  publishedAt: time,
  languageHint: orNull(fc.constantFrom('en', 'zh')),
  engagement: orNull(fc.record({ likes: count, reposts: count, replies: count, quotes: count, views: count, bookmarks: count })),
  replyTo: orNull(fc.record({ author: orNull(text), url: orNull(fc.constant('https://example.com/b')), text: orNull(text) })),
  author: orNull(
    fc.record({
      id: orNull(fc.uuid()),
      name: orNull(text),
      handle: orNull(text),
      url: orNull(fc.constant('https://example.com/c')),
      avatarUrl: orNull(fc.constant('https://example.com/d')),
      followers: count,
      automated: orNull(fc.boolean()),
    }),
  ),
  review: orNull(review),
})
const verdict = orNull(
  fc.record({
    relevance: fc.integer({ min: 0, max: 100 }),
    sentiment: fc.constantFrom(...SENTIMENTS),
    intents: fc.subarray([...INTENTS]),
    automated: fc.boolean(),
    language: orNull(fc.constantFrom('en', 'zh')),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs),
    note: text,
  }),
)

test('a mention sent from memory is, to the letter, the one that the database would answer', async () => {
  await fc.assert(
    fc.asyncProperty(post, verdict, fc.nat(1), async (change, given, at) => {
      const [made] = await store(world, [matchedBy(makePost(world, change), [keywords[at]!])])
      const scoredAt = world.clock.now()
      const score = { mention: made!, verdict: given && { ...VERDICT, ...given }, authorKeys: [] }
      await world.db.transaction((tx) => recordScores(tx, [score], { at: scoredAt, metered: true }))
      const read = (await readMentions(world.db, [made!], world.clock.now())).get(made!.mentionId)
      const remembered = mentionFromRow(rowOfScored(score, scoredAt), world.clock.now())
      expect(remembered).toEqual(read)
      expect(JSON.stringify(remembered)).toBe(JSON.stringify(read))
    }),
    { numRuns: 120 },
  )
})
