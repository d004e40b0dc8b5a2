import { createSign, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeSessions } from '../../../test/rows.ts'
import { useResource } from '../../../test/use-world.ts'
import { forgetGrants } from '../../commands/oauth/forget-grants.ts'
import type { RegisteredClient } from '../../commands/oauth/register-client.ts'
import { clientKeysIn } from '../../domain/oauth/client-keys.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { createDanceFloor, exchangeOf, refreshOf, type TokenAnswer } from './dance.suite.ts'
import { CREDENTIALS_PER_MINUTE } from './network-limit.ts'

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const ISSUER = 'https://earshot.test'
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const otherEc = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const weakRsa = generateKeyPairSync('rsa', { modulusLength: 1024 })

const jwkOf = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more })
const setOf = (...keys: object[]) => JSON.stringify({ keys })
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signed(header: object, claims: object, key: KeyObject = ec.privateKey): string {
  const input = `${part(header)}.${part(claims)}`
  const how = key.asymmetricKeyType === 'ec' ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : key
  return `${input}.${sign('sha256', Buffer.from(input), how).toString('base64url')}`
}

let client: RegisteredClient
const floor = useResource(createDanceFloor)
beforeAll(async () => {
  client = await floor.client({
    authMethod: 'private_key_jwt',
    keys: clientKeysIn({ keys: [jwkOf(ec.publicKey, { kid: 'one' }), jwkOf(rsa.publicKey)] }, undefined),
  })
})
beforeEach(() => floor.world.clock.advance(MINUTE_MS))

let made = 0
function claimsOf({ id }: { id: string }, more: object = {}): object {
  made += 1
  const now = floor.world.clock.now().getTime() / SECOND_MS
  return { iss: id, sub: id, aud: `${ISSUER}/oauth/token`, jti: `statement ${made}`, iat: now, exp: now + 60, ...more }
}

const assertionFor = (item: { id: string }, more: object = {}) =>
  signed({ alg: 'ES256', kid: 'one' }, claimsOf(item, more))
const shownAs = (assertion: string) => ({ client_assertion_type: ASSERTION_TYPE, client_assertion: assertion })
/** What the token endpoint says to a client, of which only who it is can be right. */
const show = (fields: Record<string, string>, item: { id: string } = client): Promise<TokenAnswer> =>
  floor.post('/oauth/token', { ...refreshOf(item, 'x'), ...fields })
const BELIEVED = [400, 'invalid_grant']
const REFUSED = [401, 'invalid_client']
const outcome = ({ status, body }: TokenAnswer) => [status, body.error]

