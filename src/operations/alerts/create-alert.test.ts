import { beforeAll, expect, test } from 'vitest'
import { makeMailChannel } from '../../../test/mail-channel.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { newId, toId } from '../../kernel/ids.ts'
import { readAlert } from '../../store/alert/alerts.ts'

const NINE = { hour: 9, minute: 0, timezone: 'America/New_York' }

let channels: string[]
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  channels = []
  for (const label of ['first', 'second'])
    channels.push(
      (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/', label })).body.id,
    )
})

test('a new rule is answered whole, with its channels in the order in which they were named', async () => {
  const [first, second] = channels
  const { status, body } = await acme.api('POST', '/v1/alerts', {
    name: '  Angry \n people ',
    mode: 'instant',
    event: 'mention.negative',
    filter: { sentiments: ['negative'] },
    channelIds: [second, first, second],
    enabled: false,
  })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^feed_[0-9a-z]{26}$/),
    name: 'Angry people',
    enabled: false,
    mode: 'instant',
    event: 'mention.negative',
    filter: { sentiments: ['negative'] },
    schedule: null,
    channelIds: [second, first],
    channels: [
      { id: second, kind: 'webhook', label: 'second' },
      { id: first, kind: 'webhook', label: 'first' },
    ],
    version: 1,
    stats: { sentLast7d: 0, lastSentAt: null, nextRunAt: null },
    createdAt: world.clock.now().toISOString(),
  })
  expect((await acme.api('GET', `/v1/alerts/${body.id}`)).body).toEqual(body)
})

test.each([
  ['hourly', null, null, '2026-11-20T10:05:00.000Z'],
  ['daily', NINE, { ...NINE, skipEmpty: false, weekday: null }, '2026-11-20T14:00:00.000Z'],
  [
    'weekly',
    { ...NINE, skipEmpty: true, weekday: 0 },
    { ...NINE, skipEmpty: true, weekday: 0 },
    '2026-11-22T14:00:00.000Z',
  ],
])(
  'a new %s rule says when it runs, and its event is digest unless it is called something else',
  async (mode, schedule, shown, nextRunAt) => {
    const { status, body } = await acme.api('POST', '/v1/alerts', {
      name: 'Digest',
      mode,
      schedule,
      channelIds: channels,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ mode, event: 'digest', schedule: shown, stats: { nextRunAt } })
    const [rule] = (await acme.api('GET', '/v1/alerts')).body.data.slice(-1)
    expect(rule).toEqual(body)
    const { id: _, channels: __, version: ___, stats, createdAt: ____, ...again } = body
    expect((await acme.api('POST', '/v1/alerts', again)).body).toMatchObject({ ...again, stats })
    const off = (await acme.api('POST', '/v1/alerts', { ...again, event: 'my.digest', enabled: false })).body
    expect([off.event, off.stats.nextRunAt]).toEqual(['my.digest', null])
  },
)

test('an hourly rule does not go by e-mail, and no rule is made', async () => {
  const mail = toId('dest', await makeMailChannel(acme))
  const before = (await acme.api('GET', '/v1/alerts')).body
  const { status, body } = await acme.api('POST', '/v1/alerts', {
    name: 'Rule',
    mode: 'hourly',
    channelIds: [channels[0], mail],
  })
  expect([status, body.error.code]).toEqual([400, 'hourly_email_unsupported'])
  expect((await acme.api('GET', '/v1/alerts')).body).toEqual(before)
  for (const mode of ['instant', 'daily'])
    expect(
      (
        await acme.api('POST', '/v1/alerts', {
          name: 'Rule',
          mode,
          schedule: mode === 'daily' ? NINE : null,
          channelIds: [mail],
        })
      ).status,
    ).toBe(201)
})

test('a name is enough: every relevant mention, to no channel yet', async () => {
  const { status, body } = await acme.api('POST', '/v1/alerts', { name: 'All' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    mode: 'instant',
    event: 'mention.matched',
    filter: {},
    channelIds: [],
    channels: [],
    enabled: true,
  })
})

