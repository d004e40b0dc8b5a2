import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type Situation =
  | { kind: 'accepts' }
  | { kind: 'answers'; status: number; headers?: Record<string, string>; body?: string }
  /** Never replies. */
  | { kind: 'silent' }
  /** Sends headers slowly without end. */
  | { kind: 'drips headers' }
  /** Replies 200, then a byte now and then. */
  | { kind: 'drips a body' }
  /** Replies with a body without end, as fast as it is read. */
  | { kind: 'endless body'; status?: number }
  /** Closes before the announced length. */
  | { kind: 'half a body' }
  | { kind: 'resets' }
  | { kind: 'closes' }
  | { kind: 'is no http server' }
  | { kind: 'headers without measure' }
  /** Sends many interim replies before a good one. */
  | { kind: 'interim replies' }

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A server on loopback with a selectable fault. */
export interface LocalReceiver {
  readonly url: string
  readonly port: number
  play(situation: Situation): void
  /** Oldest first. */
  readonly received: Received[]
  /** Over all connections. */
  bytesWritten(): number
  /** Resolves when no connection is open. */
  allClosed(): Promise<void>
  openConnections(): number
  close(): Promise<void>
}

/** `accept` writes the reply that accepts a delivery. */
export async function startLocalReceiver(
  accept: (response: ServerResponse) => void = (response) => response.end('ok'),
): Promise<LocalReceiver> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const waiting: (() => void)[] = []
  let closedBytes = 0
  let situation: Situation = { kind: 'accepts' }

  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    readBody(request).then((body) => {
      received.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
      play(situation, response, accept)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      closedBytes += socket.bytesWritten
      sockets.delete(socket)
      if (sockets.size === 0) for (const resolve of waiting.splice(0)) resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    play: (next) => {
      situation = next
    },
    bytesWritten: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, closedBytes),
    openConnections: () => sockets.size,
    allClosed: () => new Promise((resolve) => (sockets.size === 0 ? resolve() : waiting.push(resolve))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What arrived until the end or the sender's abort. */
function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('close', () => resolve(Buffer.concat(chunks)))
    request.on('end', () => resolve(Buffer.concat(chunks)))
  })
}

const DRIP_MS = 20

function play(situation: Situation, response: ServerResponse, accept: (response: ServerResponse) => void): void {
  const socket = response.socket
  if (socket === null) return
  switch (situation.kind) {
    case 'accepts':
      accept(response)
      return
    case 'answers':
      response.writeHead(situation.status, situation.headers).end(situation.body)
      return
    case 'silent':
      return
    case 'drips headers':
      socket.write('HTTP/1.1 200 OK\r\n')
      repeat(socket, () => socket.write('X-A: b\r\n'))
      return
    case 'drips a body':
      response.writeHead(200)
      repeat(socket, () => response.write('.'))
      return
    case 'endless body':
      response.writeHead(situation.status ?? 200)
      pour(response)
      return
    case 'half a body':
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', () =>
        setImmediate(() => socket.resetAndDestroy()),
      )
      return
    case 'resets':
      socket.resetAndDestroy()
      return
    case 'closes':
      socket.destroy()
      return
    case 'is no http server':
      socket.end('SMTP 220 hello\r\n\r\n')
      return
    case 'headers without measure':
      socket.end(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(1 << 20)}\r\n\r\n`)
      return
    case 'interim replies':
      socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(2000))
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      return
  }
}

function repeat(socket: Socket, write: () => void): void {
  const timer = setInterval(write, DRIP_MS)
  socket.on('close', () => clearInterval(timer))
}

const BLOCK = Buffer.alloc(64 * 1024, 0x61)

function pour(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(BLOCK));
  }
  response.on('drain', more)
  more()
}
