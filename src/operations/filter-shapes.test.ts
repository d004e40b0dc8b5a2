import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Filterable, FilterField } from '../domain/filter/field.ts'
import { FILTER_FIELDS, FILTER_NAMES, type MentionFilter } from '../domain/filter/fields.ts'
import { predicateOf } from '../domain/filter/predicate.ts'
import { INTENTS, SENTIMENTS } from '../domain/mention/classification.ts'
import { PLATFORMS } from '../domain/platform/platforms.ts'
import { refuseFields } from '../domain/refusal/refusal.ts'
import { newUuid, toId } from '../kernel/ids.ts'
import { filterToApi } from '../queries/filters/filter-shape.ts'
import {
  filterOut,
  filtersFromQuery,
  mentionFilterQuery,
  ruleFilterIn,
  viewFilterIn,
  viewFilterOut,
} from './filter-shapes.ts'
import { check } from './problems.ts'

const querySchema = z.strictObject(mentionFilterQuery)
const AT = new Date('2026-11-20T09:30:00.000Z')
const [ONE, OTHER] = [newUuid(AT), newUuid(AT)]
const [first, second] = [toId('kw', ONE), toId('kw', OTHER)]

/** What the parameters come to: filters, or the message of their refusal. */
function filtersOf(query: Record<string, unknown>): MentionFilter[] | string {
  const checked = check(querySchema, query, 'parameter')
  return 'problems' in checked ? refuseFields(checked.problems).message : filtersFromQuery(checked.value)
}

/** The one filter that parameters without a single value come to. */
function filterOf(query: Record<string, unknown>): MentionFilter | string {
  const filters = filtersOf(query)
  if (typeof filters === 'string') return filters
  expect(filters.length).toBeLessThanOrEqual(1)
  return filters[0] ?? {}
}

test('every field of the vocabulary is a parameter of lists, and those of rules are fields of their filters', () => {
  expect(Object.keys(mentionFilterQuery)).toEqual([
    ...FILTER_NAMES,
    'keywordId',
    'platform',
    'sentiment',
    'intent',
    'anyOf',
  ])
  const properties = (schema: z.ZodType, io: 'input' | 'output') => {
    const [named] = Object.values(z.toJSONSchema(z.object({ schema }), { io }).$defs ?? {})
    return Object.keys(named?.properties ?? {})
  }
  const ofRules = FILTER_NAMES.filter((name) => (FILTER_FIELDS[name] as FilterField).inRules)
  expect(properties(ruleFilterIn, 'input')).toEqual([...ofRules, 'anyOf'])
  expect(properties(filterOut, 'output')).toEqual([...ofRules, 'anyOf'])
  expect(ofRules.filter((name) => ['q', 'status', 'relevant', 'notKeywordIds', 'notGroupIds'].includes(name))).toEqual(
    [],
  )
  expect(properties(viewFilterIn, 'input')).toEqual([...FILTER_NAMES, 'anyOf'])
  expect(properties(viewFilterOut, 'output')).toEqual([...FILTER_NAMES, 'anyOf'])
})

test('no parameter is no condition', () => {
  expect(filterOf({})).toEqual({})
})

test('lists are repeated or separated by commas, and hold each entry once', () => {
  expect(filterOf({ keywordIds: `${first},${second}` })).toEqual({ keywordIds: [ONE, OTHER] })
  expect(filterOf({ keywordIds: [first, second, first] })).toEqual({ keywordIds: [ONE, OTHER] })
  expect(filterOf({ intents: ['praise,question', 'event'], ratings: '1,2', notLanguages: 'EN,en' })).toEqual({
    intents: ['praise', 'question', 'event'],
    ratings: [1, 2],
    notLanguages: ['en'],
  })
})

test('names of people may hold commas when they are given one by one', () => {
  expect(filterOf({ excludeAuthors: 'Jane, @bob' })).toEqual({ excludeAuthors: ['jane', 'bob'] })
  expect(filterOf({ excludeAuthors: ['Acme, Inc.', 'Jane'] })).toEqual({ excludeAuthors: ['acme, inc.', 'jane'] })
})

test('texts of parameters become numbers and truth', () => {
  expect(
    filterOf({
      relevant: 'false',
      isReply: 'true',
      minRelevance: '39.5',
      minConfidence: '0.7',
      minLikes: '3',
      status: 'open',
    }),
  ).toEqual({
    relevant: false,
    isReply: true,
    minRelevance: 39.5,
    minConfidence: 0.7,
    minLikes: 3,
    status: 'open',
  })
})

test('tools send numbers and truth as they are', () => {
  expect(filterOf({ relevant: false, minRelevance: 39.5, ratings: [1, 2] })).toEqual({
    relevant: false,
    minRelevance: 39.5,
    ratings: [1, 2],
  })
})