test('a filter is stored in the form that is compared and shown with the ids of callers', async () => {
  const [keyword, group] = [(await acme.makeOne('kw'))!, (await acme.makeOne('grp'))!]
  const filter = {
    keywordIds: [keyword, keyword],
    groupIds: [group],
    keywordKinds: ['brand'],
    minRelevance: 12.5,
    minConfidence: 0.7,
    automated: false,
    languages: ['EN', 'de'],
    linkHosts: ['https://Blog.Example.com/post?x=1', 'example.org.'],
    excludeAuthors: ['@Jane', 'Acme, Inc.', 'https://twitter.com/Acme'],
    ratings: [1, 2],
    anyOf: [{ intents: ['complaint'] }, { keywordIds: [keyword], minLikes: 10 }],
  }
  const { status, body } = await acme.api('POST', '/v1/alerts', { name: 'Everything', filter })
  expect(status).toBe(201)
  const normal = {
    ...filter,
    keywordIds: [keyword],
    languages: ['en', 'de'],
    linkHosts: ['blog.example.com', 'example.org'],
    excludeAuthors: ['jane', 'acme, inc.', 'https://x.com/acme'],
  }
  expect(body.filter).toEqual(normal)
  const rule = await readAlert(acme.db, acme.workspaceId, stored('feed', body.id))
  const uuid = stored('kw', keyword)
  expect(rule?.filter).toEqual({
    ...normal,
    keywordIds: [uuid],
    groupIds: [stored('grp', group)],
    anyOf: [{ intents: ['complaint'] }, { keywordIds: [uuid], minLikes: 10 }],
  })
  expect(toId('kw', uuid)).toBe(keyword)
})

