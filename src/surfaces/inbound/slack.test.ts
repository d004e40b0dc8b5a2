import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { eventually, type Pipeline, startPipeline, whileTimePasses } from '../../../test/stand-ins/pipeline.ts'
import { createSlackStandIn, type Posted } from '../../../test/stand-ins/slack.ts'
import { useResource, useWorkspace, useWorld } from '../../../test/use-world.ts'
import { buttonsOf, connect, makeSlackChannel, send, tryChannel } from '../../commands/channels/slack/slack.suite.ts'
import { toId } from '../../kernel/ids.ts'

let pipeline: Pipeline
let keyword: TestKeyword
let channelId: string
const stand = useResource(createSlackStandIn)
const world = useWorld(() => ({ slack: stand.slack }))
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  await connect(world, stand, acme)
  channelId = await makeSlackChannel(acme)
  const rule = { name: 'Everything', mode: 'instant', event: 'mention.matched', filter: {}, channelIds: [channelId] }
  expect((await acme.api('POST', '/v1/alerts', rule)).status).toBe(201)
  keyword = await makeKeyword(acme)
  pipeline = await startPipeline(world)
})
beforeEach(async () => {
  stand.posted.length = 0
  stand.answers.length = 0
  stand.faults.length = 0
})
afterAll(async () => {
  await whileTimePasses(world.clock, pipeline.stop())
})

/** A mention that has arrived in Slack. */
async function arrived(text = 'A post about nothing.'): Promise<{ id: string; message: Posted }> {
  const made = await mention(world, keyword, { text })
  await score(world, [made])
  pipeline.deliver.wake()
  const before = stand.posted.length
  await eventually(() => expect(stand.posted.length).toBe(before + 1), { clock: world.clock, stepMs: 200 })
  return { id: toId('mtn', made.mentionId), message: stand.posted.at(-1)! }
}
const shown = async (id: string) => (await acme.api('GET', `/v1/mentions/${id}`)).body
const history = async (id: string) => (await acme.api('GET', `/v1/mentions/${id}/changes`)).body.data

