import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { Agent, MockAgent } from 'undici'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '../kernel/log.ts'
import { createCollectContext, isDeclaredHost } from './collect-context.ts'
import type { CollectContext } from './contract.ts'

const SOURCE = { platform: 'reddit', hosts: ['www.reddit.example', '.media.example'] } as const
const BIG = 10 * 1024 * 1024
type Answer = (request: IncomingMessage, response: ServerResponse) => void

let answer: Answer = (_, response) => response.end('ok')
let asked: string[] = []
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`)
  answer(request, response)
})

beforeEach(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterEach(() => {
  asked = []
  server.closeAllConnections()
  return new Promise<void>((resolve) => void server.close(() => resolve()))
})

const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function context(more: Partial<Parameters<typeof createCollectContext>[1]> = {}): CollectContext {
  return createCollectContext(SOURCE, {
    address: `${base()}/reddit/`,
    userAgent: 'earshot/test',
    at: new Date(0),
    signal: new AbortController().signal,
    log: silentLog,
    ...more,
  })
}

describe('the doors of a source', () => {
  test('under a set address every host is replaced, path and query stay, and any status is answered', async () => {
    answer = (request, response) =>
      response
        .writeHead(418, { 'X-Agent': String(request.headers['user-agent']), 'set-cookie': ['a=1', 'b=2'] })
        .end('short')
    const reply = await context().fetch('https://www.reddit.example/r/x?after=%20y&limit=3')
    expect(reply).toMatchObject({
      status: 418,
      body: 'short',
      headers: { 'x-agent': 'earshot/test', 'set-cookie': 'a=1, b=2' },
    })
    expect(asked).toEqual(['GET /reddit/r/x?after=%20y&limit=3'])
    const address = base()
    expect(context().addressOf('wss://a.media.example/feed?x=1')).toBe(
      `${address.replace('http', 'ws')}/reddit/feed?x=1`,
    )
    expect(context({ address: 'https://proxy.example' }).addressOf('wss://a.media.example/feed')).toBe(
      'wss://proxy.example/feed',
    )
    expect(context({ address: null }).addressOf('wss://a.media.example/feed')).toBe('wss://a.media.example/feed')
  })

  test('a body and headers are sent as given', async () => {
    answer = (request, response) =>
      void request
        .on('data', (chunk) => response.write(`${request.headers['content-type']}:${chunk}`))
        .on('end', () => response.end())
    const reply = await context().fetch('https://www.reddit.example/', {
      method: 'POST',
      headers: { 'Content-Type': 'text/x' },
      body: 'hello',
    })
    expect(reply.body).toBe('text/x:hello')
  })

  test.each([
    'https://evil.example/',
    'https://www.reddit.example.evil.example/',
    'https://media.example/',
    'https://xwww.reddit.example/',
    'http://127.0.0.1/',
    'file:///etc/passwd',
    'nonsense',
  ])('%s is refused before anything is asked', async (url) => {
    await expect(context().fetch(url)).rejects.toMatchObject({ name: 'SourceFault', kind: 'unavailable' })
    expect(() => context().addressOf(url)).toThrow(expect.objectContaining({ kind: 'unavailable' }))
    expect(asked).toEqual([])
  })

  test('a leading dot admits sub-domains and nothing else', () => {
    expect(
      ['a.media.example', 'a.b.media.example', 'media.example', 'amedia.example', '.media.example'].map((host) =>
        isDeclaredHost(['.media.example'], host),
      ),
    ).toEqual([true, true, false, false, false])
  })

  test.each([
    ['gzip', gzipSync('zipped ü')],
    ['br', brotliCompressSync('zipped ü')],
  ])('a reply in %s is unpacked', async (encoding, body) => {
    answer = (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body)
    expect((await context().fetch('https://www.reddit.example/')).body).toBe('zipped ü')
  })

  test('a reply may be packed twice and no more often', async () => {
    const packed = (times: number) =>
      Array.from({ length: times }).reduce<Buffer>((bytes) => gzipSync(bytes), Buffer.from('zipped'))
    const send = (times: number) => {
      answer = (_, response) =>
        response.writeHead(200, { 'content-encoding': Array(times).fill('gzip').join(', ') }).end(packed(times))
      return context().fetch('https://www.reddit.example/')
    }
    expect((await send(2)).body).toBe('zipped')
    await expect(send(3)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('more than 2 times'),
    })
  })

  test('the declared character set is read, an unknown one as UTF-8', async () => {
    answer = (request, response) =>
      response
        .writeHead(200, {
          'content-type': `text/xml; charset=${request.url?.endsWith('old') ? 'ISO-8859-1' : 'nonsense'}`,
        })
        .end(Buffer.from(request.url?.endsWith('old') ? [0xfc] : [0xc3, 0xbc]))
    expect([
      (await context().fetch('https://www.reddit.example/old')).body,
      (await context().fetch('https://www.reddit.example/new')).body,
    ]).toEqual(['ü', 'ü'])
  })

  test.each<[string, Answer]>([
    ['plain', (_, response) => response.end(Buffer.alloc(BIG + 1, 'x'))],
    [
      'packed small',
      (_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(BIG + 1, 'x'))),
    ],
    ['without end', (_, response) => void setInterval(() => response.write(Buffer.alloc(1_000_000)), 1).unref()],
  ])('a reply over 10 MB is unavailable, which says nothing about others: %s', async (_, given) => {
    answer = given
    const unavailable = { kind: 'unavailable', onlyThis: true }
    await expect(context().fetch('https://www.reddit.example/')).rejects.toMatchObject(unavailable)
  })

  test('a reply of exactly 10 MB is read', async () => {
    answer = (_, response) => response.end(Buffer.alloc(BIG, 'x'))
    expect((await context().fetch('https://www.reddit.example/')).body.length).toBe(BIG)
  })

  test.each<[string, Answer]>([
    ['never begins', () => {}],
    ['never ends', (_, response) => void response.write('x')],
    ['trickles', (_, response) => void setInterval(() => response.write('x'), 20).unref()],
  ])('a reply that %s is unavailable when the time for the whole of it is over', async (_, given) => {
    answer = given
    await expect(context({ timeoutMs: 120 }).fetch('https://www.reddit.example/')).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('120 ms'),
    })
  })

  test.each<[string, Answer]>([
    ['breaks off', (request) => void request.socket.destroy()],
    [
      'is shorter than announced',
      (request, response) =>
        void response.writeHead(200, { 'content-length': '10' }).write('x', () => request.socket.destroy()),
    ],
    [
      'is damaged gzip',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello').subarray(0, 12)),
    ],
  ])('a reply that %s is unavailable', async (_, given) => {
    answer = given
    await expect(context().fetch('https://www.reddit.example/')).rejects.toMatchObject({
      name: 'SourceFault',
      kind: 'unavailable',
    })
  })

  test('an abort rejects at once with its own reason, before and during a request', async () => {
    const abort = new AbortController()
    const began = new Promise<void>((resolve) => {
      answer = () => resolve()
    })
    const reply = context({ signal: abort.signal }).fetch('https://www.reddit.example/')
    await began
    const reason = new Error('stopping')
    abort.abort(reason)
    await expect(reply).rejects.toBe(reason)
    await expect(context({ signal: abort.signal }).fetch('https://www.reddit.example/')).rejects.toBe(reason)
    expect(asked.length).toBe(1)
  })

  test('redirections are followed within the declared hosts, three at most', async () => {
    answer = (request, response) => {
      const step = Number(request.url?.match(/\d+$/)?.[0])
      if (step === 0) response.end('there')
      else
        response
          .writeHead(302, { location: step % 2 === 1 ? `/step${step - 1}` : `https://a.media.example/step${step - 1}` })
          .end()
    }
    expect((await context().fetch('https://www.reddit.example/step3')).body).toBe('there')
    await expect(context().fetch('https://www.reddit.example/step4')).rejects.toMatchObject({ kind: 'unavailable' })
    asked = []
    answer = (_, response) => response.writeHead(301, { location: `${base()}/reddit/there` }).end()
    await expect(context().fetch('https://www.reddit.example/here')).rejects.toMatchObject({ kind: 'unavailable' })
    expect(asked).toEqual(['GET /reddit/here', 'GET /reddit/there', 'GET /reddit/there', 'GET /reddit/there'])
  })

  test.each(['https://evil.example/', 'http://www.reddit.example/', 'http://169.254.169.254/', 'https://['])(
    'a redirection to %s is unavailable and not followed',
    async (location) => {
      answer = (_, response) => response.writeHead(302, { location }).end()
      await expect(context().fetch('https://www.reddit.example/')).rejects.toMatchObject({ kind: 'unavailable' })
      expect(asked.length).toBe(1)
    },
  )

  test('a redirected POST is unavailable: it might be done twice', async () => {
    answer = (_, response) => response.writeHead(307, { location: '/again' }).end()
    await expect(context().fetch('https://www.reddit.example/', { method: 'POST', body: 'x' })).rejects.toMatchObject({
      kind: 'unavailable',
    })
    expect(asked.length).toBe(1)
  })

  test('credentials are not carried to another host', async () => {
    const seen: unknown[] = []
    answer = (request, response) => {
      seen.push([request.headers.authorization, request.headers['x-api-key'], request.headers.accept])
      if (request.url?.endsWith('/a')) response.writeHead(302, { location: '/b' }).end()
      else if (request.url?.endsWith('/b')) response.writeHead(302, { location: 'https://a.media.example/c' }).end()
      else response.end()
    }
    await context().fetch('https://www.reddit.example/a', {
      headers: { Authorization: 'Bearer 1', 'X-Api-Key': '2', Accept: 'text/x' },
    })
    expect(seen).toEqual([
      ['Bearer 1', '2', 'text/x'],
      ['Bearer 1', '2', 'text/x'],
      [undefined, undefined, 'text/x'],
    ])
  })

  test('the real hosts are reached through the dispatcher, a set address without it', async () => {
    const dispatcher = new MockAgent()
    dispatcher.disableNetConnect()
    dispatcher.get('https://www.reddit.example').intercept({ path: '/x' }).reply(200, 'through it')
    expect((await context({ address: null, dispatcher }).fetch('https://www.reddit.example/x')).body).toBe('through it')
    answer = (_, response) => response.end('directly')
    expect((await context({ dispatcher }).fetch('https://www.reddit.example/x')).body).toBe('directly')
    await dispatcher.close()
    const refusing = new Agent({ connect: (_, callback) => callback(new Error('private network'), null) })
    await expect(
      context({ address: null, dispatcher: refusing }).fetch('https://www.reddit.example/x'),
    ).rejects.toMatchObject({ kind: 'unavailable' })
    await refusing.close()
  })
})