describe('a client that signs', () => {
  test('goes all the way with it, names itself or leaves that to its statement, and gives its tokens back', async () => {
    const code = await floor.code(client)
    const { client_id: _, ...unnamed } = exchangeOf(client, code)
    const first = await floor.post('/oauth/token', { ...unnamed, ...shownAs(assertionFor(client)) })
    expect([first.status, await floor.statusOf(first.body.access_token)]).toEqual([200, 200])
    const second = await floor.post('/oauth/token', {
      ...refreshOf(client, first.body.refresh_token),
      ...shownAs(assertionFor(client)),
    })
    expect(second.status).toBe(200)
    const token = { client_id: client.id, token: second.body.access_token }
    expect((await floor.post('/oauth/revoke', token)).status).toBe(401)
    expect((await floor.post('/oauth/revoke', { ...token, ...shownAs(assertionFor(client)) })).status).toBe(200)
    expect(await floor.statusOf(second.body.access_token)).toBe(401)
  })

  test('with RSA, and without the name of its only key', async () => {
    const single = await floor.client({
      authMethod: 'private_key_jwt',
      keys: clientKeysIn({ keys: [jwkOf(rsa.publicKey)] }, undefined),
    })
    expect(outcome(await show(shownAs(signed({ alg: 'RS256' }, claimsOf(single), rsa.privateKey)), single))).toEqual(
      BELIEVED,
    )
  })

  test.each<[string, object]>([
    ['the issuer', { aud: ISSUER }],
    ['the issuer with a slash', { aud: `${ISSUER}/` }],
    ['us among others', { aud: ['https://other.example', ISSUER] }],
  ])('may mean %s', async (_, more) => {
    expect(outcome(await show(shownAs(assertionFor(client, more))))).toEqual(BELIEVED)
  })

  test('is believed once for each statement, until it would not be believed anyhow', async () => {
    const assertion = assertionFor(client)
    expect(outcome(await show(shownAs(assertion)))).toEqual(BELIEVED)
    expect(outcome(await show(shownAs(assertion)))).toEqual(REFUSED)
    const atOnce = assertionFor(client)
    const answers = await Promise.all(Array.from({ length: 5 }, () => show(shownAs(atOnce))))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(1)
    const kept = async () => (await floor.world.db.query(sql`select 1 from oauth_assertion`)).length
    const before = await kept()
    await forgetGrants(floor.world.services)
    expect(await kept()).toBe(before)
    await floor.world.clock.advance(2 * HOUR_MS)
    await forgetGrants(floor.world.services)
    expect(await kept()).toBe(0)
    expect(outcome(await show(shownAs(assertion)))).toEqual(REFUSED)
  })

  test('twice with the same id of a statement is one client only', async () => {
    const other = await floor.client({ authMethod: 'private_key_jwt', keys: client.keys })
    expect(outcome(await show(shownAs(assertionFor(client, { jti: 'same' }))))).toEqual(BELIEVED)
    expect(outcome(await show(shownAs(assertionFor(other, { jti: 'same' })), other))).toEqual(BELIEVED)
  })

  const second = (by: number) => floor.world.clock.now().getTime() / SECOND_MS + by
  test.each<[string, () => Record<string, string>]>([
    ['nothing', () => ({})],
    ['a secret', () => ({ client_secret: `ecs_${'A'.repeat(43)}` })],
    [
      'another kind of statement',
      () => ({
        ...shownAs(assertionFor(client)),
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer',
      }),
    ],
    ['no kind of statement', () => ({ client_assertion: assertionFor(client) })],
    ['no signature', () => shownAs(`${part({ alg: 'none' })}.${part(claimsOf(client))}.`)],
    [
      'no signature, but something in its place',
      () => shownAs(`${part({ alg: 'none' })}.${part(claimsOf(client))}.AAAA`),
    ],
    ['a public key in the place of a secret', () => shownAs(hmacSigned())],
    [
      'the key of somebody else',
      () => shownAs(signed({ alg: 'ES256', kid: 'one' }, claimsOf(client), otherEc.privateKey)),
    ],
    ['the name of another key', () => shownAs(signed({ alg: 'ES256', kid: 'two' }, claimsOf(client)))],
    [
      'a key of its own choice',
      () => shownAs(signed({ alg: 'ES256', jwk: jwkOf(otherEc.publicKey) }, claimsOf(client), otherEc.privateKey)),
    ],
    ['the algorithm of the other key', () => shownAs(signed({ alg: 'RS256' }, claimsOf(client)))],
    ['a signature in the form of certificates', () => shownAs(derSigned())],
    [
      'other claims than were signed',
      () => shownAs(assertionFor(client).replace(/\.[^.]+\./, `.${part(claimsOf(client))}.`)),
    ],
    [
      'something that it must be understood by',
      () => shownAs(signed({ alg: 'ES256', crit: ['b64'], b64: false }, claimsOf(client))),
    ],
    ['another issuer', () => shownAs(assertionFor(client, { iss: 'https://evil.example' }))],
    ['another subject', () => shownAs(assertionFor(client, { sub: 'somebody' }))],
    ['another audience', () => shownAs(assertionFor(client, { aud: 'https://other.example/oauth/token' }))],
    ['an audience that begins as ours', () => shownAs(assertionFor(client, { aud: `${ISSUER}.evil.example` }))],
    ['no audience', () => shownAs(assertionFor(client, { aud: undefined }))],
    ['no end', () => shownAs(assertionFor(client, { exp: undefined }))],
    ['an end that is no number', () => shownAs(assertionFor(client, { exp: '9999999999' }))],
    ['an end long ago', () => shownAs(assertionFor(client, { exp: second(-61) }))],
    ['an end far away', () => shownAs(assertionFor(client, { exp: second(6 * 60 + 1) }))],
    ['a beginning to come', () => shownAs(assertionFor(client, { nbf: second(61) }))],
    ['no id', () => shownAs(assertionFor(client, { jti: undefined }))],
    ['an empty id', () => shownAs(assertionFor(client, { jti: '' }))],
    ['no name of one of several keys', () => shownAs(signed({ alg: 'ES256' }, claimsOf(client)))],
    ['nonsense', () => shownAs('a.b.c')],
    ['half of it', () => shownAs(assertionFor(client).slice(0, -20))],
    ['too much', () => shownAs(assertionFor(client, { more: 'x'.repeat(8000) }))],
  ])('is not believed with %s', async (_, fields) => {
    expect(outcome(await show(fields()))).toEqual(REFUSED)
  })

  test('is not believed with a statement of another client, nor in two ways at once', async () => {
    const other = await floor.client({ authMethod: 'private_key_jwt', keys: client.keys })
    expect(outcome(await show(shownAs(assertionFor(other))))).toEqual(REFUSED)
    expect(outcome(await show({ ...shownAs(assertionFor(client)), client_secret: 'x' }))).toEqual([
      400,
      'invalid_request',
    ])
    const header = { authorization: `Basic ${Buffer.from(`${client.id}:x`).toString('base64')}` }
    const both = await floor.post(
      '/oauth/token',
      { ...refreshOf(client, 'x'), ...shownAs(assertionFor(client)) },
      header,
    )
    expect(outcome(both)).toEqual([400, 'invalid_request'])
  })

  test('has no key that is too weak or none at all', () => {
    const point = { ...jwkOf(ec.publicKey), use: 'enc' }
    for (const key of [
      jwkOf(weakRsa.publicKey),
      { kty: 'oct', k: 'AAAA' },
      point,
      { kty: 'EC', crv: 'P-384', x: 'A'.repeat(43), y: 'A'.repeat(43) },
      7,
      null,
    ])
      expect(clientKeysIn({ keys: [key] }, undefined)).toBeNull()
    expect(clientKeysIn({ keys: [jwkOf(ec.privateKey)] }, undefined)).toEqual({
      keys: [{ kid: null, algorithm: 'ES256', jwk: expect.not.objectContaining({ d: expect.anything() }) }],
    })
  })

  test('has five keys at most, and none that is dear to check', () => {
    const many = Array.from({ length: 8 }, (_, at) => jwkOf(ec.publicKey, { kid: `k${at}` }))
    expect(clientKeysIn({ keys: many }, undefined)).toMatchObject({
      keys: many.slice(0, 5).map(({ kid }) => ({ kid })),
    })
    expect(clientKeysIn({ keys: [jwkOf(rsa.publicKey, { e: 'AQABAQAB' })] }, undefined)).toBeNull()
  })

  test('with a point beside the curve is refused, and nothing breaks', async () => {
    const keys = clientKeysIn({ keys: [{ kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) }] }, undefined)
    const broken = await floor.client({ authMethod: 'private_key_jwt', keys })
    expect(outcome(await show(shownAs(signed({ alg: 'ES256' }, claimsOf(broken))), broken))).toEqual(REFUSED)
  })

  function hmacSigned(): string {
    const input = `${part({ alg: 'HS256' })}.${part(claimsOf(client))}`
    return `${input}.${Buffer.from('x'.repeat(32)).toString('base64url')}`
  }

  function derSigned(): string {
    const input = `${part({ alg: 'ES256', kid: 'one' })}.${part(claimsOf(client))}`
    return `${input}.${createSign('sha256').update(input).sign(ec.privateKey).toString('base64url')}`
  }
})

