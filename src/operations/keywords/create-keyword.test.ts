import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { changeWallet, makeUsageDay } from '../../../test/rows.ts'
import { useWorld } from '../../../test/use-world.ts'
import { type ApiAnswer, stored, type TestWorkspace } from '../../../test/world.ts'
import { createKeyword } from '../../commands/keywords/create-keyword.ts'
import { SEARCH_PLATFORMS } from '../../domain/platform/platforms.ts'
import { sql } from '../../store/database.ts'

let acme: TestWorkspace
let made = 0
const world = useWorld()
beforeAll(async () => {
  acme = await workspace()
})

async function workspace(): Promise<TestWorkspace> {
  made += 1
  return world.workspace(`Workspace ${made}`)
}

const create = (body: unknown, workspace = acme): Promise<ApiAnswer> => workspace.api('POST', '/v1/keywords', body)
const told = ({ status, body }: ApiAnswer) => [status, body.error?.code, body.error?.message]

/** A term that no other test uses. */
const term = () => `term ${randomUUID()}`
const PAGE = 'https://apps.apple.com/de/app/acme/id123456789'

test('a term alone makes a brand that is looked for everywhere under the welcome limit', async () => {
  const { status, body } = await create({ term: '  Acme \n Notes ' })
  const groups = await acme.api('GET', '/v1/groups')
  const { id, name } = groups.body.data[0]
  expect(status).toBe(201)
  expect(body).toEqual({
    hints: [],
    id: expect.stringMatching(/^kw_[0-9a-z]{26}$/),
    term: 'Acme Notes',
    kind: 'brand',
    muted: false,
    pausedForBalance: false,
    pausedForNoise: false,
    pausedForCap: false,
    cap: { mentions: 200, welcome: true, own: null },
    group: { id, name, externalId: null, isDefault: true },
    platforms: null,
    reviewSources: [],
    context: null,
    matching: { requiredTerms: [], requiredMode: 'any', excludedTerms: [], excludedAuthors: [], caseSensitive: false },
    stats: {
      mentions: 0,
      relevant: 0,
      last7d: 0,
      thisMonth: 0,
      lastMentionAt: null,
      feedback: { relevant: 0, notRelevant: 0 },
      noise: { scored: 0, relevant: 0, noisy: false },
      health: 'new',
      cost: { keywordDays: 0, keywordCents: 0, billableMentions: 0, mentionCents: 0, totalCents: 0 },
    },
    polling: [],
    createdAt: world.clock.now().toISOString(),
  })
  const { hints: _, ...shown } = body
  expect((await acme.api('GET', `/v1/keywords/${body.id}`)).body).toEqual(shown)
})

test('everything that can be said is kept', async () => {
  const groupId = await acme.group('Rockets')
  const matching = {
    requiredTerms: ['  launch \n pad ', 'orbit'],
    requiredMode: 'all',
    excludedTerms: ['deploy*', '*bot'],
    excludedAuthors: ['@Somebody', 'https://x.com/acme'],
    caseSensitive: true,
  }
  const { status, body } = await create({
    term: 'Rocket',
    kind: 'competitor',
    groupId,
    muted: true,
    platforms: ['x', 'bluesky', 'x'],
    context: ' Not the salad.\nThe vehicle. ',
    matching,
    cap: { mentions: 50 },
    reviewSources: [
      { url: PAGE, countries: ['DE', 'uk', 'de'] },
      { platform: 'googleplay', id: 'com.acme.notes', language: 'pt_br' },
      { platform: 'trustpilot', id: 'acme.com' },
    ],
    requestId: randomUUID(),
  })
  const connectedAt = world.clock.now().toISOString()
  expect(status).toBe(201)
  expect(body).toMatchObject({
    term: 'Rocket',
    kind: 'competitor',
    muted: true,
    pausedForBalance: false,
    cap: { mentions: 50, welcome: true, own: 50 },
    group: { id: groupId, name: 'Rockets', externalId: null, isDefault: false },
    platforms: ['x', 'bluesky'],
    context: 'Not the salad.\nThe vehicle.',
    matching: { ...matching, requiredTerms: ['launch pad', 'orbit'] },
    stats: { health: 'paused' },
  })
  expect(body.reviewSources).toEqual([
    {
      platform: 'appstore',
      id: '123456789',
      url: 'https://apps.apple.com/de/app/id123456789',
      countries: ['de', 'gb'],
      language: null,
      connectedAt,
    },
    {
      platform: 'googleplay',
      id: 'com.acme.notes',
      url: 'https://play.google.com/store/apps/details?id=com.acme.notes',
      countries: ['us'],
      language: 'pt-BR',
      connectedAt,
    },
    {
      platform: 'trustpilot',
      id: 'acme.com',
      url: 'https://www.trustpilot.com/review/acme.com',
      countries: [],
      language: null,
      connectedAt,
    },
  ])
})

