import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import { until } from '../../../test/until.ts'
import { DOCUMENT_BYTES, DOCUMENT_MS } from '../../domain/oauth/client-document.ts'
import { createEgress, type Egress } from '../../kernel/egress.ts'
import { createDocumentFetch } from './fetch-document.ts'

const ending: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
})

/** A server of a stranger, with TLS, and a way to it that trusts its certificate. */
async function createSite(answer: RequestListener) {
  const asked: { url: string; headers: Record<string, unknown> }[] = []
  const server = createServer({ cert: CERTIFICATE, key: KEY }, (request, reply) => {
    asked.push({ url: request.url!, headers: request.headers })
    answer(request, reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const dispatcher = new Agent({ connect: { ca: CERTIFICATE } })
  ending.push(
    () => dispatcher.destroy(),
    () => new Promise((resolve) => server.close(resolve)),
  )
  server.on('connection', (socket) => ending.unshift(async () => socket.destroy()))
  const egress: Egress = { dispatcher, check: () => null, close: async () => undefined }
  const clock = createTestClock()
  return {
    asked,
    clock,
    address: `https://localhost:${(server.address() as AddressInfo).port}/client.json`,
    fetchDocument: createDocumentFetch(egress, clock, 'Earshot test'),
  }
}

test('a document comes with what says how long it holds, and nothing of ours goes out', async () => {
  const { fetchDocument, address, asked } = await createSite((_request, reply) =>
    reply
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=60', age: '7' })
      .end('{"a":"ü"}'),
  )
  expect(await fetchDocument(address)).toEqual({
    status: 200,
    contentType: 'application/json',
    cacheControl: 'max-age=60',
    ageSeconds: 7,
    text: '{"a":"ü"}',
  })
  expect(Object.keys(asked[0]!.headers).sort()).toEqual([
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ])
})

test('a redirect is not followed', async () => {
  const { fetchDocument, address, asked } = await createSite((_request, reply) =>
    reply.writeHead(302, { location: '/other.json' }).end(),
  )
  expect(await fetchDocument(address)).toMatchObject({ status: 302 })
  expect(asked.map(({ url }) => url)).toEqual(['/client.json'])
})

test('a document may be as large as the limit, and one byte more is none', async () => {
  let bytes = DOCUMENT_BYTES
  const { fetchDocument, address } = await createSite((_request, reply) => reply.end('x'.repeat(bytes)))
  expect((await fetchDocument(address))!.text).toHaveLength(DOCUMENT_BYTES)
  bytes += 1
  expect(await fetchDocument(address)).toBeNull()
})

test('one without an end, or packed small, is none', async () => {
  const endless = await createSite((_request, reply) => {
    const more = () => {
      while (!reply.destroyed && reply.write('x'.repeat(4096)));
    }
    reply.on('drain', more)
    more()
  })
  expect(await endless.fetchDocument(endless.address)).toBeNull()
  const packed = await createSite((_request, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end('x'))
  expect(await packed.fetchDocument(packed.address)).toBeNull()
})

test.each(['before the answer', 'within it'])('one that takes too long %s is cut off', async (when) => {
  const { fetchDocument, address, asked, clock } = await createSite((_request, reply) => {
    if (when === 'within it') reply.write('{')
  })
  const reading = fetchDocument(address)
  await until(() => asked.length === 1)
  await clock.advance(DOCUMENT_MS)
  expect(await reading).toBeNull()
})

test('a connection that is cut is none, and neither is a server that nobody trusts', async () => {
  const { fetchDocument, address } = await createSite((request) => request.socket.destroy())
  expect(await fetchDocument(address)).toBeNull()
  const untrusted = createEgress({ allow: ['127.0.0.1', 'localhost'] })
  ending.push(() => untrusted.close())
  const { address: other } = await createSite((_request, reply) => reply.end('{}'))
  expect(await createDocumentFetch(untrusted, createTestClock(), 'Earshot test')(other)).toBeNull()
})

test.each([
  'https://127.0.0.1/c.json',
  'https://localhost/c.json',
  'https://10.0.0.1/c.json',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/c.json',
  'https://2130706433/c.json',
  'http://app.example/c.json',
  'file:///etc/passwd',
])('%s is not even asked', async (address) => {
  const egress = createEgress({ allow: [], lookup: async () => expect.fail('a name was looked up') })
  ending.push(() => egress.close())
  expect(await createDocumentFetch(egress, createTestClock(), 'Earshot test')(address)).toBeNull()
})

test('a public name that leads to an address that is not is asked nothing', async () => {
  const { address, asked } = await createSite((_request, reply) => reply.end('{}'))
  const egress = createEgress({ allow: [], lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
  ending.push(() => egress.close())
  expect(
    await createDocumentFetch(egress, createTestClock(), 'Earshot test')(address.replace('localhost', 'app.example')),
  ).toBeNull()
  expect(asked).toEqual([])
})

/** For localhost and 127.0.0.1. Known to everybody, and trusted by nobody but this test. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUQkigLmh+ZvfjHgiNwd+bqDenpdowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE5MTkyOVoYDzIxMjYxMDI4
MTkxOTI5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT1+MRSP7fCAkhfc1Cwezn7tdVcPHLJHOP0lST991YE5TmOch9UnMJH
ZtvqLo5cSitkjFZnZzOySDg1f2vhQ/3wo28wbTAdBgNVHQ4EFgQUuM+IAHpYE5Jh
524DKXlzhrmlIDgwHwYDVR0jBBgwFoAUuM+IAHpYE5Jh524DKXlzhrmlIDgwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAPpwB0LX/6VR4VokdYLk/RVYt1P23sePYl9dTCHhIX7bAiBb
XpSpRvgiJSBqTg8oOF+20ZyIWGwjEljUUHDDGKd3XA==
-----END CERTIFICATE-----
`
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgM5Y355J3H5xjeeK6
5XowqNdhKFXX8fW2DwrkzZiL/rWhRANCAAT1+MRSP7fCAkhfc1Cwezn7tdVcPHLJ
HOP0lST991YE5TmOch9UnMJHZtvqLo5cSitkjFZnZzOySDg1f2vhQ/3w
-----END PRIVATE KEY-----
`
