import { afterAll, describe, expect, test } from 'vitest'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { createEgress } from '../../kernel/egress.ts'
import type { ChannelSettings } from '../contract.ts'
import { createWebhookSetup, newWebhookSecret, type WebhookDestination, type WebhookInput } from './config.ts'

const egress = createEgress({ allow: [] })
afterAll(() => egress.close())
const setup = createWebhookSetup(egress)

const create = (input: Partial<WebhookInput> = {}) => setup.create({ url: 'https://hooks.example.com/in', ...input })
const created = (input: Partial<WebhookInput> = {}): ChannelSettings<WebhookDestination> => {
  const settings = create(input)
  if (isRefusal(settings)) throw new Error(settings.message)
  return settings
}
const message = (input: Partial<WebhookInput>) => {
  const settings = create(input)
  return isRefusal(settings) ? settings.message : null
}

describe('setting up a webhook', () => {
  test('needs no more than an address; the label is its host', () => {
    expect(create()).toEqual({
      label: 'hooks.example.com',
      config: { url: 'https://hooks.example.com/in', headers: {} },
      events: [],
    })
    expect(created({ url: 'https://hooks.example.com:8443/' }).label).toBe('hooks.example.com:8443')
  })

  test('keeps the address in its normal form and without a fragment', () => {
    expect(created({ url: 'HTTPS://Hooks.Example.com:443/a/../in?b=c#d' }).config.url).toBe(
      'https://hooks.example.com/in?b=c',
    )
  })

  test('refuses an address that is not public https, naming the field', () => {
    expect(message({ url: 'http://hooks.example.com/' })).toBe('url: must be an https URL')
    expect(message({ url: 'https://127.1/' })).toBe('url: must lead to a public address')
  })

  test('keeps a label on one line, within 1 to 100 characters', () => {
    expect(created({ label: ' Team\n room ' }).label).toBe('Team room')
    for (const label of ['', '  ', 'x'.repeat(101)])
      expect(message({ label })).toBe('label: must have 1 to 100 characters')
  })

  test('keeps header names in lower case and values as they are', () => {
    const value = `${' !"~'.repeat(256)}`
    expect(
      created({ headers: { 'X-Team': value, Authorization: 'Bearer a', constructor: 'c', empty: '' } }).config.headers,
    ).toEqual({
      'x-team': value,
      authorization: 'Bearer a',
      constructor: 'c',
      empty: '',
    })
  })

  test.each([
    'Content-Type',
    'content-length',
    'Content-Encoding',
    'HOST',
    'Connection',
    'Keep-Alive',
    'Transfer-Encoding',
    'Upgrade',
    'TE',
    'Trailer',
    'Expect',
    'User-Agent',
    'Proxy-Authorization',
    'Proxy-Connection',
    'X-Mentions-Timestamp',
    'x-mentions-signature-v2',
    'X-Mentions-Anything',
    'webhook-id',
    'Webhook-Signature',
  ])('refuses %s, which the service or the transport sets', (name) => {
    expect(message({ headers: { [name]: 'x' } })).toBe(
      `headers.${name.toLowerCase()}: is set by the service and cannot be changed`,
    )
  })

  test('refuses names and values outside the allowed characters and lengths', () => {
    for (const name of ['', 'a b', 'a_b', 'a:b', 'a\r\nb', 'ä', '\u212aey', '__proto__'])
      expect(message({ headers: Object.fromEntries([[name, 'x']]) }), name).toMatch(
        /^headers\..*: must have a name of letters, digits and hyphens$/s,
      )
    for (const value of ['a\r\nX-Evil: 1', 'tab\t', 'ä', '\u0000', '\u007f'])
      expect(message({ headers: { 'X-Foo': value } })).toBe('headers.x-foo: must hold printable ASCII characters only')
    expect(message({ headers: { 'X-Foo': 'x'.repeat(1025) } })).toBe('headers.x-foo: must have at most 1024 characters')
    expect(message({ headers: { ['x'.repeat(101)]: '' } })).toMatch(/: must have a name of at most 100 characters$/)
    expect(message({ headers: { 'X-Foo': 'a', 'x-foo': 'b' } })).toBe(
      'headers.x-foo: is named twice, upper and lower case are the same',
    )
  })

  test('takes twenty headers and no more', () => {
    const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, 'v']))
    expect(isRefusal(create({ headers: headers(20) }))).toBe(false)
    expect(message({ headers: headers(21) })).toBe('headers: must be at most 20')
  })

  test('takes account events by name, each once', () => {
    expect(created({ events: ['wallet.low', 'mention.spike', 'wallet.low'] }).events).toEqual([
      'wallet.low',
      'mention.spike',
    ])
    expect(message({ events: ['wallet.low', 'constructor'] })).toMatch(
      /^events: "constructor" is none of keyword\.capped, /,
    )
  })

  test('makes secrets of 32 random bytes, each another one', () => {
    const secrets = new Set(Array.from({ length: 50 }, newWebhookSecret))
    expect(secrets.size).toBe(50)
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    }
    expect(setup.newSecret()).toMatch(/^whsec_/)
  })
})

describe('changing a webhook', () => {
  const current = created({ label: 'Mine', headers: { 'x-a': '1' }, events: ['wallet.low'] })
  const change = (input: Partial<WebhookInput>) => {
    const changed = setup.change(current, input)
    if (isRefusal(changed)) throw new Error(changed.message)
    return changed
  }

  test('keeps what is not named and replaces lists whole', () => {
    expect(change({})).toEqual({ settings: current, cancelsUnsent: false })
    expect(change({ events: ['wallet.paused'] }).settings).toEqual({ ...current, events: ['wallet.paused'] })
    expect(change({ headers: { 'x-b': '2' } }).settings.config.headers).toEqual({ 'x-b': '2' })
    expect(change({ url: 'https://other.example.com/' }).settings.label).toBe('Mine')
  })

  test('cancels unsent deliveries when address or headers really change', () => {
    expect(change({ url: 'https://other.example.com/' }).cancelsUnsent).toBe(true)
    expect(change({ headers: {} }).cancelsUnsent).toBe(true)
    expect(change({ headers: { 'x-a': '2' } }).cancelsUnsent).toBe(true)
    expect(change({ headers: { 'x-b': '1' } }).cancelsUnsent).toBe(true)
    expect(change({ url: 'https://HOOKS.example.com/in', headers: { 'X-A': '1' }, label: 'Other' }).cancelsUnsent).toBe(
      false,
    )
  })

  test('refuses what creation refuses', () => {
    expect(setup.change(current, { url: 'https://10.0.0.1/' })).toMatchObject({
      code: 'validation_error',
      message: 'url: must lead to a public address',
    })
    expect(setup.change(current, { headers: { host: 'x' } })).toMatchObject({
      message: 'headers.host: is set by the service and cannot be changed',
    })
  })
})
