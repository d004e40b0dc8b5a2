import { beforeAll, describe, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import { type ApiAnswer, accepted, type TestWorkspace } from '../../../test/world.ts'
import { createChannel } from '../../commands/channels/create-channel.ts'
import { grantCredit } from '../../commands/wallet/grant-credit.ts'
import { DAY_MS } from '../../kernel/clock.ts'
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

/** A workspace with a webhook that hears every event of keywords. */
async function listening(): Promise<TestWorkspace> {
  const acme = await workspace()
  accepted(
    await createChannel(acme, {
      kind: 'webhook',
      url: 'https://receiver.example/',
      events: ['keyword.capped', 'keyword.resumed', 'keyword.paused_for_balance'],
    }),
  )
  return acme
}

function events({ workspaceId }: TestWorkspace) {
  return world.db.query<{ event: string; kind: string; data: Record<string, unknown> }>(
    sql`select event, kind, data from delivery where workspace_id = ${workspaceId} order by id`,
  )
}

const change = (keyword: TestKeyword, body: unknown, workspace = acme): Promise<ApiAnswer> =>
  workspace.api('PATCH', `/v1/keywords/${keyword.shown.id}`, body)
const told = ({ status, body }: ApiAnswer) => [status, body.error?.code, body.error?.message]
const collect = (keyword: TestKeyword, count: number) =>
  store(
    world,
    Array.from({ length: count }, () => matchedBy(makePost(world), [keyword])),
  )
const flag = (keyword: TestKeyword, flags: string) =>
  world.admin(`update keyword set ${flags} where id = '${keyword.uuid}'`)

const PAGE = { platform: 'appstore' as const, id: '123456789' }

test('what is named changes and the rest stays', async () => {
  const groupId = await acme.group('Rockets')
  const keyword = await makeKeyword(acme, {
    context: 'before',
    matching: { requiredTerms: ['a'], excludedTerms: ['b'] },
  })
  const { status, body } = await change(keyword, {
    kind: 'topic',
    platforms: ['x', 'x', 'reddit'],
    context: null,
    matching: { excludedTerms: [], excludedAuthors: ['@somebody'], caseSensitive: true },
    groupId,
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    ...keyword.shown,
    kind: 'topic',
    platforms: ['x', 'reddit'],
    context: null,
    matching: {
      requiredTerms: ['a'],
      requiredMode: 'any',
      excludedTerms: [],
      excludedAuthors: ['@somebody'],
      caseSensitive: true,
    },
    group: { id: groupId, name: 'Rockets', externalId: null, isDefault: false },
  })
  expect((await acme.api('GET', `/v1/keywords/${keyword.shown.id}`)).body).toEqual(body)
  expect((await change(keyword, {})).body).toEqual(body)
})

test('null clears a rule, every rule, and the pages', async () => {
  const matching = {
    requiredTerms: ['a'],
    requiredMode: 'all' as const,
    excludedTerms: ['b'],
    excludedAuthors: ['@c'],
    caseSensitive: true,
  }
  const keyword = await makeKeyword(acme, { matching, reviewSources: [PAGE] })
  const some = { ...matching, requiredTerms: [], requiredMode: 'any', excludedAuthors: [] }
  const first = { matching: { requiredTerms: null, requiredMode: null, excludedAuthors: null }, reviewSources: null }
  expect((await change(keyword, first)).body).toMatchObject({ matching: some, reviewSources: [] })
  const none = { requiredTerms: [], requiredMode: 'any', excludedTerms: [], excludedAuthors: [], caseSensitive: false }
  expect((await change(keyword, { matching: { excludedTerms: null, caseSensitive: null } })).body.matching).toEqual(
    none,
  )
  await change(keyword, { matching })
  expect((await change(keyword, { matching: null })).body.matching).toEqual(none)
})

test('an empty context and null platforms clear', async () => {
  const keyword = await makeKeyword(acme, { context: 'before', platforms: ['x'] })
  expect((await change(keyword, { context: '', platforms: null })).body).toMatchObject({
    context: null,
    platforms: null,
  })
})

describe('review pages', () => {
  test('that are listed already keep their start, and the list is replaced as a whole', async () => {
    const keyword = await makeKeyword(acme, { reviewSources: [PAGE, { platform: 'trustpilot', id: 'acme.com' }] })
    const before = world.clock.now().toISOString()
    await world.clock.advance(DAY_MS)
    const { body } = await change(keyword, {
      reviewSources: [
        { ...PAGE, countries: ['de'] },
        { platform: 'googleplay', id: 'com.acme.notes' },
      ],
    })
    expect(
      body.reviewSources.map(({ platform, countries, connectedAt }: Record<string, unknown>) => [
        platform,
        countries,
        connectedAt,
      ]),
    ).toEqual([
      ['appstore', ['de'], before],
      ['googleplay', ['us'], world.clock.now().toISOString()],
    ])
    expect((await change(keyword, { reviewSources: [] })).body.reviewSources).toEqual([])
  })

  test('must remain while there is no platform', async () => {
    const keyword = await makeKeyword(acme, { platforms: [], reviewSources: [PAGE] })
    expect(told(await change(keyword, { reviewSources: [] }))).toEqual([
      400,
      'validation_error',
      'reviewSources: must not be empty while `platforms` is: the keyword would collect nothing',
    ])
    expect(told(await change(await makeKeyword(acme), { platforms: [] }))[2]).toBe(
      'platforms: an empty list needs reviewSources: the keyword would collect nothing',
    )
    expect((await change(keyword, { platforms: ['x'], reviewSources: [] })).status).toBe(200)
  })
})

describe('the group', () => {
  test('of another workspace is not found', async () => {
    const foreign = await (await workspace()).group('Foreign')
    expect(told(await change(await makeKeyword(acme), { groupId: foreign })).slice(0, 2)).toEqual([404, 'not_found'])
  })

  test('that has the term already is refused', async () => {
    const groupId = await acme.group('Twins')
    await acme.api('POST', '/v1/keywords', { term: 'Twin', groupId })
    const keyword = await makeKeyword(acme, { term: 'TWIN' })
    expect(told(await change(keyword, { groupId })).slice(0, 2)).toEqual([409, 'duplicate_keyword'])
  })
})

describe('the limit', () => {
  test('under the welcome credit is kept for later, and naming 200 changes nothing', async () => {
    const keyword = await makeKeyword(acme, { cap: { mentions: 50 } })
    expect((await change(keyword, { cap: { mentions: 200 } })).body.cap).toEqual({
      mentions: 50,
      welcome: true,
      own: 50,
    })
    expect((await change(keyword, { cap: { mentions: 5000 } })).body.cap).toEqual({
      mentions: 200,
      welcome: true,
      own: 5000,
    })
    expect((await change(keyword, { cap: null })).body.cap).toEqual({ mentions: 200, welcome: true, own: null })
  })

  test('after the first top-up is what the caller chose', async () => {
    const acme = await workspace()
    const [chosen, none] = [await makeKeyword(acme, { cap: { mentions: 50 } }), await makeKeyword(acme)]
    await grantCredit(acme, 2000)
    const shown = async (keyword: TestKeyword) => (await acme.api('GET', `/v1/keywords/${keyword.shown.id}`)).body.cap
    expect([await shown(chosen), await shown(none)]).toEqual([{ mentions: 50, welcome: false, own: 50 }, null])
    expect((await change(none, { cap: { mentions: 200 } }, acme)).body.cap).toEqual({
      mentions: 200,
      welcome: false,
      own: 200,
    })
    expect((await change(none, { cap: null }, acme)).body.cap).toBeNull()
  })

  test('that is raised above the count lets the keyword collect at once; one that is removed too; each is told', async () => {
    const workspace = await listening()
    await grantCredit(workspace, 2000)
    const keyword = await makeKeyword(workspace, { term: 'Told', kind: 'topic', cap: { mentions: 2 } })
    await collect(keyword, 3)
    expect((await change(keyword, { cap: { mentions: 2 } }, workspace)).body).toMatchObject({
      pausedForCap: true,
      muted: false,
      stats: { health: 'capped', thisMonth: 2 },
    })
    expect((await change(keyword, { cap: { mentions: 3 } }, workspace)).body).toMatchObject({
      pausedForCap: false,
      stats: { health: 'new' },
    })
    await collect(keyword, 3)
    expect((await change(keyword, { cap: null }, workspace)).body).toMatchObject({ pausedForCap: false, cap: null })
    const now = world.clock.now().toISOString()
    const shown = { id: keyword.shown.id, term: 'Told', kind: 'topic' }
    const capped = (mentions: number) => ({
      kind: 'event',
      event: 'keyword.capped',
      data: {
        keyword: shown,
        cap: { mentions },
        thisMonth: mentions,
        pausedAt: now,
        resumesAt: '2026-12-01T00:00:00.000Z',
      },
    })
    const resumed = (reason: string) => ({
      kind: 'event',
      event: 'keyword.resumed',
      data: { keyword: shown, reason, resumedAt: now },
    })
    expect(await events(workspace)).toEqual([capped(2), resumed('cap_raised'), capped(3), resumed('cap_removed')])
  })

  test('that is lowered to the count stops the keyword and is told', async () => {
    const workspace = await listening()
    const keyword = await makeKeyword(workspace)
    await collect(keyword, 3)
    expect((await change(keyword, { cap: { mentions: 3 } }, workspace)).body).toMatchObject({
      pausedForCap: true,
      muted: false,
    })
    expect((await events(workspace)).map(({ event, data }) => [event, data['thisMonth'], data['cap']])).toEqual([
      ['keyword.capped', 3, { mentions: 3 }],
    ])
  })

  test('of an earlier month does not count', async () => {
    const workspace = await listening()
    const keyword = await makeKeyword(workspace, { cap: { mentions: 5 } })
    await collect(keyword, 4)
    await world.admin(`update keyword_counter set month = '2026-10-01' where keyword_id = '${keyword.uuid}'`)
    expect((await change(keyword, { cap: { mentions: 1 } }, workspace)).body).toMatchObject({
      pausedForCap: false,
      stats: { thisMonth: 0, mentions: 4 },
    })
  })
})

describe('muting', () => {
  test('and unmuting tell nobody, keep mentions, and begin the judgement anew', async () => {
    const workspace = await listening()
    // Who has paid is not stopped for noise.
    await grantCredit(workspace, 100)
    const keyword = await makeKeyword(workspace)
    await score(world, await collect(keyword, 20), { relevance: 0 })
    await world.admin(
      `update keyword set created_at = created_at - interval '30 days', judged_since = judged_since - interval '30 days' where id = '${keyword.uuid}'`,
    )
    expect((await change(keyword, {}, workspace)).body.stats).toMatchObject({
      health: 'noisy',
      noise: { scored: 20, relevant: 0, noisy: true },
    })
    expect((await change(keyword, { muted: true }, workspace)).body).toMatchObject({
      muted: true,
      pausedForBalance: false,
      pausedForNoise: false,
      stats: { health: 'paused', mentions: 20 },
    })
    await world.clock.advance(1000)
    expect((await change(keyword, { muted: false }, workspace)).body).toMatchObject({
      muted: false,
      stats: { health: 'new', mentions: 20, noise: { noisy: true } },
    })
    expect(await events(workspace)).toEqual([])
  })

  test('ends by the caller only when the balance pays another day', async () => {
    const acme = await workspace()
    await makeKeyword(acme)
    const keyword = await makeKeyword(acme, { muted: true })
    await world.admin(`update workspace set balance_units = 999 where id = '${acme.workspaceId}'`)
    expect(told(await change(keyword, { muted: false }, acme)).slice(0, 2)).toEqual([402, 'insufficient_balance'])
    expect((await change(keyword, { muted: true, kind: 'topic' }, acme)).status).toBe(200)
    await world.admin(`update workspace set balance_units = 1000 where id = '${acme.workspaceId}'`)
    expect((await change(keyword, { muted: false }, acme)).body).toMatchObject({ muted: false, kind: 'topic' })
  })

  test.each(['paused_for_balance', 'paused_for_noise'])('%s ends when the caller unmutes', async (column) => {
    const keyword = await makeKeyword(acme)
    await flag(keyword, `muted = true, ${column} = true`)
    expect((await change(keyword, { muted: false })).body).toMatchObject({
      muted: false,
      pausedForBalance: false,
      pausedForNoise: false,
    })
  })

  test.each([
    [{ matching: { requiredTerms: ['x'] } }],
    [{ matching: { excludedTerms: ['x'] } }],
    [{ platforms: ['x'] }],
    [{ context: 'The vehicle.' }],
  ])('for noise ends with %j, one for the balance does not', async (body) => {
    const [noisy, poor, plain] = [
      await makeKeyword(acme),
      await makeKeyword(acme),
      await makeKeyword(acme, { muted: true }),
    ]
    await flag(noisy, 'muted = true, paused_for_noise = true')
    await flag(poor, 'muted = true, paused_for_balance = true')
    expect((await change(noisy, body)).body).toMatchObject({ muted: false, pausedForNoise: false })
    expect((await change(poor, body)).body).toMatchObject({ muted: true, pausedForBalance: true })
    expect((await change(plain, body)).body).toMatchObject({ muted: true })
    for (const keyword of [noisy, poor, plain]) await change(keyword, { muted: true })
  })

  test('for noise stays with a change that says nothing of what is collected, or when the balance does not pay for more', async () => {
    const acme = await workspace()
    const keyword = await makeKeyword(acme)
    await flag(keyword, 'muted = true, paused_for_noise = true')
    expect((await change(keyword, { kind: 'topic', cap: { mentions: 3 } }, acme)).body).toMatchObject({
      muted: true,
      pausedForNoise: true,
    })
    await world.admin(`update workspace set balance_units = 0 where id = '${acme.workspaceId}'`)
    const { status, body } = await change(keyword, { context: 'The vehicle.' }, acme)
    expect([status, body.muted, body.pausedForNoise, body.context]).toEqual([200, true, true, 'The vehicle.'])
  })
})

test('a change of the rules lets only later matches count for the health', async () => {
  const acme = await workspace()
  await grantCredit(acme, 100)
  const keyword = await makeKeyword(acme)
  await score(world, await collect(keyword, 20), { relevance: 0 })
  await world.admin(
    `update keyword set created_at = created_at - interval '30 days', judged_since = judged_since - interval '30 days' where id = '${keyword.uuid}'`,
  )
  await world.clock.advance(1000)
  expect((await change(keyword, { kind: 'topic' }, acme)).body.stats.health).toBe('noisy')
  const { body } = await change(keyword, { matching: { excludedTerms: ['noise'] } }, acme)
  expect([body.stats.health, body.stats.noise]).toEqual(['new', { scored: 20, relevant: 0, noisy: true }])
})

test('review pages are taken as they are shown', async () => {
  const named = [
    PAGE,
    { platform: 'googleplay' as const, id: 'com.acme.notes', countries: ['de', 'at'], language: 'pt-BR' },
    { platform: 'trustpilot' as const, id: 'acme.com' },
    { platform: 'googlemaps' as const, id: 'ChIJN1t_tDeuEmsRUsoyG83frY4' },
  ]
  const keyword = await makeKeyword(acme, { reviewSources: named })
  const { reviewSources } = keyword.shown
  expect(reviewSources).toHaveLength(4)
  await world.clock.advance(1000)
  expect((await change(keyword, { reviewSources })).body.reviewSources).toEqual(reviewSources)
  const { body } = await acme.api('POST', '/v1/keywords', { term: 'shown again', reviewSources })
  const sameButTime = reviewSources.map((source) => ({ ...source, connectedAt: world.clock.now().toISOString() }))
  expect(body.reviewSources).toEqual(sameButTime)
})

test('matchers are told of the change', async () => {
  const keyword = await makeKeyword(acme)
  const ending = new AbortController()
  const heard = new Promise<string>((resolve) => {
    world.db.listen('earshot_keyword', resolve, () => void change(keyword, { context: 'Now.' }), ending.signal)
  })
  expect(await heard).toBe(`${acme.workspaceId} ${keyword.uuid}`)
  ending.abort()
})

test.each([
  [{ term: 'other' }, 'term: is not a field of this operation'],
  [{ kind: null }, 'kind: must be one of brand, competitor, topic'],
  [{ muted: 1 }, 'muted: must be true or false'],
  [{ platforms: ['appstore'] }, /^platforms\.0: must be one of /],
  [{ context: 5 }, 'context: must be text'],
  [{ cap: { mentions: 0 } }, 'cap.mentions: must be at least 1'],
  [{ matching: [] }, 'matching: must be an object'],
  [{ matching: { excludedTerms: ['**'] } }, 'matching.excludedTerms.0: must contain more than a wildcard'],
  [{ groupId: 'x' }, 'groupId: must be an id that starts with grp_'],
  [{ reviewSources: {} }, 'reviewSources: must be a list'],
])('%j is refused by naming the field', async (body, message) => {
  const keyword = await makeKeyword(acme, { muted: true })
  expect(told(await change(keyword, body))).toEqual([
    400,
    'validation_error',
    typeof message === 'string' ? message : expect.stringMatching(message),
  ])
})

test('a keyword that is gone, or of another workspace, is not found', async () => {
  const other = await workspace()
  const foreign = await makeKeyword(other)
  expect(told(await change(foreign, { kind: 'topic' })).slice(0, 2)).toEqual([404, 'not_found'])
  await other.api('DELETE', `/v1/keywords/${foreign.shown.id}`)
  expect(told(await change(foreign, { kind: 'topic' }, other)).slice(0, 2)).toEqual([404, 'not_found'])
})
