import { connect, type Socket } from 'node:net'

/** An answer as it stood on the wire. */
export interface RawAnswer {
  status: number
  /** Names in lower case. */
  headers: Map<string, string>
  body: string
}

/** A connection on which a test writes bytes itself, for what a decent client would never send. */
export interface RawConnection {
  socket: Socket
  write(bytes: string | Buffer): void
  /** Resolves with the next whole answer; rejects when the connection ends before. */
  answer(): Promise<RawAnswer>
  /** Resolves when the server has ended the connection. */
  closed: Promise<void>
  destroy(): void
}

export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1' })
  let received = Buffer.alloc(0)
  let ended = false
  let wake = () => {}
  const changed = () => wake()
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    changed()
  })
  // A reset after the answer is the server's right; a missing answer shows in answer().
  socket.on('error', changed)
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      ended = true
      changed()
      resolve()
    })
    socket.once('end', () => resolve())
  })
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  return {
    socket,
    closed,
    write: (bytes) => void socket.write(bytes),
    async answer() {
      for (;;) {
        const whole = take(received)
        if (whole !== null) {
          received = received.subarray(whole.length)
          return whole.answer
        }
        if (ended) throw new Error(`the connection ended after ${JSON.stringify(received.toString())}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    destroy: () => socket.destroy(),
  }
}

function take(received: Buffer): { answer: RawAnswer; length: number } | null {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return null
  const [first, ...lines] = received.toString('latin1', 0, headEnd).split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const length = headEnd + 4 + Number(headers.get('content-length') ?? 0)
  if (received.length < length) return null
  return {
    answer: { status: Number(first!.split(' ')[1]), headers, body: received.toString('utf8', headEnd + 4, length) },
    length,
  }
}
