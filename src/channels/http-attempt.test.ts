import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../kernel/clock.ts'
import { DRAIN_LIMIT_MS, EXCERPT_BYTES, post } from './http-attempt.ts'

/** A reply in many pieces. */
const CRUMBS = 'crumbs '.repeat(400)

let server: Server
let dispatcher: Agent
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume()
    if (request.url === '/crumbs') {
      response.writeHead(200)
      for (const letter of CRUMBS) response.write(letter)
      return void response.end()
    }
    response.writeHead(200).write('{"ok":')
    // Longer than is waited for the rest of a body that nobody needs.
    setTimeout(() => response.end('true}'), DRAIN_LIMIT_MS + 200)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  dispatcher = new Agent()
})
afterAll(async () => {
  await dispatcher.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test.each([
  ['the body decides, it is waited for', { bodyDecides: true, limitMs: 10_000 }, '{"ok":true}'],
  ['the body decides and does not come, what came of it is handed on', { bodyDecides: true, limitMs: 600 }, '{"ok":'],
  ['the status decides, the rest of the body is not waited for', { limitMs: 10_000 }, '{"ok":'],
])('where %s', async (_, options, body) => {
  const request = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: '/',
    headers: [],
    body: Buffer.from('x'),
  }
  const reply = await post(request, { dispatcher, clock: systemClock, ...options }, new AbortController().signal)
  expect('failed' in reply ? reply.failed : [reply.status, reply.excerpt.toString()]).toEqual([200, body])
})

test('of a reply in many pieces as much is kept as was asked for', async () => {
  const request = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: '/crumbs',
    headers: [],
    body: Buffer.from('x'),
  }
  for (const [keptBytes, kept] of [
    [undefined, CRUMBS.slice(0, EXCERPT_BYTES)],
    [5000, CRUMBS],
  ] as const) {
    const options = {
      dispatcher,
      clock: systemClock,
      limitMs: 10_000,
      bodyDecides: true,
      ...(keptBytes === undefined ? {} : { keptBytes }),
    }
    const reply = await post(request, options, new AbortController().signal)
    expect('failed' in reply ? reply.failed : reply.excerpt.toString()).toBe(kept)
  }
})

test('where no connection is ever made, the attempt ends at its limit', async () => {
  const nowhere = new Agent({ connect: () => undefined })
  const request = { origin: 'http://127.0.0.1:1', path: '/', headers: [], body: Buffer.from('x') }
  const reply = await post(
    request,
    { dispatcher: nowhere, clock: systemClock, limitMs: 50 },
    new AbortController().signal,
  )
  expect(reply).toMatchObject({ failed: { outcome: 'temporary', reason: 'no reply within 0.05 s' } })
  void nowhere.destroy()
})
