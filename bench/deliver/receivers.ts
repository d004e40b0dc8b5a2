import { createHmac } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { systemClock } from '../../src/kernel/clock.ts'

/** How a receiver behaves: takes everything, says nothing, fails, or cannot be reached. */
export type Manner = 'accepts' | 'hangs' | 'fails' | 'refuses'

/** What the benchmark asks of the process of receivers. */
export type Order =
  | { kind: 'listen'; count: number }
  | { kind: 'secrets'; secrets: string[] }
  | { kind: 'play'; manners: Manner[] }
  /** Everything that arrived since the last report. */
  | { kind: 'report' }

export interface Report {
  /**
   * By receiver: the ids of deliveries that were accepted, in order of arrival, and when, in milliseconds since 1970.
   */
  accepted: { ids: string[]; atMs: number[] }[]
  verified: number
  /** Requests whose signature was wrong. */
  forged: number
}

/** One signature in so many is checked, so that the receivers do not cost more than the sender. */
const VERIFY_EVERY = 50
const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
const BUSY = Buffer.from('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n')

interface Receiver {
  server: Server
  port: number
  manner: Manner
  secret: string
  sockets: Set<Socket>
  ids: string[]
  atMs: number[]
}

const receivers: Receiver[] = []
let seen = 0
let verified = 0
let forged = 0

process.on('message', (order: Order) => {
  void obey(order).then((answer) => process.send?.(answer))
})
// Without the benchmark there is nothing left to do.
process.on('disconnect', () => process.exit())

async function obey(order: Order): Promise<unknown> {
  if (order.kind === 'listen') {
    for (let number = 0; number < order.count; number += 1) receivers.push(await listen())
    return receivers.map(({ port }) => port)
  }
  if (order.kind === 'secrets') {
    for (const [number, receiver] of receivers.entries()) receiver.secret = order.secrets[number]!
    return null
  }
  if (order.kind === 'play') {
    for (const [number, receiver] of receivers.entries()) await play(receiver, order.manners[number]!)
    return null
  }
  const report: Report = { accepted: receivers.map(({ ids, atMs }) => ({ ids, atMs })), verified, forged }
  for (const receiver of receivers) {
    receiver.ids = []
    receiver.atMs = []
  }
  return report
}

async function listen(): Promise<Receiver> {
  const receiver: Receiver = {
    server: createServer(),
    port: 0,
    manner: 'accepts',
    secret: '',
    sockets: new Set(),
    ids: [],
    atMs: [],
  }
  receiver.server.on('connection', (socket) => {
    receiver.sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('close', () => receiver.sockets.delete(socket))
    socket.on('error', () => undefined)
    readRequests(socket, (head, body) => answer(receiver, socket, head, body))
  })
  await open(receiver)
  return receiver
}

async function open(receiver: Receiver): Promise<void> {
  await new Promise<void>((resolve) => receiver.server.listen(receiver.port, '127.0.0.1', resolve))
  const address = receiver.server.address()
  if (address !== null && typeof address === 'object') receiver.port = address.port
}

async function play(receiver: Receiver, manner: Manner): Promise<void> {
  if (receiver.manner === manner) return
  const before = receiver.manner
  receiver.manner = manner
  // Connections with requests that hang stay as they are; the sender gives them up by itself.
  if (before !== 'hangs') for (const socket of receiver.sockets) socket.destroy()
  if (manner === 'refuses') await new Promise<void>((resolve) => void receiver.server.close(() => resolve()))
  if (before === 'refuses') await open(receiver)
}

/** Just enough of HTTP for requests with a Content-Length, one after the other. */
function readRequests(socket: Socket, take: (head: string, body: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = rest.toString('latin1', 0, end)
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (rest.length < end + 4 + length) return
      take(head, rest.subarray(end + 4, end + 4 + length))
      rest = rest.subarray(end + 4 + length)
    }
  })
}

function answer(receiver: Receiver, socket: Socket, head: string, body: Buffer): void {
  seen += 1
  if (seen % VERIFY_EVERY === 0) verify(receiver, head, body)
  if (receiver.manner === 'hangs' || receiver.manner === 'refuses') return
  if (receiver.manner === 'fails') return void socket.write(BUSY)
  receiver.ids.push(header(head, 'webhook-id'))
  receiver.atMs.push(performance.timeOrigin + systemClock.monotonicMs())
  socket.write(OK)
}

function verify(receiver: Receiver, head: string, body: Buffer): void {
  const timestamp = header(head, 'x-mentions-timestamp')
  const signature = `v2=${createHmac('sha256', receiver.secret).update(`${timestamp}.`).update(body).digest('hex')}`
  if (signature === header(head, 'x-mentions-signature-v2')) verified += 1
  else forged += 1
}

function header(head: string, name: string): string {
  return new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'i').exec(head)?.[1] ?? ''
}
