import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createTestClock } from '../../../../test/clock.ts'
import { until } from '../../../../test/until.ts'
import { createEgress } from '../../../kernel/egress.ts'
import { createPictureFetch } from './fetch-picture.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest of it', 'latin1')
const MOST = 512 * 1024

const ending: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
})

/** A server of a stranger that may be asked, and nothing else may. */
async function createSite(answer: RequestListener) {
  const asked: { url: string; headers: Record<string, unknown> }[] = []
  const server = createServer((request, reply) => {
    asked.push({ url: request.url!, headers: request.headers })
    answer(request, reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const egress = createEgress({ allow: [`127.0.0.1:${port}`] })
  ending.push(
    () => egress.close(),
    () => new Promise((resolve) => server.close(resolve)),
  )
  const clock = createTestClock()
  const fetchPicture = createPictureFetch({ egress, clock, userAgent: 'Earshot test' })
  const { signal } = new AbortController()
  const address = (path: string) => `http://127.0.0.1:${port}${path}`
  return {
    asked,
    clock,
    address,
    fetchPicture,
    picture: (path = '/a.png') => fetchPicture(address(path), signal),
  }
}

test('a picture comes with the type of its bytes, and nothing of ours goes out', async () => {
  const { picture, asked } = await createSite((_request, reply) =>
    reply.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end(PNG),
  )
  expect(await picture()).toEqual({ type: 'image/png', bytes: PNG })
  expect(Object.keys(asked[0]!.headers).sort()).toEqual([
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ])
})

test.each([
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF89a', 'image/gif'],
  ['RIFF1234WEBPVP8 ', 'image/webp'],
  ['\0\0\0\x1cftypavif', 'image/avif'],
])('bytes that begin with %j are %s', async (beginning, type) => {
  const { picture } = await createSite((_request, reply) => reply.end(Buffer.from(beginning, 'latin1')))
  expect((await picture())?.type).toBe(type)
})

test.each([
  '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  '<!doctype html><script>alert(1)</script>',
  '',
  'RIFF1234WAVE',
])('%j is no picture, whatever type it names', async (text) => {
  const { picture } = await createSite((_request, reply) =>
    reply.writeHead(200, { 'content-type': 'image/png' }).end(text),
  )
  expect(await picture()).toBeNull()
})

test('a picture may be as large as the limit, and one byte more is none', async () => {
  let bytes = MOST
  const { picture } = await createSite((_request, reply) => reply.end(Buffer.concat([PNG], bytes)))
  expect((await picture())?.bytes).toHaveLength(MOST)
  bytes += 1
  expect(await picture()).toBeNull()
})

test('two redirects are followed, and a third is not', async () => {
  const { picture, asked } = await createSite((request, reply) => {
    const left = Number(request.url!.slice(1))
    if (left > 0) reply.writeHead(302, { location: `/${left - 1}` }).end()
    else reply.end(PNG)
  })
  expect(await picture('/2')).not.toBeNull()
  expect(await picture('/3')).toBeNull()
  expect(asked.map(({ url }) => url)).toEqual(['/2', '/1', '/0', '/3', '/2', '/1'])
})

test.each(['http://127.0.0.1:9/', 'https://169.254.169.254/latest/meta-data', 'file:///etc/passwd', 'no address://'])(
  'a redirect to %s leads nowhere',
  async (location) => {
    const { picture, asked } = await createSite((_request, reply) => reply.writeHead(302, { location }).end())
    expect(await picture()).toBeNull()
    expect(asked.length).toBeGreaterThan(0)
  },
)

test.each([404, 500, 206])('an answer %d is no picture', async (status) => {
  const { picture } = await createSite((_request, reply) => reply.writeHead(status).end(PNG))
  expect(await picture()).toBeNull()
})

test.each(['before the answer', 'within it'])('one that takes too long %s is cut off', async (when) => {
  const { picture, asked, clock } = await createSite((_request, reply) => {
    if (when === 'within it') reply.write(PNG)
  })
  const reading = picture()
  await until(() => asked.length === 1)
  await clock.advance(5000)
  expect(await reading).toBeNull()
  expect(clock.waits).toBe(0)
})

test('somebody who leaves ends the request', async () => {
  const { fetchPicture, asked, address } = await createSite(() => undefined)
  const gone = new AbortController()
  const reading = fetchPicture(address('/a.png'), gone.signal)
  await until(() => asked.length === 1)
  gone.abort()
  expect(await reading).toBeNull()
})

test.each(['https://localhost/a.png', 'https://10.0.0.1/a.png', 'http://pictures.example/a.png', 'data:image/png,x'])(
  '%s is not even asked',
  async (address) => {
    const egress = createEgress({ allow: [], lookup: async () => expect.fail('a name was looked up') })
    ending.push(() => egress.close())
    const fetchPicture = createPictureFetch({ egress, clock: createTestClock(), userAgent: 'Earshot test' })
    expect(await fetchPicture(address, new AbortController().signal)).toBeNull()
  },
)
