import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { madeUpPost } from '../../../../test/makers.ts'
import type { TestKeyword } from '../../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../../test/use-world.ts'
import { updateMention } from '../../../commands/mentions/update-mention.ts'
import type { Intent } from '../../../domain/mention/classification.ts'
import { DAY_MS, MINUTE_MS, plus } from '../../../kernel/clock.ts'
import { compatOf, makeKeyword, makeMention, type Row, sourceId } from '../compat.suite.ts'
import { asksRelevance, type Facts, type Filter, filterArbitrary, shows } from './evaluated.suite.ts'

const SEED = Number(process.env['COMPAT_SEED'] ?? Math.trunc(Math.random() * 2 ** 31))
const MENTIONS = 90

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
const known = new Map<string, Facts>()
let numbers: number[]
let days: string[]

beforeAll(async () => {
  const keywords = [await makeKeyword(acme), await makeKeyword(acme), await makeKeyword(acme)]
  numbers = []
  for (const keyword of keywords) numbers.push(await compatOf(acme).numberOf(keyword))
  days = [-20, -8].map((back) => plus(world.clock.now(), back * DAY_MS).toISOString())
  const drawn = fc.sample(factsArbitrary(numbers), { numRuns: MENTIONS, seed: SEED })
  for (const facts of drawn) known.set(await storeMention(facts, keywords[numbers.indexOf(facts.keyword)]!), facts)
})

function factsArbitrary(keywords: readonly number[]): fc.Arbitrary<Facts> {
  const now = world.clock.now().getTime()
  return fc.record({
    platform: fc.constantFrom<Facts['platform']>('x', 'devto', 'bluesky', 'reddit', 'reddit', 'github'),
    isReply: fc.boolean(),
    keyword: fc.constantFrom(...keywords),
    relevance: fc.oneof(fc.constant(null), fc.constantFrom(0, 39, 40, 69, 70, 100), fc.integer({ min: 0, max: 100 })),
    sentiment: fc.constantFrom<'positive' | 'neutral' | 'negative'>('positive', 'neutral', 'negative'),
    language: fc.constantFrom(null, 'en', 'de', 'fr'),
    tags: fc.uniqueArray(fc.constantFrom<Intent>('pricing', 'question', 'event'), { maxLength: 2 }),
    followers: fc.constantFrom(null, 0, 50, 200, 500, 5000),
    status: fc.constantFrom<Facts['status']>('open', 'open', 'done', 'ignored'),
    likes: fc.constant(null),
    publishedAt: fc.integer({ min: 0, max: 30 }).map((day) => now - day * DAY_MS),
  })
}

/** Stores a mention with these facts; an unscored one has neither sentiment nor tags. */
async function storeMention(facts: Facts, keyword: TestKeyword): Promise<string> {
  const at = world.clock.now()
  const change = {
    platform: facts.platform,
    replyTo: facts.isReply ? { author: null, url: null, text: null } : null,
    publishedAt: new Date(facts.publishedAt),
    author: { ...madeUpPost(at, '').author!, followers: facts.followers },
  }
  const { relevance, sentiment, language, tags } = facts
  const verdict = relevance === null ? null : { relevance, sentiment: sentiment!, language, intents: [...tags] }
  const made = await makeMention(world, keyword, change, verdict)
  if (relevance === null) Object.assign(facts, { sentiment: null, tags: [], language: null })
  if (facts.status !== 'open')
    await updateMention(acme, { kind: 'api_key', id: acme.workspaceId }, made.mentionId, { status: facts.status })
  return sourceId(made)
}

async function found(filters: Filter, includeAll: boolean): Promise<string[] | number> {
  const { status, body } = await compatOf(acme).call('POST', '/mentions', { filters, includeAll, limit: 100 })
  if (status !== 200) return status
  return body.data.map((row: Row) => row.sourceId).sort()
}

function wanted(filters: Filter, includeAll: boolean): string[] {
  const floor = includeAll || asksRelevance(filters) ? () => true : (facts: Facts) => (facts.relevance ?? 0) >= 40
  return [...known].flatMap(([id, facts]) => (floor(facts) && shows(filters, facts) ? [id] : [])).sort()
}

test('the list shows exactly what the filter says, or refuses it', { timeout: 300_000 }, async () => {
  let [refused, nonempty] = [0, 0]
  await fc.assert(
    fc.asyncProperty(filterArbitrary(numbers, days), fc.boolean(), async (filters, includeAll) => {
      await world.clock.advance(MINUTE_MS / 300)
      const answer = await found(filters, includeAll)
      if (answer === 501) refused += 1
      else {
        const expected = wanted(filters, includeAll)
        expect(answer).toEqual(expected)
        if (expected.length > 0) nonempty += 1
      }
    }),
    { numRuns: 400, seed: SEED },
  )
  // Most can be said, and most of those find something.
  expect(refused).toBeLessThan(120)
  expect(nonempty).toBeGreaterThan(120)
})
