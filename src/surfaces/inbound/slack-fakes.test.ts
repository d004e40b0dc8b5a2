import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { eventually, type Pipeline, startPipeline, whileTimePasses } from '../../../test/stand-ins/pipeline.ts'
import { FAKES_ARE_THERE, startFakes, type VendorFakes } from '../../../test/stand-ins/vendor-fakes.ts'
import { createWorld, PUBLIC_URL, type TestWorkspace, type World } from '../../../test/world.ts'
import { createSlack } from '../../channels/slack/slack.ts'
import { comeBack, connectUrl, makeSlackChannel, tryChannel } from '../../commands/channels/slack/slack.suite.ts'
import { systemClock } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'

describe.skipIf(!FAKES_ARE_THERE)('with the stand-in of others', () => {
  let fakes: VendorFakes
  let world: World
  let acme: TestWorkspace
  let pipeline: Pipeline
  beforeAll(async () => {
    fakes = await startFakes()
    const { url } = fakes
    const { slackClient, slackSecret } = (await control('config')) as {
      slackClient: [string, string]
      slackSecret: string
    }
    const [clientId, clientSecret] = slackClient
    const urls = { apiUrl: `${url}/slack/api/`, authorizeUrl: `${url}/oauth/v2/authorize` }
    world = await createWorld({
      slack: (clock) =>
        createSlack({
          clientId,
          clientSecret,
          signingSecret: slackSecret,
          ...urls,
          publicUrl: PUBLIC_URL,
          clock,
          log: silentLog,
        }),
    })
    // Its messages bear the time of this machine.
    world.clock.set(systemClock.now())
    acme = await world.workspace('Acme')
    pipeline = await startPipeline(world)
  })
  afterAll(async () => {
    if (pipeline) await whileTimePasses(world.clock, pipeline.stop())
    await world?.close()
    fakes?.stop()
  })

  const control: VendorFakes['control'] = (path, body) => fakes.control(path, body)

  const messages = async () => ((await control('state')) as { slack: { channel: string; blocks: object[] }[] }).slack
  const pressed = (value: string, more: object = {}) => ({
    url: `${world.origin}/hooks/slack/actions`,
    form: {
      payload: JSON.stringify({
        type: 'block_actions',
        team: { id: 'T1' },
        user: { id: 'U1', name: 'ann' },
        actions: [{ action_id: 'earshot_done', value }],
      }),
    },
    ...more,
  })

  test('a team is connected, its channels are listed, and a test arrives in one that the app is in', async () => {
    const asked = new URL(await connectUrl(acme)).searchParams
    const { code } = (await control('slack/code', { redirect_uri: asked.get('redirect_uri') })) as { code: string }
    expect(
      (await comeBack(world, `/hooks/slack/oauth?${new URLSearchParams({ code, state: asked.get('state')! })}`)).status,
    ).toBe(200)
    const { body } = await acme.api('GET', '/v1/slack/channels')
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['C1', 'C2'])
    expect(await tryChannel(acme, await makeSlackChannel(acme))).toBeNull()
    expect(await messages()).toHaveLength(1)
    expect(await tryChannel(acme, await makeSlackChannel(acme, { channelId: 'C2' }))).toContain('invite it')
    expect(await tryChannel(acme, await makeSlackChannel(acme, { channelId: 'C3' }))).toContain('archived')
    expect(await tryChannel(acme, await makeSlackChannel(acme, { channelId: 'C9' }))).toContain('does not exist')
  })

  test('a mention arrives after a rate limit, and its button triages it when it is signed', async () => {
    const channelId = await makeSlackChannel(acme)
    expect(
      (
        await acme.api('POST', '/v1/alerts', {
          name: 'All',
          mode: 'instant',
          event: 'mention.matched',
          filter: {},
          channelIds: [channelId],
        })
      ).status,
    ).toBe(201)
    await control('fault', {
      match: 'chat.postMessage',
      times: 1,
      status: 429,
      headers: { 'retry-after': '3' },
      body: { ok: false, error: 'ratelimited' },
    })
    const before = (await messages()).length
    const made = await mention(world, await makeKeyword(acme))
    await score(world, [made])
    pipeline.deliver.wake()
    await eventually(async () => expect(await messages()).toHaveLength(before + 1), {
      clock: world.clock,
      stepMs: 1000,
      withinMs: 20_000,
    })
    world.clock.set(systemClock.now())
    const id = toId('mtn', made.mentionId)
    expect(JSON.stringify((await messages()).at(-1)!.blocks)).toContain(id)
    const status = async () => (await acme.api('GET', `/v1/mentions/${id}`)).body.status
    for (const bad of ['signature', 'old'])
      expect(await control('slack/send', pressed(id, { bad }))).toMatchObject({ status: 401 })
    expect(await status()).toBe('open')
    expect(await control('slack/send', pressed(id))).toMatchObject({ status: 200 })
    expect(await control('slack/send', pressed(id, { retry: 1 }))).toMatchObject({ status: 200 })
    expect(await status()).toBe('done')
  })

  test('the app that was removed is forgotten', async () => {
    const event = {
      type: 'event_callback',
      team_id: 'T1',
      event_id: 'Ev1',
      event_time: Math.floor(systemClock.now().getTime() / 1000) + 1,
      event: { type: 'app_uninstalled' },
    }
    expect(await control('slack/send', { url: `${world.origin}/hooks/slack/events`, json: event })).toMatchObject({
      status: 200,
    })
    expect((await acme.api('GET', '/v1/slack')).status).toBe(404)
  })
})
