import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openRaw } from '../../../test/raw.ts'
import { until } from '../../../test/until.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { createLog } from '../../kernel/log.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { CELL_PATHS } from '../cells/contract.ts'
import { type OpenDoor, openDoor } from './building.suite.ts'

/** A stand-in of a cell, which has what it is told and answers as it is told. */
interface StandIn {
  origin: string
  has: boolean
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void
  received: { method: string; url: string; headers: IncomingMessage['headers']; raw: string[]; body: string }[]
  asked: number
  server: Server
}

async function standIn(): Promise<StandIn> {
  const made: StandIn = {
    ...{ origin: '', has: false, received: [], asked: 0, server: null as unknown as Server },
    answer: (_request, response) => response.end('{}'),
  }
  made.server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      if (request.url === CELL_PATHS.find) {
        const { marks } = JSON.parse(body) as { marks: unknown[] }
        made.asked += marks.length
        response.end(
          JSON.stringify({ version: '1', publicUrl: 'https://earshot.test', found: marks.map(() => made.has) }),
        )
        return
      }
      const { method = '', url = '', headers, rawHeaders: raw } = request
      made.received.push({ method, url, headers, raw, body })
      made.answer(request, response, body)
    })
  })
  await new Promise<void>((resolve) => made.server.listen(0, '127.0.0.1', resolve))
  made.origin = `http://127.0.0.1:${(made.server.address() as AddressInfo).port}`
  return made
}

let cells: [StandIn, StandIn]
let door: OpenDoor
let key: string
beforeEach(async () => {
  cells = [await standIn(), await standIn()]
  door = await openDoor(cells.map(({ origin }) => origin))
  key = newSecret('ref').text
  cells[1].has = true
})
afterEach(async () => {
  await door.close()
  for (const { server } of cells) {
    server.closeAllConnections()
    server.close()
  }
})

const ask = (path: string, init: RequestInit = {}) =>
  fetch(door.origin + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } })

describe('a request that is passed on', () => {
  test('has the address of its caller, its id and nothing that belongs to the connection', async () => {
    const raw = await openRaw(Number(new URL(door.origin).port))
    raw.write(
      'POST http://earshot.test/v1/groups?x=%20&y HTTP/1.1\r\nHost: earshot.test\r\n' +
        `Authorization: Bearer ${key}\r\nX-Request-Id: mine-1\r\nX-Forwarded-For: 203.0.113.9\r\n` +
        'Forwarded: for=203.0.113.9\r\nX-Real-IP: 203.0.113.9\r\nConnection: keep-alive, X-Private, Authorization\r\n' +
        'X-Private: one\r\nX-Kept: first\r\nX-Kept: second\r\nContent-Length: 4\r\n\r\nbody',
    )
    expect((await raw.answer()).status).toBe(200)
    raw.destroy()
    const [request] = cells[1].received
    expect(request).toMatchObject({ method: 'POST', url: '/v1/groups?x=%20&y', body: 'body' })
    expect(request!.headers).toMatchObject({
      host: 'earshot.test',
      'x-forwarded-for': '127.0.0.1',
      'x-request-id': 'mine-1',
      'x-kept': 'first, second',
      authorization: `Bearer ${key}`,
    })
    for (const name of ['x-private', 'forwarded', 'x-real-ip', 'earshot-door'])
      expect(request!.headers).not.toHaveProperty(name)
  })

  test('with a body of unknown or great length passes as it comes', async () => {
    const big = 'x'.repeat(300_000)
    await ask('/v1/imports', { method: 'POST', body: big })
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from('one '))
        controller.enqueue(Buffer.from('two'))
        controller.close()
      },
    })
    await ask('/v1/imports', { method: 'POST', body: chunked, duplex: 'half' } as RequestInit)
    expect(cells[1].received.map(({ body }) => body)).toEqual([big, 'one two'])
  })

  test.each([
    ['GET * HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['GET /v1/whoami HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['GET /v1/whoami HTTP/1.1\r\n\r\n', 400],
    ['GET /v1/whoami HTTP/1.1\r\nHost: x\r\nEarshot-Door: 1.x\r\n\r\n', 400],
    ['POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    [`GET /v1/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])('is refused when it is malformed: %j', async (bytes, status) => {
    const raw = await openRaw(Number(new URL(door.origin).port))
    raw.write(bytes)
    expect((await raw.answer()).status).toBe(status)
    raw.destroy()
    expect(cells.flatMap(({ received }) => received)).toEqual([])
  })

  test('by nobody goes to any cell, and later requests of a known key ask nobody', async () => {
    await fetch(`${door.origin}/v1/whoami`)
    expect([cells[0].received.length, cells[0].asked, cells[1].asked]).toEqual([1, 0, 0])
    for (let at = 0; at < 3; at += 1) await ask('/v1/whoami')
    expect([cells[1].received.length, cells[1].asked]).toEqual([3, 1])
  })
})