describe('a reply without end', () => {
  const textOf = async (chunks: AsyncIterable<Uint8Array>, parts: number) => {
    let text = ''
    for await (const chunk of chunks) {
      text += Buffer.from(chunk).toString()
      parts -= 1
      if (parts === 0) break
    }
    return text
  }

  test('is read while it arrives, under the agent and the place of all requests', async () => {
    answer = (request, response) => {
      response.writeHead(203, { 'Content-Type': 'text/event-stream' })
      response.write(`${request.headers['user-agent']} ${request.headers['accept']}`)
    }
    const reply = await context().open('https://www.reddit.example/stream', { Accept: 'text/event-stream' })
    expect([reply.status, reply.headers['content-type']]).toEqual([203, 'text/event-stream'])
    expect(await textOf(reply.chunks, 1)).toBe('earshot/test text/event-stream')
    expect(asked).toEqual(['GET /reddit/stream'])
    reply.close()
  })

  test('follows no redirect, and asks no host that is not declared', async () => {
    answer = (_, response) => response.writeHead(302, { location: 'https://elsewhere.example/' }).end()
    const reply = await context().open('https://www.reddit.example/stream', {})
    expect([reply.status, reply.headers['location']]).toEqual([302, 'https://elsewhere.example/'])
    await expect(context().open('https://elsewhere.example/', {})).rejects.toThrow('none of its declared hosts')
    expect(asked).toHaveLength(1)
  })

  test('that breaks off or does not begin is unavailable, and an abort has its own reason', async () => {
    answer = (request, response) => {
      response.writeHead(200)
      response.write('x', () => request.socket.destroy())
    }
    const broken = await context().open('https://www.reddit.example/', {})
    await expect(textOf(broken.chunks, 9)).rejects.toMatchObject({ kind: 'unavailable' })

    answer = () => undefined
    await expect(context({ timeoutMs: 50 }).open('https://www.reddit.example/', {})).rejects.toMatchObject({
      kind: 'unavailable',
    })

    answer = (_, response) => void response.writeHead(200).write('x')
    const abort = new AbortController()
    const cut = await context({ signal: abort.signal }).open('https://www.reddit.example/', {})
    const reading = textOf(cut.chunks, 9)
    abort.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
  })
})
