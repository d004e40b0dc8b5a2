import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store, type TestKeyword, VERDICT } from '../../../test/mentions.ts'
import { createPerson, type Person } from '../../../test/people.ts'
import { changeMention, liftWelcomeLimits, makeAuthor } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { recordScores } from '../../commands/mentions/record-scores.ts'
import { INTENTS, SENTIMENTS } from '../../domain/mention/classification.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import { PLATFORMS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import { rowOfScored } from './mention-rows.ts'
import { mentionFromRow } from './mention-shape.ts'
import { readMentions } from './read-mentions.ts'

let keywords: TestKeyword[]
let ada: Person
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  ada = await createPerson(acme, acme.workspaceId, 'member')
  // Neither the limit nor the noise brake of the welcome credit may stop keywords whose mentions are scored at random.
  await liftWelcomeLimits(world)
  const groupId = stored('grp', await acme.group('Rockets “東京”'))
  keywords = [
    await makeKeyword(acme),
    await makeKeyword(acme, { groupId, kind: 'competitor', context: 'Not the salad.' }),
  ]
})

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
  app: orNull(
    fc.record({
      platform: fc.constantFrom('appstore' as const, 'googleplay' as const),
      id: text,
      url: fc.constant('https://apps.example/1'),
    }),
  ),
})
const post: fc.Arbitrary<Partial<Post>> = fc.record({
  platform: fc.constantFrom(...PLATFORMS),
  url: text.map((value) => `https://example.com/${encodeURIComponent(value)}`),
  title: orNull(text),
  text,
  imageUrl: orNull(fc.constant('https://example.com/a.png')),
  links: fc.uniqueArray(fc.constantFrom('https://a.example/', 'https://b.example/"{,}', 'https://c.example/\\'), {
    maxLength: 3,
  }),
  publishedAt: time,
  languageHint: orNull(fc.constantFrom('en', 'zh')),
  engagement: orNull(
    fc.record({ likes: count, reposts: count, replies: count, quotes: count, views: count, bookmarks: count }),
  ),
  replyTo: orNull(
    fc.record({ author: orNull(text), url: orNull(fc.constant('https://example.com/b')), text: orNull(text) }),
  ),
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

/** What the team does between the match and the score; null for nothing, as nearly always. */
const early = orNull(
  fc.record({
    assigned: fc.boolean(),
    snoozedMs: orNull(fc.integer({ min: -HOUR_MS, max: HOUR_MS })),
    note: orNull(text.filter((value) => value !== '')),
  }),
)
/** What the team says of the author: nothing, tags, or that the account is part of somebody else. */
const known = orNull(
  fc.record({ tags: fc.uniqueArray(fc.constantFrom('vip', 'Press', 'été'), { maxLength: 3 }), merged: fc.boolean() }),
)

async function makeKnown(mention: NewMention, { tags, merged }: { tags: string[]; merged: boolean }): Promise<void> {
  const { workspaceId, post } = mention
  const account = accountIdOf(workspaceId, post.platform, post.author)
  if (account === null) return
  const personId = merged ? newUuid(world.clock.now()) : account
  await makeAuthor(world, workspaceId, personId, { tags, accounts: [{ id: account, platform: 'bluesky' }] })
}

async function triageEarly(
  mention: NewMention,
  { assigned, snoozedMs, note }: { assigned: boolean; snoozedMs: number | null; note: string | null },
): Promise<void> {
  await changeMention(world, mention.mentionId, {
    assigneeId: assigned ? ada.userId : null,
    snoozedUntil: snoozedMs === null ? null : plus(world.clock.now(), snoozedMs),
    triageNote: note,
  })
}

test('a mention sent from memory is, to the letter, the one that the database would answer', async () => {
  await fc.assert(
    fc.asyncProperty(post, verdict, fc.nat(1), early, known, async (change, given, at, triage, person) => {
      const [made] = await store(world, [matchedBy(makePost(world, change), [keywords[at]!])])
      if (triage) await triageEarly(made!, triage)
      if (person) await makeKnown(made!, person)
      const scoredAt = world.clock.now()
      const score = { mention: made!, verdict: given && { ...VERDICT, ...given }, authorKeys: [] }
      const { written } = await world.db.transaction((tx) => recordScores(tx, [score], { at: scoredAt, metered: true }))
      const read = (await readMentions(world.db, [made!], world.clock.now())).get(made!.mentionId)
      const remembered = mentionFromRow(rowOfScored(written[0]!, scoredAt), world.clock.now())
      expect(remembered).toEqual(read)
      expect(JSON.stringify(remembered)).toBe(JSON.stringify(read))
    }),
    { numRuns: 120 },
  )
})
