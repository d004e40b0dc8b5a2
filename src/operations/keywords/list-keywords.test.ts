import { beforeAll, describe, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { changeKeyword } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { grantCredit } from '../../commands/wallet/grant-credit.ts'
import { KEYWORD_HEALTHS, KEYWORD_STATUSES, keywordStatusOf, runsOn } from '../../domain/keyword/keyword.ts'
import { PLATFORMS } from '../../domain/platform/platforms.ts'
import { DAY_MS, HOUR_MS, plus } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { notePoll, registerSources } from '../../store/source/source-state.ts'

let groupId: string
/** In the order in which they were made. */
let apple: TestKeyword
let banana: TestKeyword
let cherry: TestKeyword
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  groupId = await acme.group('Fruit')
  banana = await makeKeyword(acme, {
    term: 'Bänana',
    kind: 'topic',
    context: 'The yellow 100%_FRUIT.',
    platforms: ['x', 'reddit'],
  })
  apple = await makeKeyword(acme, { term: 'apple', kind: 'competitor' })
  cherry = await makeKeyword(acme, {
    term: 'Cherry',
    platforms: [],
    reviewSources: [{ platform: 'appstore', id: '123456789' }],
  })
  await changeKeyword(world, cherry.uuid, { groupId: stored('grp', groupId) })
  const now = world.clock.now()
  const collect = (keyword: TestKeyword, count: number, publishedAt: Date, at: Date) =>
    store(
      world,
      Array.from({ length: count }, () => matchedBy(makePost(world, { publishedAt }), [keyword])),
      { at },
    )
  // Banana has the most matches, apple the most of late and the most relevant ones; cherry has none.
  await collect(banana, 3, plus(now, -8 * DAY_MS), now)
  const recent = await collect(apple, 2, plus(now, -7 * DAY_MS), plus(now, HOUR_MS))
  await score(world, recent.slice(0, 1))
})

const list = (query = '', workspace = acme) => workspace.api('GET', `/v1/keywords${query}`)
const terms = async (query = '') => (await list(query)).body.data.map((keyword: { term: string }) => keyword.term)

test('every keyword comes whole, the newest first, with the total', async () => {
  const { status, body } = await list()
  expect([status, body.total]).toEqual([200, 3])
  expect(Object.keys(body)).toEqual(['data', 'total'])
  for (const [at, keyword] of [cherry, apple, banana].entries())
    expect(body.data[at]).toEqual((await acme.api('GET', `/v1/keywords/${keyword.shown.id}`)).body)
})

test.each([
  ['newest', ['Cherry', 'apple', 'Bänana']],
  ['oldest', ['Bänana', 'apple', 'Cherry']],
  ['term', ['apple', 'Bänana', 'Cherry']],
  ['mentions', ['Bänana', 'apple', 'Cherry']],
  ['relevant', ['apple', 'Cherry', 'Bänana']],
  ['recent', ['apple', 'Cherry', 'Bänana']],
  ['lastMention', ['apple', 'Bänana', 'Cherry']],
])('sorted by %s', async (sort, order) => {
  expect(await terms(`?sort=${sort}`)).toEqual(order)
})

test.each([
  ['q=BÄNA', ['Bänana']],
  ['q=100%25_fruit', ['Bänana']],
  ['q=yellow', ['Bänana']],
  ['q=%25', ['Bänana']],
  ['q=nothing', []],
  ['kind=topic', ['Bänana']],
  ['kind=topic,competitor', ['apple', 'Bänana']],
  ['kind=topic&kind=brand', ['Cherry', 'Bänana']],
  ['platform=x', ['apple', 'Bänana']],
  ['platform=github', ['apple']],
  ['platform=appstore', ['Cherry']],
  ['platform=appstore,reddit', ['Cherry', 'apple', 'Bänana']],
  ['platform=trustpilot', []],
  ['status=active', ['Cherry', 'apple', 'Bänana']],
  ['status=muted,paused,capped', []],
  ['kind=topic&platform=github', []],
  ['limit=2', ['Cherry', 'apple']],
  ['limit=2&offset=1', ['apple', 'Bänana']],
  ['offset=2', ['Bänana']],
  ['offset=3', []],
  ['offset=9007199254740991', []],
  ['offset=1e0', ['apple', 'Bänana']],
])('%s finds %j', async (query, found) => {
  expect(await terms(`?${query}`)).toEqual(found)
})