test('counts are compared with any number from zero on', () => {
  expect(filterOf({ minLikes: '.5', minViews: '3e9', maxFollowers: '12345678901234500e-4' })).toEqual({
    minLikes: 0.5,
    minViews: 3e9,
    maxFollowers: 1234567890123.45,
  })
})

test('hosts are taken out of addresses', () => {
  expect(filterOf({ linkHosts: 'https://Example.com:8080/a?b#c, *.example.org, bücher.example' })).toEqual({
    linkHosts: ['example.com', 'example.org', 'xn--bcher-kva.example'],
  })
})

test('anyOf is JSON, in text or as it is', () => {
  const groups = [{ keywordIds: [first], minLikes: 5 }, { status: 'done' }]
  const anyOf = [{ keywordIds: [ONE], minLikes: 5 }, { status: 'done' }]
  expect(filterOf({ anyOf: JSON.stringify(groups) })).toEqual({ anyOf })
  expect(filterOf({ anyOf: groups })).toEqual({ anyOf })
})

test('words to search for are cleaned, and must be there', () => {
  expect(filterOf({ q: '  rocket \n launch ' })).toEqual({ q: 'rocket launch' })
})

test('tags are taken exactly, and may hold commas when they are given one by one', () => {
  expect(filterOf({ tags: 'VIP, press' })).toEqual({ tags: ['VIP', 'press'] })
  expect(filterOf({ notTags: ['a, b', 'A, b'] })).toEqual({ notTags: ['a, b', 'A, b'] })
})

test('a single value is a condition of its own beside its list', () => {
  expect(filtersOf({ keywordId: first, platform: 'x', sentiment: 'negative', intent: 'praise' })).toEqual([
    { keywordIds: [ONE], platforms: ['x'], sentiments: ['negative'], intents: ['praise'] },
  ])
  expect(filtersOf({ keywordId: first, keywordIds: `${first},${second}` })).toEqual([
    { keywordIds: [ONE, OTHER] },
    { keywordIds: [ONE] },
  ])
})

test('a parameter in the singular takes several values too', () => {
  expect(
    filtersOf({
      keywordId: [first, second],
      platform: 'x,reddit',
      sentiment: ['negative', 'neutral'],
      intent: 'praise,question',
    }),
  ).toEqual([
    {
      keywordIds: [ONE, OTHER],
      platforms: ['x', 'reddit'],
      sentiments: ['negative', 'neutral'],
      intents: ['praise', 'question'],
    },
  ])
  expect(filtersOf({ status: 'open,done', q: 'word' })).toEqual([
    { q: 'word' },
    { anyOf: [{ status: 'open' }, { status: 'done' }] },
  ])
  expect(filtersOf({ status: ['open', 'open'] })).toEqual([{ status: 'open' }])
})

test('a view is saved with every key, as JSON has it', () => {
  const sent = {
    q: 'rocket',
    status: 'open',
    relevant: false,
    notKeywordIds: [first],
    tags: ['VIP'],
    anyOf: [{ q: 'launch' }, { notGroupIds: [toId('grp', OTHER)] }],
  }
  const stored = {
    q: 'rocket',
    status: 'open',
    relevant: false,
    notKeywordIds: [ONE],
    tags: ['VIP'],
    anyOf: [{ q: 'launch' }, { notGroupIds: [OTHER] }],
  }
  expect(viewFilterIn.parse(sent)).toEqual(stored)
  expect(viewFilterOut.parse(filterToApi(stored as MentionFilter))).toEqual(sent)
  expect(viewFilterIn.safeParse({ relevant: 'true' }).success).toBe(false)
  expect(viewFilterIn.safeParse({ q: ' ' }).success).toBe(false)
})

