import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database-server.ts'
import { createReceiver, type Receiver } from '../../../test/receiver.ts'
import { makeDelivery } from '../../../test/rows.ts'
import { type EarshotProcess, earshot, watchAcme } from '../../../test/stand-ins/earshot-process.ts'
import { freePort } from '../../../test/stand-ins/free-port.ts'
import { startJetstream } from '../../../test/stand-ins/jetstream.ts'
import { eventually } from '../../../test/stand-ins/pipeline.ts'
import { useFreshResource } from '../../../test/use-world.ts'
import { newWebhookSecret } from '../../channels/webhook/config.ts'
import { type Id, newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { startDelivering } from '../../operations/deliveries/delivering.suite.ts'
import { sql } from '../../store/database.ts'
import type { ListenOptions } from './following.ts'
import { follow } from './listen.ts'

describe('following a log', () => {
  let local: Receiver
  let lines: string[]
  let endings: (() => Promise<void>)[]
  const here = useFreshResource(startDelivering)
  beforeEach(async () => {
    local = await createReceiver()
    lines = []
    endings = []
  })
  afterEach(async () => {
    for (const end of endings) await end()
    await local.close()
  })

  /** Of the service; a test may be in its way. */
  type Ask = (path: string) => Promise<Response>
  const secret = newWebhookSecret()

  /** By the clock of the world, on the side of the service too. */
  async function listening(
    more: Partial<ListenOptions> = {},
    between: (ask: Ask) => Ask = (ask) => ask,
  ): Promise<{ running: Promise<void> }> {
    const { world, acme } = here
    const ending = new AbortController()
    const ask = between(async (url) => {
      const reply = await fetch(url, { headers: { authorization: `Bearer ${more.key ?? acme.readKey}` } })
      const { status, headers } = reply
      const kept = { 'retry-after': headers.get('retry-after') ?? '0', date: world.clock.now().toUTCString() }
      return new Response(await reply.text(), { status, headers: kept })
    })
    const fetched: typeof fetch = (input, init) => (init?.method === 'POST' ? fetch(input, init) : ask(String(input)))
    const options = { forwardTo: local.url, key: acme.readKey, url: world.origin, secret, ...more }
    const running = follow(options, {
      clock: world.clock,
      fetch: fetched,
      say: (line) => void lines.push(line),
      signal: ending.signal,
    })
    running.catch(() => undefined)
    endings.push(async () => {
      ending.abort()
      await running.catch(() => undefined)
    })
    const begun = here.soon(() => expect(lines.some((line) => line.startsWith('Forwarding'))).toBe(true), 200)
    begun.catch(() => undefined)
    await Promise.race([begun, running.catch(() => undefined)])
    return { running }
  }
  const ids = () => local.requests.map(({ body }) => body.id)

  test('says at once what it follows, and reads the logs of many channels together', async () => {
    const labels = Array.from({ length: 20 }, (_, number) => `Channel ${number}`)
    for (const label of labels)
      await here.acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://receiver.example/', label })
    let [asking, most] = [0, 0]
    await listening({}, (ask) => async (path) => {
      if (!path.includes('/deliveries?')) return ask(path)
      expect(lines[0]).toBe('Reading the logs of 20 channels')
      asking += 1
      most = Math.max(most, asking)
      try {
        return await ask(path)
      } finally {
        asking -= 1
      }
    })
    await here.soon(() => expect(most).toBe(8), 50)
  })

  test('sends what is new, as it was sent and in order, each once, with a signature of its own', async () => {
    const { channelId, receiver } = await here.route()
    here.run()
    const before = await here.due(channelId)
    await here.soon(async () => expect(await here.statusOf(before)).toBe('delivered'), 50)
    await listening()
    const made: string[] = []
    for (let count = 0; count < 5; count += 1) made.push(await here.due(channelId, { count }))
    await here.soon(() => expect(ids()).toEqual(made), 50)
    // Looks that show them again, and the time in which something may still come late, change nothing.
    await here.soon(() => expect(here.world.clock.monotonicMs()).toBeGreaterThan(90_000), 1000)
    made.push(await here.due(channelId, { count: 5 }))
    await here.soon(() => expect(ids()).toEqual(made), 50)
    expect(local.requests.map(({ raw }) => raw)).toEqual(receiver.received.slice(1).map(({ body }) => body.toString()))
    for (const { raw, headers } of local.requests) {
      const signed = `${headers['x-mentions-timestamp']}.${raw}`
      expect(headers['x-mentions-signature-v2']).toBe(`v2=${createHmac('sha256', secret).update(signed).digest('hex')}`)
      expect(headers['webhook-id']).toBe(JSON.parse(raw).id)
    }
    expect(lines.filter((line) => line.includes(made[0]!))).toEqual([
      expect.stringMatching(/^\S+Z {2}wallet\.low {2}dlv_\w+ {2}204$/),
    ])
  })

  test('waits for what is not sent yet, and does not let the next one pass it', async () => {
    const { channelId } = await here.route()
    await listening({ channel: toId('dest', channelId) })
    const made = [await here.due(channelId), await here.due(channelId)]
    await here.world.db.query(
      sql`update delivery set status = 'delivered', attempts = 1 where id = (select max(id::text)::uuid from delivery)`,
    )
    for (let looks = 0; looks < 20; looks += 1) await here.soon(() => expect(ids()).toEqual([]), 500)
    // Without an attempt in the log there is nothing to forward of the second.
    here.run()
    await here.soon(() => expect(ids()).toEqual(made.slice(0, 1)), 200)
    await here.soon(() => expect(lines.at(-1)).toContain('not sent: delivered'), 200)
  })

  test('finds what appears late behind younger ones', async () => {
    const { channelId } = await here.route()
    const early = newUuid(here.world.clock.now())
    await here.world.clock.advance(5000)
    await listening()
    here.run()
    const younger = await here.due(channelId)
    await here.soon(() => expect(ids()).toEqual([younger]), 100)
    const late = { id: early, at: here.world.clock.now(), queued: true }
    await makeDelivery(here.world, here.acme.workspaceId, channelId, late)
    await here.soon(() => expect(ids()).toEqual([younger, toId('dlv', early)]), 100)
  })

  test('gets over a service that fails, is busy or is away, without losing or doubling anything', async () => {
    const { channelId } = await here.route()
    here.run()
    let asked = 0
    await listening({}, (ask) => async (path) => {
      asked += 1
      if (asked % 3 === 1)
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) })
      if (asked % 3 === 2) return new Response('{}', { status: asked % 2 ? 503 : 429, headers: { 'retry-after': '1' } })
      return ask(path)
    })
    const made: Id[] = []
    for (let count = 0; count < 4; count += 1) made.push((await here.due(channelId)) as Id)
    await here.soon(() => expect(ids()).toEqual(made), 300)
    expect(lines.some((line) => line.endsWith('does not respond (ECONNREFUSED); retrying'))).toBe(true)
    expect(lines.some((line) => line.endsWith('answers again'))).toBe(true)
  })

  test('says that the local server is down, tries again, and then goes on with the next', async () => {
    const { channelId } = await here.route()
    here.run()
    const { url } = local
    await local.close()
    await listening({ forwardTo: url })
    const id = await here.due(channelId)
    await here.soon(
      () => expect(lines.at(-1)).toMatch(new RegExp(`${id} {2}not forwarded: ECONNREFUSED, 5 times$`)),
      200,
    )
    expect(lines.filter((line) => line.includes('retrying'))).toHaveLength(4)
    local = await createReceiver()
  })

  test('reports the status of the local server whatever it is, and follows channels that are made later', async () => {
    await listening()
    local.status = 500
    const { channelId } = await here.route()
    here.run()
    const id = await here.due(channelId)
    await here.soon(() => expect(lines.at(-1)).toContain(`${id}  500`), 200)
    expect(ids()).toEqual([id])
  })

  test.each([
    [{ key: '' }, 3, 'An API key is required'],
    [{ key: 'ref_wrong' }, 3, 'answered 401: Invalid API key or access token'],
    [{ forwardTo: 'localhost:3000' }, 2, '--forward-to: localhost:3000 is not an http or https address.'],
    [{ secret: 'whsec_' }, 2, '--secret must start with whsec_'],
    [
      { channel: toId('dest', '01900000-0000-7000-8000-000000000000' as Uuid) },
      4,
      'This workspace has no channel dest_',
    ],
  ])('%j is refused, with the code %i', async (more, exitCode, message) => {
    const ended = await listening(more)
    await expect(ended.running).rejects.toMatchObject({ exitCode, message: expect.stringContaining(message) })
  })
})

