import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { NO_INSPECTIONS } from '../../../test/stand-ins/inspections.ts'
import { useFreshResource } from '../../../test/use-world.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import { createEgress, type Egress } from '../../kernel/egress.ts'
import { AT, LIMIT_MS, SAMPLE, senderConformance } from '../conformance.suite.ts'
import type { SendResult } from '../contract.ts'
import { type LocalReceiver, type Received, type Situation, startLocalReceiver } from '../local-receiver.suite.ts'
import { newWebhookSecret } from './config.ts'
import { createWebhookSender } from './sender.ts'

const secret = newWebhookSecret()
const userAgent = 'earshot/0.0.1 (test)'
const stored = (url: string) => ({ url, headers: { authorization: 'Bearer hidden-value', 'x-team': 'a b' }, secret })

function fixtureFor(receiver: LocalReceiver, allow = ['127.0.0.1'], clock: Clock = systemClock) {
  const egress = createEgress({ allow })
  return {
    egress,
    sender: createWebhookSender({ egress, inspections: NO_INSPECTIONS, clock, userAgent, limitMs: LIMIT_MS }),
    stored: stored(receiver.url),
    secrets: [secret, secret.slice(6), 'hidden-value'],
    close: () => egress.close(),
  }
}

senderConformance('webhook', fixtureFor)