test.each([
  [{ keywordIds: '' }, 'keywordIds: must not be empty'],
  [{ keywordIds: Array(51).fill(first) }, 'keywordIds: must have at most 50 entries'],
  [{ keywordKinds: 'brand,topic,brand,topic' }, 'keywordKinds: must have at most 3 entries'],
  [{ ratings: '0' }, 'ratings: must be at least 1'],
  [{ excludeAuthors: Array(201).fill('jane') }, 'excludeAuthors: must have at most 200 entries'],
  [{ excludeAuthors: 'x'.repeat(501) }, 'excludeAuthors: must have at most 500 characters'],
  [{ linkHosts: 'a b' }, 'linkHosts: must be a host name, such as example.com'],
  [{ minLikes: '1e16' }, 'minLikes: must be at most 1000000000000000'],
  [{ minLikes: '-1' }, 'minLikes: must be at least 0'],
  [{ q: 'x'.repeat(201) }, 'q: must have at most 200 characters'],
  [{ tags: 'x'.repeat(41) }, 'tags: must have at most 40 characters'],
  [{ notTags: Array(21).fill('vip') }, 'notTags: must have at most 20 entries'],
  [{ relevant: 'yes' }, 'relevant: must be true or false'],
  [{ anyOf: '{' }, 'anyOf: must be a JSON array'],
  [{ anyOf: '{}' }, 'anyOf: must be a list'],
  [{ anyOf: '[]' }, 'anyOf: must not be empty'],
  [{ '': 'x' }, 'query: has a parameter without a name'],
  [{ ['constructor']: 'x' }, 'constructor: is not a parameter of this operation'],
  [{ anyOf: '[{"minLikes":"1"}]' }, 'anyOf.0.minLikes: must be a number'],
  [{ anyOf: '[{"nonsense":1}]' }, 'anyOf.0.nonsense: is not a parameter of this operation'],
  [{ anyOf: '[{}]' }, 'anyOf.0: must hold at least one condition'],
  [{ anyOf: '[{"minLikes":1,"anyOf":[{"minLikes":1}]}]' }, 'anyOf.0.anyOf: is not a parameter of this operation'],
  [{ anyOf: JSON.stringify(Array(11).fill({ minLikes: 1 })) }, 'anyOf: must have at most 10 entries'],
])('%j is refused by naming the parameter', (query, message) => {
  expect(filterOf(query)).toMatch(message)
})

test('hostile texts are refused, and quickly', () => {
  for (const hostile of [
    'a.'.repeat(250),
    '-'.repeat(500),
    '@'.repeat(500),
    `http://${'a'.repeat(480)}`,
    '\u0000',
    '%',
    '__proto__',
  ])
    for (const field of ['linkHosts', 'excludeAuthors', 'languages', 'keywordIds']) {
      const filter = filterOf({ [field]: [hostile] })
      expect(typeof filter === 'string' || Object.keys(filter).length === 1).toBe(true)
    }
})

test('a filter is shown with the ids that were sent, in its groups too', () => {
  const filter = filterToApi({
    keywordIds: [ONE],
    minLikes: 1,
    excludeAuthors: ['jane'],
    anyOf: [{ keywordIds: [OTHER] }, { ratings: [1] }],
  })
  expect(filter).toEqual({
    keywordIds: [first],
    minLikes: 1,
    excludeAuthors: ['jane'],
    anyOf: [{ keywordIds: [second] }, { ratings: [1] }],
  })
  expect(filterOut.safeParse(filter).success).toBe(true)
})

// Single values beside lists

const INTENT_POOL = INTENTS.slice(0, 4)
const someIntents = fc.subarray(INTENT_POOL, { minLength: 1 })
const searchArbitrary = fc.record(
  {
    intent: fc.constantFrom(...INTENT_POOL),
    intents: someIntents,
    platform: fc.constantFrom(...PLATFORMS.slice(0, 3)),
    platforms: fc.subarray([...PLATFORMS.slice(0, 3)], { minLength: 1 }),
    sentiment: fc.constantFrom(...SENTIMENTS),
    sentiments: fc.subarray([...SENTIMENTS], { minLength: 1 }),
    anyOf: fc.array(
      fc.oneof(
        fc.record({ intents: someIntents }),
        fc.record({ intents: someIntents, minLikes: fc.constant(5) }),
        fc.record({ minLikes: fc.constant(5) }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
)
const mentionArbitrary = fc.record({
  intents: fc.option(fc.subarray(INTENT_POOL)),
  platform: fc.constantFrom(...PLATFORMS.slice(0, 3)),
  sentiment: fc.option(fc.constantFrom(...SENTIMENTS)),
  likes: fc.option(fc.constantFrom(4, 5)),
}) as unknown as fc.Arbitrary<Filterable>

test('a mention passes when it satisfies the single value, the list and a group, each by itself', () => {
  fc.assert(
    fc.property(searchArbitrary, fc.array(mentionArbitrary, { minLength: 20, maxLength: 20 }), (search, mentions) => {
      const filters = filtersOf({ ...search, ...(search.anyOf ? { anyOf: JSON.stringify(search.anyOf) } : {}) })
      if (typeof filters === 'string') throw new Error(filters)
      const { intent, platform, sentiment, ...lists } = search
      const each: MentionFilter[] = [lists as MentionFilter]
      if (intent) each.push({ intents: [intent] })
      if (platform) each.push({ platforms: [platform] })
      if (sentiment) each.push({ sentiments: [sentiment] })
      const wanted = each.map((filter) => predicateOf(filter))
      const asked = filters.map((filter) => predicateOf(filter))
      for (const mention of mentions)
        expect(asked.every((holds) => holds(mention))).toBe(wanted.every((holds) => holds(mention)))
    }),
    { numRuns: 1000 },
  )
})