test('terms are found in every form of their characters', async () => {
  const workspace = await world.workspace('Forms')
  for (const term of ['Straße', 'Ｗｉｄｅ']) await makeKeyword(workspace, { term })
  const found = async (q: string) =>
    (await list(`?q=${encodeURIComponent(q)}`, workspace)).body.data.map(({ term }: { term: string }) => term)
  for (const q of ['strasse', 'STRASSE', 'Straße', 'raß']) expect(await found(q)).toEqual(['Straße'])
  expect(await found('wide')).toEqual(['Ｗｉｄｅ'])
  expect(await found('\u2060')).toEqual([])
})

test('groups are named by their ids; one of another workspace finds nothing', async () => {
  const foreign = await (await world.workspace('Other')).group('Fruit')
  expect(await terms(`?groupId=${groupId}`)).toEqual(['Cherry'])
  expect(await terms(`?groupId=${groupId},${apple.shown.group.id}`)).toHaveLength(3)
  expect(await terms(`?groupId=${foreign}`)).toEqual([])
})

test('the total counts what fits before paging', async () => {
  expect((await list('?limit=1&offset=1&kind=topic,competitor')).body).toMatchObject({
    total: 2,
    data: [{ term: 'Bänana' }],
  })
  expect((await list('?offset=100')).body).toEqual({ data: [], total: 3 })
})

test('another workspace has its own', async () => {
  expect((await list('', await world.workspace('Empty'))).body).toEqual({ data: [], total: 0 })
})

test.each([
  ['sort=best', /^sort: must be one of newest, oldest, term, mentions, relevant, recent, lastMention$/],
  ['limit=0', /^limit: must be at least 1$/],
  ['limit=501', /^limit: must be at most 500$/],
  ['limit=ten', /^limit: must be a (whole )?number$/],
  ['offset=-1', /^offset: must be at least 0$/],
  ['q=', /^q: must not be empty$/],
  [`q=${'x'.repeat(201)}`, /^q: must have at most 200 characters$/],
  ['kind=person', /^kind: must be one of /],
  ['status=new', /^status: must be one of active, muted, paused, capped$/],
  ['platform=myspace', /^platform: must be one of /],
  ['groupId=x', /^groupId: must be an id that starts with grp_$/],
  ['group=x', /^group: is not a parameter of this operation$/],
])('%s is refused by naming the parameter', async (query, message) => {
  const { status, body } = await list(`?${query}`)
  expect([status, body.error.code, body.error.message]).toEqual([
    400,
    'validation_error',
    expect.stringMatching(message),
  ])
})

describe('the statement agrees with the rules', () => {
  test('on the status, whatever the flags', async () => {
    const workspace = await world.workspace('Flags')
    const keyword = await makeKeyword(workspace)
    for (let bits = 0; bits < 16; bits += 1) {
      const flags = {
        muted: (bits & 1) > 0,
        pausedForBalance: (bits & 2) > 0,
        pausedForNoise: (bits & 4) > 0,
        pausedForCap: (bits & 8) > 0,
      }
      await changeKeyword(world, keyword.uuid, {
        muted: flags.muted,
        pausedForBalance: flags.pausedForBalance,
        pausedForNoise: flags.pausedForNoise,
        pausedForCap: flags.pausedForCap,
      })
      const found = []
      for (const status of KEYWORD_STATUSES)
        if ((await list(`?status=${status}`, workspace)).body.total === 1) found.push(status)
      expect(found, JSON.stringify(flags)).toEqual([keywordStatusOf(flags)])
      world.clock.set(plus(world.clock.now(), 60_000))
    }
  })

  test('on the platforms that a keyword runs on', async () => {
    const workspace = await world.workspace('Platforms')
    const keywords = [
      await makeKeyword(workspace),
      await makeKeyword(workspace, { platforms: ['bluesky', 'instagram'] }),
      await makeKeyword(workspace, { platforms: [], reviewSources: [{ platform: 'trustpilot', id: 'acme.com' }] }),
      await makeKeyword(workspace, {
        platforms: ['x'],
        reviewSources: [
          { platform: 'googleplay', id: 'com.acme.notes' },
          { platform: 'appstore', id: '123456789' },
        ],
      }),
    ]
    for (const platform of PLATFORMS) {
      const found = (await list(`?platform=${platform}&sort=oldest`, workspace)).body.data.map(
        ({ id }: { id: string }) => id,
      )
      const wanted = keywords.filter(({ shown }) =>
        runsOn(
          { ...shown, reviewSources: shown.reviewSources.map((source) => ({ ...source, connectedAt: new Date(0) })) },
          platform,
        ),
      )
      expect(found, platform).toEqual(wanted.map(({ shown }) => shown.id))
    }
  })
})