describe('the command', () => {
  test('follows a real service through a restart of it, and ends when it is interrupted', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'earshot-listen-'))
    const [database, jetstream, receiver, local] = [
      await createTestDatabase(),
      await startJetstream(),
      await createReceiver(),
      await createReceiver(),
    ]
    const port = await freePort()
    const environment = {
      DATABASE_URL: database.connection,
      DATA_DIR: dataDir,
      PORT: String(port),
      EGRESS_ALLOW: '127.0.0.1',
      SOURCE_BLUESKY_URL: jetstream.url,
      SOURCE_HACKERNEWS_URL: 'http://127.0.0.1:9',
      EARSHOT_LOG_LEVEL: 'fatal',
    }
    const origin = `http://127.0.0.1:${port}`
    const started = async (): Promise<EarshotProcess> => {
      const service = earshot(['start'], environment)
      await service.says('Earshot is running')
      await eventually(() => expect(jetstream.listeners).toBe(1), { withinMs: 30_000 })
      return service
    }
    const ending: EarshotProcess[] = []
    try {
      const key = (
        await earshot(['keys', 'create', '--workspace', 'Acme', '--scope', 'write'], environment).ended
      ).stdout.trim()
      let service = await started()
      ending.push(service)
      await watchAcme(origin, key, receiver.url)
      const listener = earshot(['listen', '--forward-to', local.url, '--url', origin], { EARSHOT_API_KEY: key })
      ending.push(listener)
      await listener.says('Signed with whsec_')
      jetstream.post('Acme is here')
      await eventually(() => expect(local.requests).toHaveLength(1), { withinMs: 30_000 })
      service.signal('SIGTERM')
      await service.ended
      await listener.says('retrying')
      service = await started()
      ending.push(service)
      await listener.says('answers again')
      jetstream.post('Acme is there')
      await eventually(() => expect(local.requests).toHaveLength(2), { withinMs: 30_000 })
      listener.signal('SIGINT')
      const { code, stdout, stderr } = await listener.ended
      expect([code, stderr]).toEqual([0, ''])
      const secret = /^Signed with (whsec_\S+)$/m.exec(stdout)![1]!
      for (const { raw, headers } of local.requests)
        expect(new Webhook(secret).verify(raw, headers as Record<string, string>)).toBeDefined()
      expect(local.requests.map(({ raw }) => raw)).toEqual(receiver.requests.map(({ raw }) => raw))
      expect(stdout.match(/ {2}mention\.matched {2}dlv_\w{26} {2}204$/gm)).toHaveLength(2)
    } finally {
      for (const process of ending) process.signal('SIGTERM')
      await Promise.all(ending.map(({ ended }) => ended))
      await Promise.all([jetstream.close(), receiver.close(), local.close()])
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }, 180_000)
})