describe('a webhook request', () => {
  let egress: Egress
  const receiver = useFreshResource(startLocalReceiver)
  beforeEach(() => {
    egress = createEgress({ allow: ['127.0.0.1'], connectionsPerOrigin: 32 })
  })
  afterEach(() => egress.close())

  const never = new AbortController().signal
  const prepare = (data: object = SAMPLE.data, at = AT, url = receiver.url) => {
    const sender = createWebhookSender({
      egress,
      inspections: NO_INSPECTIONS,
      clock: systemClock,
      userAgent,
      limitMs: LIMIT_MS,
    })
    const config = sender.readConfig(stored(url))
    if (isRefusal(config)) throw new Error(config.message)
    return { sender, request: sender.render({ ...SAMPLE, data }, config, at) }
  }
  const send = async (situation: Situation = { kind: 'accepts' }, data?: object, at?: Date): Promise<SendResult> => {
    receiver.play(situation)
    const { sender, request } = prepare(data, at)
    return sender.send(request, never)
  }
  const got = (): Received => receiver.received[0]!

  test('is a POST of the envelope to the whole address, with the caller’s headers', async () => {
    const { sender, request } = prepare(SAMPLE.data, AT, `${receiver.url}/a%20b?c=d`)
    expect(await sender.send(request, never)).toMatchObject({ outcome: 'delivered', status: 200, replyExcerpt: 'ok' })
    expect(got()).toMatchObject({ method: 'POST', path: '/hook/a%20b?c=d' })
    expect(got().headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': userAgent,
      authorization: 'Bearer hidden-value',
      'x-team': 'a b',
    })
    expect(got().headers['content-length']).toBe(String(got().body.length))
    expect(JSON.parse(got().body.toString())).toEqual({
      id: SAMPLE.id,
      event: SAMPLE.event,
      createdAt: AT.toISOString(),
      alert: SAMPLE.alerts[0],
      data: SAMPLE.data,
    })
  })

  test('carries both signatures of the service over the raw body, with the whole secret as key', async () => {
    await send()
    const { headers, body } = got()
    const timestamp = String(Math.floor(AT.getTime() / 1000))
    expect(headers['x-mentions-timestamp']).toBe(timestamp)
    expect(headers['x-mentions-signature-v2']).toBe(
      `v2=${createHmac('sha256', secret).update(`${timestamp}.${body.toString()}`).digest('hex')}`,
    )
    expect(headers['x-mentions-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'))
  })

  test('is verified by the Standard Webhooks library, and not when a byte is changed', async () => {
    await send({ kind: 'accepts' }, SAMPLE.data, systemClock.now())
    const headers = got().headers as Record<string, string>
    expect(headers['webhook-id']).toBe(SAMPLE.id)
    expect(new Webhook(secret).verify(got().body, headers)).toMatchObject({ id: SAMPLE.id })
    const altered = Buffer.from(got().body)
    altered[20] = altered[20]! ^ 1
    expect(() => new Webhook(secret).verify(altered, headers)).toThrow()
    expect(() => new Webhook(newWebhookSecret()).verify(got().body, headers)).toThrow()
  })

  test('has the same id and another timestamp and signature when it is tried later', () => {
    const first = prepare().sender.shown(prepare().request).headers
    const later = prepare().sender.shown(prepare(SAMPLE.data, new Date(AT.getTime() + 30_000)).request).headers
    expect(later['webhook-id']).toBe(first['webhook-id'])
    for (const name of ['X-Mentions-Timestamp', 'X-Mentions-Signature-V2', 'X-Mentions-Signature', 'webhook-signature'])
      expect(later[name]).not.toBe(first[name])
  })

  test('is shown with signatures and body, but with the caller’s header values hidden', () => {
    const { sender, request } = prepare()
    const shown = sender.shown(request)
    expect(shown.headers).toMatchObject({
      authorization: '(hidden)',
      'x-team': '(hidden)',
      'Content-Type': 'application/json',
    })
    expect(shown.body).toEqual(request.body)
  })

  test('is sent up to 1 MiB and never above', async () => {
    const base = prepare({ text: '' }).request.body.length
    expect(await send({ kind: 'accepts' }, { text: 'x'.repeat(1024 * 1024 - base) })).toMatchObject({
      outcome: 'delivered',
    })
    expect(await send({ kind: 'accepts' }, { text: 'x'.repeat(1024 * 1024 - base + 1) })).toMatchObject({
      outcome: 'permanent',
      reason: 'payload over 1 MiB',
      status: null,
    })
    expect(receiver.received).toHaveLength(1)
  })

  test.each([200, 201, 202, 204, 299])('is delivered by status %i', async (status) => {
    expect(await send({ kind: 'answers', status })).toMatchObject({ outcome: 'delivered', status })
  })

  test.each(['drips a body', 'half a body', 'endless body', 'interim replies'] as const)(
    'is delivered when a receiver that fits "%s" has said 200',
    async (kind) => {
      expect(await send({ kind })).toMatchObject({ outcome: 'delivered', status: 200 })
    },
  )

  test('lets go of a reply that drips on, and of its connection, a second after the headers', async () => {
    const result = await send({ kind: 'drips a body' })
    expect(result.durationMs).toBeLessThan(2500)
    await receiver.allClosed()
  })

  test('keeps the connection for the next one after an ordinary reply', async () => {
    const { sender, request } = prepare()
    for (const body of ['', 'short', 'x'.repeat(60_000)]) {
      receiver.play({ kind: 'answers', status: 200, body })
      await sender.send(request, never)
      expect(receiver.openConnections()).toBe(1)
      // The dispatcher gives a connection free in the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve))
    }
  })

  test('keeps the first 2 KiB of a reply, safe to store', async () => {
    expect(
      (await send({ kind: 'answers', status: 400, body: `a\u0000b\r\nc${'é'.repeat(5000)}` })).replyExcerpt,
    ).toMatch(/^ab\ncé+\uFFFD?$/)
    expect(
      Buffer.byteLength((await send({ kind: 'answers', status: 400, body: 'y'.repeat(9000) })).replyExcerpt!),
    ).toBe(2048)
    expect(
      Buffer.byteLength(
        (await send({ kind: 'answers', status: 400, headers: {}, body: '\uFFFD'.repeat(3000) })).replyExcerpt!,
      ),
    ).toBeLessThanOrEqual(2048)
  })

  test('is not sent to an address that is not public, for good and without naming it', async () => {
    const strict = createEgress({ allow: ['receiver.test'], lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
    const sender = createWebhookSender({
      egress: strict,
      inspections: NO_INSPECTIONS,
      clock: systemClock,
      userAgent,
      limitMs: LIMIT_MS,
    })
    const config = sender.readConfig(stored('https://public-looking.example/hook'))
    if (isRefusal(config)) throw new Error(config.message)
    const result = await sender.send(sender.render(SAMPLE, config, AT), never)
    expect(result).toMatchObject({
      outcome: 'permanent',
      reason: 'the host has an address that is not public',
      status: null,
    })
    await strict.close()
  })

  test('is refused when the operator has taken back the exemption of its address', async () => {
    const strict = createEgress({ allow: [] })
    const sender = createWebhookSender({ egress: strict, inspections: NO_INSPECTIONS, clock: systemClock, userAgent })
    expect(sender.readConfig(stored(receiver.url))).toMatchObject({ message: 'url: must be an https URL' })
    expect(sender.readConfig({ ...stored('https://example.com/'), secret: 'plain' })).toMatchObject({
      message: 'secret: cannot be read',
    })
    expect(sender.readConfig({ ...stored('https://example.com/'), headers: { host: 'x' } })).toMatchObject({
      code: 'validation_error',
    })
    await strict.close()
  })

  test('that waits for a free connection beyond the limit is given up and not sent afterwards', async () => {
    receiver.play({ kind: 'silent' })
    const { sender, request } = prepare()
    const results = await Promise.all(Array.from({ length: 80 }, () => sender.send(request, never)))
    expect(new Set(results.map((result) => result.outcome))).toEqual(new Set(['temporary']))
    await receiver.allClosed()
    const sent = receiver.received.length
    expect(sent).toBeLessThan(80)
    receiver.play({ kind: 'accepts' })
    expect(await sender.send(request, never)).toMatchObject({ outcome: 'delivered' })
    expect(receiver.received).toHaveLength(sent + 1)
  })

  test.each([
    ['is no http server', 'the reply is not valid HTTP'],
    ['headers without measure', 'the headers of the reply are too large'],
    ['resets', 'the connection was reset'],
    ['closes', 'the connection was closed without a reply'],
    ['silent', 'no reply within 1.2 s'],
  ] as const)('says of a receiver that fits "%s": %s', async (kind, reason) => {
    expect(await send({ kind })).toMatchObject({ outcome: 'temporary', reason })
  })

  test('names a TLS failure by its code', async () => {
    const { sender, request } = prepare(SAMPLE.data, AT, receiver.url.replace('http:', 'https:'))
    const result = await sender.send(request, never)
    expect(result).toMatchObject({
      outcome: 'temporary',
      status: null,
      reason: expect.stringMatching(/^no trusted TLS connection \([A-Z0-9_]+\)$/),
    })
  })
})
