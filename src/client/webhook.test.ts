import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newWebhookSecret } from '../channels/webhook/config.ts'
import { signatureHeaders, signingKeys } from '../channels/webhook/signing.ts'
import { type VerifyOptions, verifyWebhook, type Webhook } from './index.ts'

const secret = newWebhookSecret()
const AT = new Date('2026-11-22T09:30:00Z')
const rule = { id: 'feed_1', name: 'Complaints' }
const MENTION = {
  id: 'dlv_1',
  event: 'mention.complaint',
  createdAt: AT.toISOString(),
  alert: rule,
  data: { id: 'mtn_1' },
}

/** As the service sends it. */
function delivered(envelope: object = MENTION, by = secret) {
  const body = Buffer.from(JSON.stringify(envelope))
  const list = signatureHeaders('dlv_1', body, signingKeys(by)!, AT)
  const headers: Record<string, string> = {}
  for (let at = 0; at < list.length; at += 2) headers[list[at]!] = list[at + 1]!
  return { headers, body }
}

const verify = (request: Parameters<typeof verifyWebhook>[0], options: Partial<VerifyOptions> = {}) =>
  verifyWebhook(request, { secret, now: () => AT.getTime(), ...options })

describe('a delivery of the service', () => {
  test.each(['earshot', 'standard', undefined] as const)('is genuine by the scheme %s', async (scheme) => {
    const webhook = await verify(delivered(), scheme === undefined ? {} : { scheme })
    expect(webhook).toEqual({ ...MENTION, kind: 'mention', alerts: [rule] })
  })

  test('is read from headers of fetch, and with a body of text', async () => {
    const { headers, body } = delivered()
    const request = new Request('https://receiver.example', { method: 'POST', headers, body })
    expect(await verify({ headers: request.headers, body: await request.text() })).toMatchObject({ id: 'dlv_1' })
  })

  test('is genuine by any of several secrets', async () => {
    expect(await verify(delivered(), { secret: [newWebhookSecret(), secret] })).toMatchObject({ id: 'dlv_1' })
  })

  test.each([
    ['digest', { ...MENTION, data: { period: {} } }],
    ['account', { ...MENTION, event: 'wallet.low', alert: null, data: { balance: 1 } }],
    ['test', { ...MENTION, event: 'test', alert: { id: null, name: 'x' }, data: { message: 'Hello' } }],
  ])('is of the kind %s', async (kind, envelope) => {
    expect((await verify(delivered(envelope))).kind satisfies Webhook['kind']).toBe(kind)
  })
})

test('a delivery that a library of Standard Webhooks signed is genuine', async () => {
  const body = JSON.stringify(MENTION)
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(AT.getTime() / 1000),
    'webhook-signature': `v1a,AAAA ${new StandardWebhook(secret).sign('msg_1', AT, body)}`,
  }
  expect(await verify({ headers, body })).toMatchObject({ id: 'dlv_1' })
})

describe('refused is', () => {
  const changed = (name: string, value: string) => {
    const { headers, body } = delivered()
    return { headers: { ...headers, [name]: value }, body }
  }

  test.each([
    ['a changed body', { ...delivered(), body: `${delivered().body} ` }, {}],
    [
      'a changed body, by the standard',
      { ...delivered(), body: `${delivered().body} ` },
      { scheme: 'standard' as const },
    ],
    ['another secret', delivered(MENTION, newWebhookSecret()), {}],
    ['a changed time', changed('X-Mentions-Timestamp', String(AT.getTime() / 1000 + 1)), {}],
    ['another id', changed('webhook-id', 'dlv_2'), { scheme: 'standard' as const }],
    ['a signature of another version', changed('X-Mentions-Signature-V2', 'v3=00'), {}],
    [
      'a cut signature',
      changed('X-Mentions-Signature-V2', delivered().headers['X-Mentions-Signature-V2']!.slice(0, -2)),
      {},
    ],
    ['what is no base64', changed('webhook-signature', 'v1,?'), { scheme: 'standard' as const }],
  ])('%s', async (_, request, options) => {
    await expect(verify(request, options)).rejects.toMatchObject({ code: 'wrong_signature' })
  })

  test.each([-301, 301])('a signature that is %d seconds away', async (seconds) => {
    const now = () => AT.getTime() + seconds * 1000
    await expect(verify(delivered(), { now })).rejects.toMatchObject({ code: 'stale_timestamp' })
    expect(await verify(delivered(), { now, toleranceSeconds: 301 })).toMatchObject({ id: 'dlv_1' })
  })

  test('a request without a signature of the wanted scheme', async () => {
    await expect(verify({ headers: {}, body: '{}' })).rejects.toMatchObject({ code: 'unsigned' })
    const { headers, body } = delivered()
    const { 'webhook-signature': _, ...others } = headers
    await expect(verify({ headers: others, body }, { scheme: 'standard' })).rejects.toMatchObject({ code: 'unsigned' })
  })

  test.each([[], 'text', null, { id: 'dlv_1' }])('the signed body %j', async (body) => {
    await expect(verify(delivered(body as object))).rejects.toMatchObject({ code: 'unreadable_body' })
  })

  test('a secret that is none', async () => {
    await expect(verify(delivered(), { secret: '' })).rejects.toThrow('secret: must begin with whsec_')
    await expect(verify(delivered(), { secret: [] })).rejects.toThrow(TypeError)
  })
})
