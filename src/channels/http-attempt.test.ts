import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../kernel/clock.ts'
import { DRAIN_LIMIT_MS, post } from './http-attempt.ts'

let server: Server
let dispatcher: Agent
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume()
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
  const request = { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, path: '/', headers: [], body: Buffer.from('x') }
  const reply = await post(request, { dispatcher, clock: systemClock, ...options }, new AbortController().signal)
  expect('failed' in reply ? reply.failed : [reply.status, reply.excerpt.toString()]).toEqual([200, body])
})
