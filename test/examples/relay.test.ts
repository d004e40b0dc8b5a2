import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { startLocalReceiver } from '../../src/channels/local-receiver.suite.ts'
import { freePort } from '../stand-ins/free-port.ts'
import { useFreshResource } from '../use-world.ts'
import { createSender, HOSTILE, PROJECT, type Sender, useDeliveries } from './deliveries.ts'

const here = useDeliveries()
const target = useFreshResource(() => startLocalReceiver())
const relays: ChildProcess[] = []
afterEach(async () => {
  for (const relay of relays.splice(0)) {
    relay.kill()
    if (relay.exitCode === null && relay.signalCode === null) await once(relay, 'exit')
  }
})

function spawnRelay(environment: Record<string, string>): ChildProcess {
  const relay = spawn(process.execPath, ['examples/relay.mjs'], { cwd: PROJECT, env: environment })
  relays.push(relay)
  return relay
}

interface Relay extends Sender {
  url: string
}

/** A relay to the target, and a workspace that sends to the relay. */
async function startRelay(kind: 'discord' | 'teams' | 'flat'): Promise<Relay> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const sender = await createSender(here, url)
  const { secret } = sender
  const settings = { RELAY_SECRET: secret, RELAY_TARGET: kind, RELAY_URL: target.url, RELAY_PORT: String(port) }
  const relay = spawnRelay(settings)
  await Promise.race([
    once(relay.stdout!, 'data'),
    once(relay, 'exit').then(() => Promise.reject(new Error('the relay ended'))),
  ])
  return { ...sender, url }
}

const bodies = () => target.received.map(({ body }) => JSON.parse(body.toString()))
const arrived = (count: number) => here.soon(() => expect(target.received.length).toBe(count), 200)

function signedHeaders(secret: string, body: string, atSeconds: number): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')
  return { 'x-mentions-timestamp': String(atSeconds), 'x-mentions-signature-v2': `v2=${signature}` }
}
const nowSeconds = () => Math.floor(Date.now() / 1000)