describe('a mention that arrives in Slack', () => {
  test.each([
    ['earshot_done', { status: 'done' }, 'Done by ann'],
    ['earshot_ignore', { status: 'ignored' }, 'Ignored by ann'],
    ['earshot_not_relevant', { status: 'open', relevant: false }, 'Marked not relevant by ann'],
  ])('is triaged by its button %s, once however often, and everybody sees by whom', async (button, after, line) => {
    const { id, message } = await arrived('A post <!channel> & *more* https://evil.example')
    expect(message.channel).toBe('C1')
    expect(JSON.stringify(message.blocks)).not.toContain('<!channel>')
    expect(buttonsOf(message).filter(({ value }) => value === id)).toHaveLength(3)
    const pressed = stand.press(message, button)
    expect(await send(world, 'actions', pressed)).toEqual({ status: 200, text: '' })
    expect(await shown(id)).toMatchObject(after)
    const [answer] = stand.answers
    expect(answer!.body).toMatchObject({ replace_original: true, text: line })
    expect(JSON.stringify(answer!.body.blocks)).toContain(line)
    expect(JSON.stringify(answer!.body.blocks)).not.toContain('earshot_done')
    const again = {
      ...pressed,
      headers: { ...pressed.headers, 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' },
    }
    expect((await send(world, 'actions', again)).status).toBe(200)
    const lines = await history(id)
    expect(lines).toHaveLength(1)
    expect(lines[0].by).toEqual({ kind: 'slack', id: null, name: 'ann' })
  })

  test('stays as it is when the button that only leads to the post is pressed', async () => {
    const { id, message } = await arrived()
    expect((await send(world, 'actions', stand.press(message, 'earshot_open'))).status).toBe(200)
    expect(await shown(id)).toMatchObject({ status: 'open' })
    expect(stand.answers).toEqual([])
  })

  test('is changed by nobody of another team, nor by a team that another workspace is connected to', async () => {
    const { id, message } = await arrived()
    const other = await world.workspace('Other')
    await connect(world, stand, other, 'T2')
    for (const team of ['T2', 'T3'])
      expect((await send(world, 'actions', stand.press(message, 'earshot_done', { team }))).status).toBe(200)
    expect(await shown(id)).toMatchObject({ status: 'open' })
    expect(stand.answers.map(({ body }) => body.response_type)).toEqual(['ephemeral', 'ephemeral'])
  })

  test('is changed by no guest of a channel that another team shares, who is told so alone', async () => {
    const { id, message } = await arrived()
    const user = { id: 'U1', name: 'eve', team_id: 'T9' }
    expect((await send(world, 'actions', stand.press(message, 'earshot_ignore', { user }))).status).toBe(200)
    expect(await shown(id)).toMatchObject({ status: 'open' })
    expect(stand.answers.map(({ body }) => body)).toEqual([
      expect.objectContaining({ response_type: 'ephemeral', text: expect.stringContaining('Only members') }),
    ])
    const member = { ...user, team_id: 'T1' }
    expect((await send(world, 'actions', stand.press(message, 'earshot_ignore', { user: member }))).status).toBe(200)
    expect(await shown(id)).toMatchObject({ status: 'ignored' })
  })

  test('is found among the workspaces of one team', async () => {
    const twin = await world.workspace('Twin')
    await connect(world, stand, twin)
    const { id, message } = await arrived()
    await send(world, 'actions', stand.press(message, 'earshot_done'))
    expect(await shown(id)).toMatchObject({ status: 'done' })
    await twin.api('DELETE', '/v1/slack')
  })

  test.each(['mtn_00000000000000000000000000', 'kw_1', '', '../../x', 'x'.repeat(300)])(
    'that is none, %j, is said to be gone',
    async (value) => {
      const { message } = await arrived()
      expect((await send(world, 'actions', stand.press(message, 'earshot_done', { value }))).status).toBe(200)
      expect(stand.answers.at(-1)!.body).toMatchObject({
        replace_original: false,
        text: 'This mention was deleted from Earshot.',
      })
    },
  )

  test('is triaged also when Slack cannot be told, and by whoever has no name or a hostile one', async () => {
    const { id, message } = await arrived()
    stand.faults.push({ method: 'answer', status: 500 })
    expect((await send(world, 'actions', stand.press(message, 'earshot_done', { user: { id: 'U9' } }))).status).toBe(
      200,
    )
    const hostile = { id: 'U8', name: `<!here>\n${'x'.repeat(500)}` }
    expect((await send(world, 'actions', stand.press(message, 'earshot_ignore', { user: hostile }))).status).toBe(200)
    const [second, first] = await history(id)
    expect([first.by.name, second.by.name.length]).toEqual(['U9', 80])
    expect(JSON.stringify(stand.answers.at(-1)!.body)).not.toContain('<!here>')
  })

  test.each([
    'https://evil.example/x',
    'http://127.0.0.1:1/x',
    'file:///etc/passwd',
    'http://user@127.0.0.1/x',
    'nonsense',
  ])('is triaged, and nothing is sent to the address %s that is not of Slack', async (responseUrl) => {
    const { id, message } = await arrived()
    expect((await send(world, 'actions', stand.press(message, 'earshot_done', { responseUrl }))).status).toBe(200)
    expect(await shown(id)).toMatchObject({ status: 'done' })
    expect(stand.answers).toEqual([])
    expect(stand.called.at(-1)).toBe('chat.postMessage')
  })
})

describe('what is badly signed is refused and changes nothing:', () => {
  test.each([
    ['another secret', { secret: 'guess' }],
    ['a recording', { at: -301 }],
    ['one of the future', { at: 301 }],
  ])('%s', async (_, { secret, at }: { secret?: string; at?: number }) => {
    const { id, message } = await arrived()
    const now = Math.floor(world.clock.now().getTime() / 1000)
    const { body } = stand.press(message, 'earshot_done')
    const forged = stand.signed(body, { ...(secret && { secret }), ...(at !== undefined && { at: now + at }) })
    for (const path of ['actions', 'events']) {
      const answer = await send(world, path, forged)
      expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([401, 'invalid_signature'])
    }
    expect(await shown(id)).toMatchObject({ status: 'open' })
  })

  test('no signature, one of other bytes, and nothing at all', async () => {
    const signed = stand.signed('payload=%7B%7D')
    expect((await send(world, 'actions', { ...signed, body: 'payload=%7B%7D%20' })).status).toBe(401)
    expect(
      (
        await send(world, 'actions', {
          body: 'payload=%7B%7D',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      ).status,
    ).toBe(401)
    expect((await send(world, 'actions', { body: '', headers: {} })).status).toBe(401)
  })
})

test.each([
  '',
  'payload=',
  'payload=%7B',
  'payload=%5B%5D',
  'payload=%7B%22type%22%3A%22view_submission%22%7D',
  'command=%2Fx',
])('what is signed and no press, %j, is taken and of no matter', async (body) => {
  expect(await send(world, 'actions', stand.signed(body))).toEqual({ status: 200, text: '' })
  expect((await send(world, 'events', stand.signed(body))).status).toBe(200)
})

test('Slack is shown that somebody reads its events', async () => {
  const { status, text } = await send(
    world,
    'events',
    stand.signed('{"type":"url_verification","challenge":"3eZbrw1aB"}', { type: 'application/json' }),
  )
  expect([status, JSON.parse(text)]).toEqual([200, { challenge: '3eZbrw1aB' }])
})

describe('when the app is removed', () => {
  test.each([
    ['app_uninstalled', { type: 'app_uninstalled' }],
    ['tokens_revoked', { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: ['U2'] } }],
  ])('the connection is forgotten at %s, however often it is told, in all workspaces of the team', async (_, event) => {
    const [first, second] = [await world.workspace('One'), await world.workspace('Two')]
    for (const workspace of [first, second]) await connect(world, stand, workspace, 'T9')
    const id = await makeSlackChannel(first)
    for (let times = 0; times < 2; times += 1)
      expect((await send(world, 'events', stand.event(event, { team: 'T9' }))).status).toBe(200)
    for (const workspace of [first, second]) expect((await workspace.api('GET', '/v1/slack')).status).toBe(404)
    expect(await tryChannel(first, id)).toBe('Slack is no longer connected to the workspace')
    expect((await acme.api('GET', '/v1/slack')).status).toBe(200)
  })

  test('a late word of it does not take down what was connected since, nor does one about tokens of people', async () => {
    const again = await world.workspace('Again')
    const now = Math.floor(world.clock.now().getTime() / 1000)
    await connect(world, stand, again, 'T8')
    await send(world, 'events', stand.event({ type: 'app_uninstalled' }, { team: 'T8', at: now - 60 }))
    await send(world, 'events', stand.event({ type: 'tokens_revoked', tokens: { oauth: ['U1'] } }, { team: 'T8' }))
    expect((await again.api('GET', '/v1/slack')).status).toBe(200)
  })
})

describe('a delivery to Slack', () => {
  const log = async () => (await acme.api('GET', `/v1/channels/${channelId}/deliveries`)).body.data[0]

  test('that Slack asks patience for is tried again when it said, and not before', async () => {
    stand.faults.push({
      method: 'chat.postMessage',
      status: 429,
      headers: { 'retry-after': '90' },
      body: { ok: false, error: 'ratelimited' },
    })
    await score(world, [await mention(world, keyword)])
    pipeline.deliver.wake()
    await eventually(
      async () => expect(await log()).toMatchObject({ status: 'pending', attempts: 1, error: 'status 429' }),
      { clock: world.clock, stepMs: 50 },
    )
    await world.clock.advance(60_000)
    expect(await log()).toMatchObject({ status: 'pending', attempts: 1 })
    await eventually(() => expect(stand.posted).toHaveLength(1), { clock: world.clock, stepMs: 2000 })
  })

  test('goes a second after the one before, without an attempt being counted', async () => {
    await world.clock.advance(60_000)
    const made = [await mention(world, keyword), await mention(world, keyword), await mention(world, keyword)]
    await score(world, made)
    pipeline.deliver.wake()
    await eventually(() => expect(stand.posted).toHaveLength(3), { clock: world.clock, stepMs: 250 })
    const { body } = await acme.api('GET', `/v1/channels/${channelId}/deliveries?limit=3`)
    await eventually(async () => expect((await log()).status).toBe('delivered'), { clock: world.clock })
    for (const item of body.data) expect(item.attempts).toBeLessThanOrEqual(1)
  })

  test('with a token that is worth nothing fails at once, and the connection is seen to be broken', async () => {
    await world.clock.advance(60_000)
    stand.tokens.clear()
    await score(world, [await mention(world, keyword)])
    pipeline.deliver.wake()
    await eventually(
      async () =>
        expect(await log()).toMatchObject({
          status: 'failed',
          attempts: 1,
          error: expect.stringContaining('connect Slack again'),
        }),
      {
        clock: world.clock,
        stepMs: 200,
      },
    )
    expect((await acme.api('GET', '/v1/slack')).body.brokenAt).not.toBeNull()
    await connect(world, stand, acme)
    await arrived()
  })
})