test('a channel that the workspace has not is unknown, another workspace’s included', async () => {
  const other = await world.workspace('Other')
  const foreign = (await other.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' })).body
    .id
  for (const id of [foreign, newId('dest', world.clock.now())]) {
    const { status, body } = await acme.api('POST', '/v1/alerts', { name: 'Rule', channelIds: [channels[0], id] })
    expect([status, body.error.code]).toEqual([400, 'unknown_channel'])
    expect(body.error.message).toContain(id)
  }
})

test('a rule that lost its last keyword can be sent again as it is shown, and matches nothing then too', async () => {
  const keyword = (await acme.makeOne('kw'))!
  const { body } = await acme.api('POST', '/v1/alerts', {
    name: 'Lost',
    filter: { keywordIds: [keyword], anyOf: [{ keywordIds: [keyword] }] },
  })
  await acme.api('DELETE', `/v1/keywords/${keyword}`)
  const shown = (await acme.api('GET', `/v1/alerts/${body.id}`)).body
  expect(shown.filter).toEqual({ keywordIds: [], anyOf: [{ keywordIds: [] }] })
  const { name, mode, event, filter, channelIds, schedule, enabled } = shown
  const again = await acme.api('POST', '/v1/alerts', { name, mode, event, filter, channelIds, schedule, enabled })
  expect([again.status, again.body.filter]).toEqual([201, shown.filter])
  expect((await acme.api('PATCH', `/v1/alerts/${body.id}`, { filter, schedule })).body).toEqual(shown)
})

test('a filter names only keywords and groups that the workspace has', async () => {
  const other = await world.workspace('Other')
  const [own, foreign, none] = [await acme.makeOne('kw'), (await other.makeOne('kw'))!, newId('grp', world.clock.now())]
  for (const [filter, id] of [
    [{ keywordIds: [own, foreign] }, foreign],
    [{ groupIds: [none] }, none],
    [{ keywordIds: [own], anyOf: [{ minLikes: 1 }, { keywordIds: [foreign] }] }, foreign],
  ] as const) {
    const { status, body } = await acme.api('POST', '/v1/alerts', { name: 'Rule', filter })
    expect([status, body.error.code]).toEqual([404, 'not_found'])
    expect(body.error.message).toContain(id)
  }
})

test.each([
  [{}, 'name: is required'],
  [{ name: ' ' }, 'name: must not be empty'],
  [{ name: 'x'.repeat(81) }, 'name: must have at most 80 characters'],
  [{ name: 'x', mode: 'monthly' }, 'mode: must be one of instant, hourly, daily, weekly'],
  [{ name: 'x', mode: 'daily' }, 'schedule: is required for daily rules'],
  [{ name: 'x', mode: 'weekly', schedule: null }, 'schedule: is required for weekly rules'],
  [{ name: 'x', mode: 'weekly', schedule: NINE }, 'schedule.weekday: is required for weekly rules'],
  [{ name: 'x', mode: 'weekly', schedule: { ...NINE, weekday: 7 } }, 'schedule.weekday: must be at most 6'],
  [
    { name: 'x', mode: 'daily', schedule: { ...NINE, weekday: 1 } },
    'schedule.weekday: must be null: only weekly rules have one',
  ],
  [{ name: 'x', mode: 'hourly', schedule: NINE }, 'schedule: must be null: hourly rules have none'],
  [{ name: 'x', schedule: NINE }, 'schedule: must be null: instant rules have none'],
  [{ name: 'x', mode: 'daily', schedule: { hour: 9, timezone: 'UTC' } }, 'schedule.minute: is required'],
  [{ name: 'x', mode: 'daily', schedule: { ...NINE, hour: 24 } }, 'schedule.hour: must be at most 23'],
  [{ name: 'x', mode: 'daily', schedule: { ...NINE, hour: 9.5 } }, 'schedule.hour: must be a whole number'],
  [{ name: 'x', mode: 'daily', schedule: { ...NINE, minute: '0' } }, 'schedule.minute: must be a number'],
  [{ name: 'x', mode: 'daily', schedule: { ...NINE, second: 1 } }, 'schedule.second: is not a field of this operation'],
  [
    { name: 'x', mode: 'daily', schedule: { ...NINE, timezone: 'Europe/Nowhere' } },
    'schedule.timezone: must be the name of a time zone, such as Europe/Berlin',
  ],
  [
    { name: 'x', mode: 'daily', schedule: { ...NINE, timezone: '+02:00' } },
    'schedule.timezone: must be the name of a time zone, such as Europe/Berlin',
  ],
  [{ name: 'x', event: 'Mention' }, 'event: must be a lowercase name, with dots between its parts'],
  [{ name: 'x', event: 'mention.' }, 'event: must be a lowercase name, with dots between its parts'],
  [{ name: 'x', event: 'm'.repeat(61) }, 'event: must have at most 60 characters'],
  [{ name: 'x', channelIds: ['feed_1'] }, 'channelIds.0: must be an id that starts with dest_'],
  [{ name: 'x', filter: { q: 'words' } }, 'filter.q: is not a field of this operation'],
  [{ name: 'x', filter: { status: 'open' } }, 'filter.status: is not a field of this operation'],
  [{ name: 'x', filter: { relevant: true } }, 'filter.relevant: is not a field of this operation'],
  [{ name: 'x', filter: { notKeywordIds: [] } }, 'filter.notKeywordIds: is not a field of this operation'],
  [{ name: 'x', filter: { platforms: [] } }, 'filter.platforms: must not be empty'],
  [{ name: 'x', filter: { minRelevance: '80' } }, 'filter.minRelevance: must be a number'],
  [{ name: 'x', filter: { automated: 'false' } }, 'filter.automated: must be true or false'],
  [{ name: 'x', filter: { ratings: ['1'] } }, 'filter.ratings.0: must be a number'],
  [{ name: 'x', filter: { anyOf: [{ minLikes: '1' }] } }, 'filter.anyOf.0.minLikes: must be a number'],
  [{ name: 'x', filter: { anyOf: [{ nonsense: 1 }] } }, 'filter.anyOf.0.nonsense: is not a field of this operation'],
  [{ name: 'x', filter: JSON.parse('{"__proto__":{}}') }, 'filter.__proto__: is not a field of this operation'],
  [{ name: 'x', filter: { keywordIds: ['grp_1'] } }, 'filter.keywordIds.0: must be an id that starts with kw_'],
  [{ name: 'x', filter: { sentiments: ['angry'] } }, 'filter.sentiments.0: must be one of positive, neutral, negative'],
  [{ name: 'x', filter: { minRelevance: 101 } }, 'filter.minRelevance: must be at most 100'],
  [{ name: 'x', filter: { minConfidence: -0.1 } }, 'filter.minConfidence: must be at least 0'],
  [
    { name: 'x', filter: { languages: ['english'] } },
    'filter.languages.0: must be a language of ISO 639-1, such as en',
  ],
  [
    { name: 'x', filter: { linkHosts: ['not a host'] } },
    'filter.linkHosts.0: must be a host name, such as example.com',
  ],
  [
    { name: 'x', filter: { excludeAuthors: ['https://x.com/i/status/123'] } },
    /^filter\.excludeAuthors\.0: this link does not name its author/,
  ],
  [{ name: 'x', filter: { excludeAuthors: [' '] } }, 'filter.excludeAuthors.0: is empty'],
  [{ name: 'x', filter: { ratings: [6] } }, 'filter.ratings.0: must be at most 5'],
  [{ name: 'x', filter: { anyOf: [] } }, 'filter.anyOf: must not be empty'],
  [{ name: 'x', filter: { anyOf: [{}] } }, 'filter.anyOf.0: must hold at least one condition'],
  [
    { name: 'x', filter: { anyOf: [{ minLikes: 1, anyOf: [{ minLikes: 1 }] }] } },
    'filter.anyOf.0.anyOf: is not a field of this operation',
  ],
  [
    { name: 'x', filter: { anyOf: Array.from({ length: 11 }, () => ({ minLikes: 1 })) } },
    'filter.anyOf: must have at most 10 entries',
  ],
])('%j is refused by naming the field', async (input, message) => {
  const { status, body } = await acme.api('POST', '/v1/alerts', input)
  expect([status, body.error.code]).toEqual([400, 'validation_error'])
  if (typeof message === 'string') expect(body.error.message).toBe(message)
  else expect(body.error.message).toMatch(message)
})