describe('an answer', () => {
  test('keeps its status, headers and bytes', async () => {
    cells[1].answer = (_request, response) => {
      response.writeHead(418, [
        ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Own', 'yes'],
        ...['Connection', 'keep-alive, X-Hop', 'X-Hop', 'no', 'Content-Type', 'text/plain'],
      ])
      response.end('teapot')
    }
    const reply = await ask('/v1/whoami')
    expect([reply.status, await reply.text(), reply.headers.get('x-own')]).toEqual([418, 'teapot', 'yes'])
    expect(reply.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(reply.headers.has('x-hop')).toBe(false)
  })

  test('to HEAD has the length and no body', async () => {
    cells[1].answer = (_request, response) => response.writeHead(200, { 'Content-Length': '7' }).end()
    const reply = await ask('/v1/whoami', { method: 'HEAD' })
    expect([reply.headers.get('content-length'), await reply.text()]).toEqual(['7', ''])
  })

  test('that breaks off is broken off, and a caller who leaves is left', async () => {
    cells[1].answer = (_request, response) => {
      response.write('half')
      setImmediate(() => response.destroy())
    }
    await expect(ask('/v1/whoami').then((reply) => reply.text())).rejects.toThrow()
    let isLeft = false
    cells[1].answer = (_request, response) => {
      response.once('close', () => {
        isLeft = true
      })
      response.write('begun')
    }
    const leaving = new AbortController()
    await ask('/v1/whoami', { signal: leaving.signal })
    leaving.abort()
    await until(() => isLeft)
  })

  test('that never begins because the connection breaks is a 503, and the cell stays up', async () => {
    cells[1].answer = (request) => request.socket.destroy()
    const reply = await ask('/v1/whoami', { method: 'POST', body: '{}' })
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
    expect(cells[1].received).toHaveLength(1)
    cells[1].answer = (_request, response) => response.end('{}')
    expect((await ask('/v1/whoami')).status).toBe(200)
  })
})

describe('a workspace that has moved', () => {
  /** By a client that does not itself repeat after 421, as fetch does. */
  const statusOf = async (path: string, body: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const reply = await request(door.origin + path, { method: 'POST', headers, body })
    await reply.body.dump()
    return reply.statusCode
  }
  const moved: StandIn['answer'] = (_request, response) =>
    response
      .writeHead(421, { location: 'https://cell-0.example' })
      .end(JSON.stringify({ error: { code: 'workspace_moved' } }))
  beforeEach(async () => {
    expect((await ask('/v1/whoami')).status).toBe(200)
    cells[1].answer = moved
    cells[0].has = true
    for (const { received } of cells) received.length = 0
  })

  test('is found again, with the body of the request', async () => {
    expect(await statusOf('/v1/groups', 'once')).toBe(200)
    expect(cells.map(({ received }) => received.map(({ body }) => body))).toEqual([['once'], ['once']])
    await ask('/v1/whoami')
    expect(cells.map(({ received }) => received.length)).toEqual([2, 1])
  })

  test('is not asked twice with a body that is gone', async () => {
    expect(await statusOf('/v1/groups', 'x'.repeat(100_000))).toBe(421)
    expect(cells.map(({ received }) => received.length)).toEqual([0, 1])
  })

  test('is reported as it is when nobody else has it', async () => {
    cells[0].has = false
    const reply = await request(`${door.origin}/v1/whoami`, { headers: { authorization: `Bearer ${key}` } })
    expect([reply.statusCode, reply.headers['location']]).toEqual([421, 'https://cell-0.example'])
    await reply.body.dump()
  })

  test('is found while its former cell is down', async () => {
    cells[1].server.closeAllConnections()
    await new Promise((resolve) => cells[1].server.close(resolve))
    expect((await ask('/v1/whoami')).status).toBe(503)
    expect((await ask('/v1/whoami')).status).toBe(200)
  })

  test('is found again when its former cell no longer knows the key', async () => {
    cells[1].answer = (_request, response) => response.writeHead(401).end('{}')
    cells[1].has = false
    expect((await ask('/v1/whoami')).status).toBe(200)
    expect((await ask('/v1/whoami')).status).toBe(200)
    expect(cells.map(({ received }) => received.length)).toEqual([2, 1])
  })
})

test('a cell with another secret counts as down', async () => {
  cells[1].server.removeAllListeners('request')
  cells[1].server.on('request', (_request, response) => response.writeHead(404).end())
  expect((await ask('/v1/whoami')).status).toBe(503)
  expect(door.cells.map(({ isUp }) => isUp)).toEqual([true, false])
})

test('a cell that does not answer the question in time leaves it open', async () => {
  cells[0].server.removeAllListeners('request')
  cells[1].has = false
  expect((await ask('/v1/whoami')).status).toBe(503)
}, 20_000)

test('the log says once that a cell is down, back or has another address', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const watched = await openDoor(
    cells.map(({ origin }) => origin),
    { publicUrl: 'https://other.example', log },
  )
  const events = () => lines.map((line) => (JSON.parse(line) as { event: string; cell: string }).event.slice(10))
  const told = (...wanted: string[]) =>
    vi.waitFor(
      async () => {
        await watched.clock.advance(SECOND_MS)
        expect(events()).toEqual(wanted)
      },
      { timeout: 10_000, interval: 5 },
    )
  try {
    await told('misnamed', 'misnamed')
    const { port } = new URL(cells[0].origin)
    cells[0].server.closeAllConnections()
    await new Promise((resolve) => cells[0].server.close(resolve))
    await told('misnamed', 'misnamed', 'down')
    await new Promise<void>((resolve) => cells[0].server.listen(Number(port), '127.0.0.1', resolve))
    await told('misnamed', 'misnamed', 'down', 'misnamed')
  } finally {
    await watched.close()
  }
})