test('polling shows the platforms that are polled and that the keyword runs on', async () => {
  const at = world.clock.now()
  const scheduled = ['hackernews', 'x'].map((source) => ({ source, scheduled: true }))
  await world.db.transaction((tx) => registerSources(tx, scheduled, at))
  await world.db.transaction((tx) => notePoll(tx, 'hackernews', 0, at, null))
  // X is asked for each term, so each keyword has a time of its own: here only that of the second has come.
  const [second] = await world.db.query<{ key: string }>(
    sql`select key from keyword_query where platform = 6 order by keyword_id offset 1 limit 1`,
  )
  await world.db.query(
    sql`update source_query set last_polled_at = ${at}, empty_polls = 3 where platform = 6 and key = ${second!.key}`,
  )
  await world.db.query(sql`insert into source_state (source, updated_at) values ('bluesky', ${at})`)
  const { body } = await list('?sort=oldest')
  expect(body.data.map(({ polling }: { polling: unknown }) => polling)).toEqual([
    [{ platform: 'x', lastPolledAt: null, emptyPolls: 0 }],
    [
      { platform: 'hackernews', lastPolledAt: at.toISOString(), emptyPolls: 1 },
      { platform: 'x', lastPolledAt: at.toISOString(), emptyPolls: 3 },
    ],
    [],
  ])
})

test('one keyword is found by its whole term, in any form that means the same', async () => {
  expect(await terms('?term=APPLE')).toEqual(['apple'])
  expect(await terms('?term=B%C3%84NANA')).toEqual(['Bänana'])
  expect(await terms('?term=appl')).toEqual([])
})

test('the keywords of a group are found by its externalId', async () => {
  await world.db.query(sql`update keyword_group set external_id = 'crm,7' where name = 'Fruit'`)
  expect(await terms('?groupExternalId=crm%2C7')).toEqual(['Cherry'])
  expect(await terms('?groupExternalId=crm')).toEqual([])
  expect((await list('?groupExternalId=crm%2C7', await world.workspace('Elsewhere'))).body).toEqual({
    data: [],
    total: 0,
  })
})

test('keywords are found by the health that they show, whatever it is made of', async () => {
  const workspace = await world.workspace('Health')
  await grantCredit(workspace, 100_000)
  const now = world.clock.now()
  const ages = [0, 7 * DAY_MS - 1, 7 * DAY_MS, 30 * DAY_MS]
  const scores = [
    [0, 0],
    [19, 0],
    [20, 0],
    [20, 5],
    [20, 6],
    [5, 1],
  ]
  for (const [number, [scored, relevant]] of scores.entries()) {
    for (const [age, created] of ages.entries()) {
      for (const [change, judged] of ages.slice(age > 1 ? 0 : age, age + 1).entries()) {
        const keyword = await makeKeyword(workspace)
        await changeKeyword(world, keyword.uuid, {
          createdAt: plus(now, -created),
          judgedSince: plus(now, -judged),
          muted: (number + age) % 7 === 6,
          pausedForCap: (age + change) % 5 === 4,
        })
        await world.db.query(sql`
          insert into keyword_recent (workspace_id, keyword_id, day, scored, relevant, judged_scored, judged_relevant)
          values (${workspace.workspaceId}, ${keyword.uuid}, ${plus(now, -DAY_MS)}::timestamptz::date, 50, 25, ${scored},
            ${relevant})`)
      }
    }
  }
  const shown: { id: string; stats: { health: string } }[] = (await list('', workspace)).body.data
  expect(new Set(shown.map(({ stats }) => stats.health))).toEqual(new Set(KEYWORD_HEALTHS))
  for (const wanted of [...KEYWORD_HEALTHS.map((health) => [health]), ['noisy', 'quiet']]) {
    const { body } = await list(`?health=${wanted.join(',')}`, workspace)
    const ids = shown
      .filter(({ stats }) => wanted.includes(stats.health as (typeof KEYWORD_HEALTHS)[number]))
      .map(({ id }) => id)
    expect([wanted, body.total, body.data.map(({ id }: { id: string }) => id)]).toEqual([wanted, ids.length, ids])
  }
  expect((await list('?health=ill', workspace)).body.error.message).toContain('health: must be one of healthy')
})