describe('the limit under the welcome credit', () => {
  test.each([
    [{ mentions: 1 }, { mentions: 1, welcome: true, own: 1 }],
    [{ mentions: 200 }, { mentions: 200, welcome: true, own: null }],
    [{ mentions: 5000 }, { mentions: 200, welcome: true, own: 5000 }],
    [null, { mentions: 200, welcome: true, own: null }],
  ])('%j becomes %j', async (cap, shown) => {
    expect((await create({ term: term(), cap })).body.cap).toEqual(shown)
  })

  test('does not exist on an unmetered installation', async () => {
    const item = { ...(await workspace()), billing: 'unmetered' as const }
    const input = { kind: 'brand' as const, muted: false, platforms: null, context: null, reviewSources: [] }
    expect(await createKeyword(item, { ...input, term: 'none', cap: null })).toMatchObject({ cap: null })
    expect(await createKeyword(item, { ...input, term: 'chosen', cap: { mentions: 200 } })).toMatchObject({
      cap: { mentions: 200, welcome: false, own: 200 },
    })
  })
})

describe('the same term', () => {
  test.each(['Taken Term', 'TAKEN TERM', ' taken  term ', 'ｔａｋｅｎ　ｔｅｒｍ', 'taken\u00a0term'])(
    'as %j is refused in its group',
    async (same) => {
      await create({ term: 'Taken Term' })
      expect(told(await create({ term: same })).slice(0, 2)).toEqual([409, 'duplicate_keyword'])
    },
  )

  test('is free in another group and another workspace', async () => {
    await create({ term: 'Shared' })
    expect((await create({ term: 'Shared', groupId: await acme.group('Another') })).status).toBe(201)
    expect((await create({ term: 'Shared' }, await workspace())).status).toBe(201)
  })

  test('made by several at once becomes one', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => create({ term: 'Race' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })
})

describe('what a workspace may have', () => {
  test('is 500 keywords, muted ones among them', async () => {
    const acme = await workspace()
    const { workspaceId } = acme
    await world.db.query(sql`
      insert into keyword (workspace_id, id, group_id, term, term_folded, kind, required_terms, required_mode,
        excluded_terms, excluded_authors, excluded_author_keys, case_sensitive, muted, created_at, judged_since)
      select ${workspaceId}, gen_random_uuid(), g.id, 'k' || n, 'k' || n, 'topic', '{}', 'any', '{}', '{}', '{}', false,
        true, now(), now()
      from keyword_group g, generate_series(1, 499) n where g.workspace_id = ${workspaceId}`)
    expect((await create({ term: 'The 500th' }, acme)).status).toBe(201)
    expect(told(await create({ term: 'The 501st', muted: true }, acme)).slice(0, 2)).toEqual([
      402,
      'keyword_limit_reached',
    ])
  })

  test('needs a balance that pays another day of what runs and of the new one', async () => {
    const acme = await workspace()
    await create({ term: 'first' }, acme)
    await changeWallet(world, acme.workspaceId, { balanceUnits: 999 })
    expect(told(await create({ term: 'second' }, acme)).slice(0, 2)).toEqual([402, 'insufficient_balance'])
    expect((await create({ term: 'muted', muted: true }, acme)).status).toBe(201)
    await changeWallet(world, acme.workspaceId, { balanceUnits: 1000 })
    expect((await create({ term: 'second' }, acme)).status).toBe(201)
  })

  test('counts mentions that are scored but not settled as spent', async () => {
    const acme = await workspace()
    const { body } = await create({ term: 'first' }, acme)
    const keywordId = stored('kw', body.id)
    await makeUsageDay(world, { workspaceId: acme.workspaceId, day: '2026-11-20', keywordId, mentionUnits: 16401 })
    expect(told(await create({ term: 'second' }, acme)).slice(0, 2)).toEqual([402, 'insufficient_balance'])
  })

  test('is never more than the balance pays, however many are made at once', async () => {
    const acme = await workspace()
    await changeWallet(world, acme.workspaceId, { balanceUnits: 1499 })
    const answers = await Promise.all([1, 2, 3, 4, 5].map((at) => create({ term: `race ${at}` }, acme)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 402, 402, 402])
  })
})

describe('a requestId', () => {
  test('gives the first answer again and makes nothing more', async () => {
    const body = { term: term(), requestId: randomUUID() }
    const first = await create(body)
    world.clock.set(new Date(world.clock.now().getTime() + 1000))
    expect(await create({ ...body }).then(({ status, body }) => [status, body])).toEqual([201, first.body])
  })

  test('of several at once makes one', async () => {
    const body = { term: term(), requestId: randomUUID() }
    const answers = await Promise.all([1, 2, 3].map(() => create(body)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  })

  test('under another body is refused, and after a refusal is free again', async () => {
    const requestId = randomUUID()
    const first = { term: term(), requestId }
    await create(first)
    expect(told(await create({ ...first, kind: 'topic' })).slice(0, 2)).toEqual([409, 'request_conflict'])
    const other = randomUUID()
    expect((await create({ term: first.term, requestId: other })).body.error.code).toBe('duplicate_keyword')
    expect((await create({ term: term(), requestId: other })).status).toBe(201)
  })
})

test('a group that the workspace has not is not found', async () => {
  const foreign = await (await workspace()).group('Foreign')
  expect(told(await create({ term: term(), groupId: foreign })).slice(0, 2)).toEqual([404, 'not_found'])
})

test('review pages alone are enough', async () => {
  const { status, body } = await create({ term: term(), platforms: [], reviewSources: [{ url: PAGE }] })
  expect([status, body.platforms, body.reviewSources[0].countries]).toEqual([201, [], ['de']])
})

test.each([
  [{}, 'term: is required'],
  [{ term: 5 }, 'term: must be text'],
  [{ term: ' a ' }, 'term: must have at least 2 characters'],
  [{ term: 'x'.repeat(81) }, 'term: must have at most 80 characters'],
  [{ term: '...' }, 'term: must contain a letter, a digit or a symbol'],
  [{ term: '\u200b\u200b\u200b' }, 'term: must contain a letter, a digit or a symbol'],
  [{ term: 'ok', kind: 'person' }, 'kind: must be one of brand, competitor, topic'],
  [{ term: 'ok', groupId: 'grp_1' }, 'groupId: must be an id that starts with grp_'],
  [{ term: 'ok', muted: 'yes' }, 'muted: must be true or false'],
  [{ term: 'ok', platforms: 'x' }, 'platforms: must be a list'],
  [{ term: 'ok', platforms: ['myspace'] }, `platforms.0: must be one of ${SEARCH_PLATFORMS.join(', ')}`],
  [{ term: 'ok', platforms: ['appstore'] }, /^platforms\.0: must be one of /],
  [{ term: 'ok', platforms: [] }, 'platforms: an empty list needs reviewSources: the keyword would collect nothing'],
  [{ term: 'ok', context: 'x'.repeat(301) }, 'context: must have at most 300 characters'],
  [{ term: 'ok', cap: 5 }, 'cap: must be an object'],
  [{ term: 'ok', cap: {} }, 'cap.mentions: is required'],
  [{ term: 'ok', cap: { mentions: 0 } }, 'cap.mentions: must be at least 1'],
  [{ term: 'ok', cap: { mentions: 1_000_001 } }, 'cap.mentions: must be at most 1000000'],
  [{ term: 'ok', cap: { mentions: 1e20 } }, 'cap.mentions: must be at most 1000000'],
  [{ term: 'ok', cap: { mentions: 1.5 } }, 'cap.mentions: must be a whole number'],
  [{ term: 'ok', matching: { requiredMode: 'some' } }, 'matching.requiredMode: must be one of any, all'],
  [{ term: 'ok', matching: { requiredTerms: [''] } }, 'matching.requiredTerms.0: must not be empty'],
  [
    { term: 'ok', matching: { requiredTerms: ['x'.repeat(81)] } },
    'matching.requiredTerms.0: must have at most 80 characters',
  ],
  [
    { term: 'ok', matching: { requiredTerms: ['a', '\u200b'] } },
    'matching.requiredTerms.1: must contain more than a wildcard',
  ],
  [
    { term: 'ok', matching: { requiredTerms: Array.from({ length: 51 }, () => 'x') } },
    'matching.requiredTerms: must have at most 50 entries',
  ],
  [
    { term: 'ok', matching: { excludedTerms: ['a', '*'] } },
    'matching.excludedTerms.1: must contain more than a wildcard',
  ],
  [
    { term: 'ok', matching: { excludedTerms: Array.from({ length: 51 }, () => 'x') } },
    'matching.excludedTerms: must have at most 50 entries',
  ],
  [
    { term: 'ok', matching: { excludedAuthors: ['x'.repeat(501)] } },
    'matching.excludedAuthors.0: must have at most 500 characters',
  ],
  [
    { term: 'ok', matching: { excludedAuthors: Array.from({ length: 101 }, () => 'x') } },
    'matching.excludedAuthors: must have at most 100 entries',
  ],
  [{ term: 'ok', matching: { excludedAuthors: ['ok', 'ftp://x/y'] } }, 'matching.excludedAuthors.1: is no web address'],
  [
    { term: 'ok', matching: { excludedAuthors: ['ok', 'https://www.youtube.com/watch?v=abcdefghijk'] } },
    'matching.excludedAuthors.1: this link does not name its author; send the profile link, the @handle or the name',
  ],
  [{ term: 'ok', matching: { caseSensitive: 1 } }, 'matching.caseSensitive: must be true or false'],
  [{ term: 'ok', matching: { mode: 'any' } }, 'matching.mode: is not a field of this operation'],
  [{ term: 'ok', reviewSources: [{}] }, 'reviewSources.0: send either `url`, or `platform` and `id`'],
  [
    { term: 'ok', reviewSources: [{ url: PAGE, id: '123456789' }] },
    'reviewSources.0: send either `url`, or `platform` and `id`',
  ],
  [
    { term: 'ok', reviewSources: [{ platform: 'appstore' }] },
    'reviewSources.0: send either `url`, or `platform` and `id`',
  ],
  [
    { term: 'ok', reviewSources: [{ platform: 'appstore', id: 'acme' }] },
    'reviewSources.0.id: is not an id of appstore',
  ],
  [
    { term: 'ok', reviewSources: [{ platform: 'x', id: 'acme' }] },
    'reviewSources.0.platform: must be one of appstore, googleplay, trustpilot, googlemaps',
  ],
  [
    { term: 'ok', reviewSources: [{ url: 'https://example.com/' }] },
    'reviewSources.0.url: is not a review page of the App Store, Google Play, Trustpilot or Google Maps',
  ],
  [
    { term: 'ok', reviewSources: [{ url: PAGE }, { url: 'https://maps.app.goo.gl/abc' }] },
    'reviewSources.1.url: is a link that is followed only where googlemaps is set up, which it is not on this installation; open it and send the address of the page',
  ],
  [
    { term: 'ok', reviewSources: [{ url: `${PAGE}?${'x'.repeat(500)}` }] },
    'reviewSources.0.url: must have at most 500 characters',
  ],
  [
    { term: 'ok', reviewSources: [{ platform: 'appstore', id: 'x'.repeat(201) }] },
    'reviewSources.0.id: must have at most 200 characters',
  ],
  [{ term: 'ok', reviewSources: [{ url: PAGE, countries: ['deu'] }] }, /^reviewSources\.0\.countries\.0: /],
  [{ term: 'ok', reviewSources: [{ url: PAGE, countries: [] }] }, 'reviewSources.0.countries: must not be empty'],
  [
    { term: 'ok', reviewSources: [{ url: PAGE, countries: Array.from({ length: 21 }, () => 'de') }] },
    'reviewSources.0.countries: must have at most 20 entries',
  ],
  [
    { term: 'ok', reviewSources: [{ platform: 'trustpilot', id: 'acme.com', countries: ['de'] }] },
    'reviewSources.0.countries: does not apply to trustpilot',
  ],
  [
    { term: 'ok', reviewSources: [{ platform: 'appstore', id: '123456789', countries: [] }] },
    'reviewSources.0.countries: must not be empty',
  ],
  [
    { term: 'ok', reviewSources: [{ platform: 'googleplay', id: 'com.acme.notes', language: null }] },
    'reviewSources.0.language: must be text',
  ],
  [
    { term: 'ok', reviewSources: [{ url: PAGE, platform: 'appstore', id: '987654321' }] },
    'reviewSources.0: send either `url`, or `platform` and `id`',
  ],
  [
    { term: 'ok', reviewSources: [{ url: PAGE, language: 'de' }] },
    'reviewSources.0.language: does not apply to appstore',
  ],
  [
    { term: 'ok', reviewSources: [{ platform: 'googleplay', id: 'com.acme.notes', language: '12' }] },
    'reviewSources.0.language: must be a language such as de or pt-BR',
  ],
  [
    { term: 'ok', reviewSources: [{ url: PAGE }, { platform: 'appstore', id: '123456789' }] },
    'reviewSources.1: is already in the list',
  ],
  [
    {
      term: 'ok',
      reviewSources: Array.from({ length: 11 }, (_, at) => ({ platform: 'appstore', id: `12345678${10 + at}` })),
    },
    'reviewSources: must have at most 10 entries',
  ],
  [{ term: 'ok', requestId: 'mine' }, 'requestId: must be a UUID'],
  [{ term: 'ok', pausedForCap: false }, 'pausedForCap: is not a field of this operation'],
  [[], 'body: must be an object'],
])('%j is refused by naming the field', async (body, message) => {
  expect(told(await create(body))).toEqual([
    400,
    'validation_error',
    typeof message === 'string' ? message : expect.stringMatching(message),
  ])
})

test('lengths count characters, not their halves', async () => {
  expect((await create({ term: '🦊'.repeat(80), context: '🦊'.repeat(300) })).status).toBe(201)
})