test('Discord gets a mention that notifies nobody, formats nothing and keeps to the limits', async () => {
  const relay = await startRelay('discord')
  await relay.send({ text: HOSTILE.repeat(40), title: HOSTILE.repeat(4), url: 'https://example.com/post' })
  await arrived(1)
  expect(new URL(target.received[0]!.path, target.url).searchParams.get('wait')).toBe('true')
  const [body] = bodies()
  const [embed] = body.embeds
  expect(body).toEqual({ allowed_mentions: { parse: [] }, embeds: [embed] })
  expect(embed.url).toBe('https://example.com/post')
  expect(embed.footer).toEqual({ text: 'bluesky · Somebody · Rocket' })
  for (const [text, limit] of [
    [embed.title, 256],
    [embed.description, 4096],
  ]) {
    expect(text.length).toBeLessThanOrEqual(limit)
    expect(text).toContain(String.raw`\@everyone \<\!channel\> \*\*\[free\]\(https\:\/\/evil\.example\)\*\* \`x\` \#`)
    expect(text).not.toContain('\u202e')
    expect(text.replace(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[!-/:-@[-`{-~]/)
  }
})

test('Teams gets a card whose texts no element reads as Markdown', async () => {
  const relay = await startRelay('teams')
  await relay.send({ text: HOSTILE, title: null, url: 'https://example.com/post' })
  await arrived(1)
  const [{ type, attachments }] = bodies()
  expect([type, attachments.length]).toEqual(['message', 1])
  const [{ contentType, contentUrl, content }] = attachments
  expect([contentType, contentUrl]).toEqual(['application/vnd.microsoft.card.adaptive', null])
  expect([content.type, content.version]).toEqual(['AdaptiveCard', '1.4'])
  expect(content.body.map((element: { type: string }) => element.type)).toEqual(Array(3).fill('RichTextBlock'))
  const runs = content.body.flatMap(({ inlines }: { inlines: { type: string; text: string }[] }) => inlines)
  expect(runs.map((run: { type: string }) => run.type)).toEqual(Array(3).fill('TextRun'))
  expect(runs.map((run: { text: string }) => run.text)).toEqual([
    'Mention of Rocket',
    HOSTILE.replace('\u202e', ''),
    'bluesky · Somebody · Rocket',
  ])
  expect(content.actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open', url: 'https://example.com/post' }])
})

test('a Slack workflow gets strings under fixed names, without brackets that Slack would read', async () => {
  const relay = await startRelay('flat')
  await relay.send({ text: HOSTILE, author: null })
  await arrived(1)
  const [body] = bodies()
  expect(body).toEqual({
    id: expect.stringMatching(/^dlv_/),
    event: 'mention.matched',
    keyword: 'Rocket',
    platform: 'bluesky',
    author: '',
    title: 'Mention of Rocket',
    text: HOSTILE.replace('\u202e', '').replaceAll('<', '‹').replaceAll('>', '›'),
    url: 'https://bsky.app/profile/somebody.example/post/1',
  })
})

test('a test, a digest and an account event are told too', async () => {
  const relay = await startRelay('flat')
  const period = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }
  for (const [event, data] of [
    ['test', { message: 'It works.' }],
    ['digest', { period, counts: { relevant: 7, negative: 1 } }],
    ['mention.spike', { url: 'https://earshot.test/attention', matches: 9 }],
  ] as const) {
    const body = JSON.stringify({ id: `dlv_${event}`, event, data })
    const headers = signedHeaders(relay.secret, body, nowSeconds())
    expect((await fetch(relay.url, { method: 'POST', headers, body })).status).toBe(204)
  }
  expect(bodies()).toMatchObject([
    { title: 'test', text: 'It works.', url: '' },
    { title: 'Mentions until 2026-11-21T00:00:00Z', text: '7 relevant mentions' },
    { title: 'mention.spike', url: 'https://earshot.test/attention' },
  ])
})

test('Earshot repeats what the target refuses, when the target allows it, and its log has the reason', async () => {
  const relay = await startRelay('discord')
  target.play({ kind: 'answers', status: 429, headers: { 'retry-after': '64.2' } })
  const before = here.world.clock.now().getTime()
  await relay.send({ text: 'Late' })
  await arrived(1)
  target.play({ kind: 'accepts' })
  await here.soon(() => expect(target.received.length).toBe(2), 1000)
  expect(here.world.clock.now().getTime() - before).toBeGreaterThanOrEqual(65_000)
  expect(bodies()[1]).toEqual(bodies()[0])
  const [delivery] = (await relay.workspace.api('GET', '/v1/deliveries')).body.data
  await here.soon(async () => expect(await here.statusOf(delivery.id)).toBe('delivered'), 200)
  const { body } = await relay.workspace.api('GET', `/v1/deliveries/${delivery.id}`)
  expect(JSON.stringify(body.attemptLog)).toContain('discord answered 429')
})

test('a delivery that comes twice, even at the same time, is posted once', async () => {
  const { url, secret } = await startRelay('flat')
  const body = JSON.stringify({ id: 'dlv_1', event: 'test', data: { message: 'Once' } })
  const send = async () =>
    (await fetch(url, { method: 'POST', headers: signedHeaders(secret, body, nowSeconds()), body })).status
  expect(await Promise.all([send(), send()])).toEqual([204, 204])
  expect(await send()).toBe(204)
  expect(target.received.length).toBe(1)
})

test.each([
  ['no signature', () => ({})],
  ['another secret', (body: string) => signedHeaders('whsec_another', body, nowSeconds())],
  ['an old timestamp', (body: string, secret: string) => signedHeaders(secret, body, nowSeconds() - 301)],
])('a request with %s is refused and not posted', async (_, headersOf) => {
  const { url, secret } = await startRelay('flat')
  const body = JSON.stringify({ id: 'dlv_1', event: 'test', data: { message: 'Forged' } })
  expect((await fetch(url, { method: 'POST', headers: headersOf(body, secret), body })).status).toBe(401)
  expect(target.received).toEqual([])
})

test('settings that are missing are named', async () => {
  const relay = spawnRelay({ RELAY_TARGET: 'constructor', RELAY_SECRET: 'whsec_x', RELAY_URL: target.url })
  const [[code], [message]] = await Promise.all([once(relay, 'exit'), once(relay.stderr!, 'data')])
  expect([code, String(message)]).toEqual([2, expect.stringContaining('RELAY_TARGET (discord, teams or flat)')])
})