test('so many requests a minute are judged for a network, whoever they are from, at both endpoints together', async () => {
  const statuses = []
  for (let at = 0; at < CREDENTIALS_PER_MINUTE; at += 1)
    statuses.push(
      (
        await floor.post(at % 2 === 0 ? '/oauth/token' : '/oauth/revoke', {
          client_id: `nobody ${at}`,
          grant_type: 'refresh_token',
          token: 'x',
        })
      ).status,
    )
  expect(new Set(statuses)).toEqual(new Set([401]))
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    const over = await floor.post(path, { client_id: 'nobody', grant_type: 'refresh_token', token: 'x' })
    expect([over.status, over.body.error, Number(over.headers.get('retry-after')) > 0]).toEqual([
      429,
      'rate_limited',
      true,
    ])
  }
})

describe('a client without keys', () => {
  test('is not believed with a statement that nobody can check', async () => {
    const [plain, keeper] = [await floor.client(), await floor.client({ authMethod: 'client_secret_basic' })]
    for (const client of [plain, keeper])
      expect(outcome(await show(shownAs(assertionFor(client)), client))).toEqual(REFUSED)
  })
})

describe('a client that is described by a document and keeps its keys elsewhere', () => {
  const id = 'https://chat.example/oauth/client.json'
  const keysAt = 'https://chat.example/oauth/jwks.json'
  const redirectUri = 'https://chat.example/callback'
  const document = {
    client_id: id,
    client_name: 'Chat',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'RS256',
    jwks_uri: keysAt,
  }
  const publish = (at: string, what: unknown) => floor.documents.set(at, { text: JSON.stringify(what) })
  const reads = () => floor.read.filter((text) => text === keysAt).length
  const exchange = (code: string, fields: Record<string, string>) =>
    floor.post('/oauth/token', { ...exchangeOf({ id }, code, { redirect_uri: redirectUri }), ...fields })
  const code = () => floor.code({ id }, { redirect_uri: redirectUri })
  const rsaSigned = (key: KeyObject, kid: string) => shownAs(signed({ alg: 'RS256', kid }, claimsOf({ id }), key))
  beforeEach(async () => {
    // Whatever was remembered of keys is over.
    await floor.world.clock.advance(DAY_MS)
    await changeSessions(floor.world, {}, { expiresAt: new Date('2100-01-01') })
    floor.documents.clear()
    floor.read.length = 0
    publish(id, document)
    floor.documents.set(keysAt, { text: setOf(jwkOf(rsa.publicKey, { kid: 'k1', alg: 'RS256', use: 'sig' })) })
  })

  test('gets its tokens for a signature and not without, and its keys are read once for many', async () => {
    const first = await code()
    expect(outcome(await exchange(first, {}))).toEqual(REFUSED)
    expect(reads()).toBe(0)
    expect((await exchange(first, rsaSigned(rsa.privateKey, 'k1'))).status).toBe(200)
    expect((await exchange(await code(), rsaSigned(rsa.privateKey, 'k1'))).status).toBe(200)
    expect(reads()).toBe(1)
  })

  test('may sign where its document also allows not to, and a wrong signature is refused there too', async () => {
    publish(id, { ...document, token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] })
    expect((await exchange(await code(), {})).status).toBe(200)
    const second = await code()
    expect(outcome(await exchange(second, rsaSigned(weakRsa.privateKey, 'k1')))).toEqual(REFUSED)
    expect((await exchange(second, rsaSigned(rsa.privateKey, 'k1'))).status).toBe(200)
  })

  test('may change its keys, and nobody has us read them more than once a minute', async () => {
    const next = generateKeyPairSync('rsa', { modulusLength: 2048 })
    expect((await exchange(await code(), rsaSigned(rsa.privateKey, 'k1'))).status).toBe(200)
    floor.documents.set(keysAt, { text: setOf(jwkOf(next.publicKey, { kid: 'k2' })) })
    const fresh = await code()
    for (let at = 0; at < 5; at += 1)
      expect(outcome(await exchange(fresh, rsaSigned(rsa.privateKey, 'k9')))).toEqual(REFUSED)
    expect(reads()).toBe(1)
    await floor.world.clock.advance(MINUTE_MS)
    expect((await exchange(await code(), rsaSigned(next.privateKey, 'k2'))).status).toBe(200)
    expect(outcome(await exchange(await code(), rsaSigned(rsa.privateKey, 'k1')))).toEqual(REFUSED)
    expect(reads()).toBe(2)
  })

  test.each<[string, object | null]>([
    ['not there', { status: 404 }],
    ['a page', { contentType: 'text/html' }],
    ['empty', { text: '{}' }],
    ['no JSON', { text: '<' }],
    ['out of reach', null],
  ])('is not believed while its keys are %s', async (_, found) => {
    const held = await code()
    const before = floor.documents.get(keysAt)!
    if (found === null) floor.documents.delete(keysAt)
    else floor.documents.set(keysAt, { ...before, ...found })
    expect(outcome(await exchange(held, rsaSigned(rsa.privateKey, 'k1')))).toEqual(REFUSED)
  })

  test('has nothing read for it before a person has allowed it something', async () => {
    const idle = await floor.client({
      authMethod: 'private_key_jwt',
      keys: { address: 'https://victim.example/keys.json' },
    })
    expect(outcome(await show(shownAs(assertionFor(idle)), idle))).toEqual(REFUSED)
    expect(floor.read).toEqual([])
  })
})
