import { connect, type Socket } from 'node:net'

/** One kind of request, sent again and again. */
export interface Load {
  port: number
  /** The whole request as it goes over the wire. */
  request: string
  connections: number
  calls: number
}

/** What came of it, or why it did not. */
export type Outcome = { tookMs: number; sample: string } | { failed: string }

// A process of its own, so that the time of the service is the service's, and no client library, so that little is left
// of the caller's on a machine with few cores.
process.on('message', (load: Load) => {
  run(load).then(
    (outcome) => process.send!(outcome),
    (error: Error) => process.send!({ failed: error.message }),
  )
})

async function run(load: Load): Promise<Outcome> {
  const begin = process.hrtime.bigint()
  let left = load.calls
  let sample = ''
  await Promise.all(
    Array.from({ length: load.connections }, () =>
      oneAfterTheOther(load, (answer) => {
        sample ||= answer
        left -= 1
        return left >= load.connections
      }),
    ),
  )
  return { tookMs: Number(process.hrtime.bigint() - begin) / 1e6, sample }
}

/** Sends on one connection until `more` says that it is enough. */
function oneAfterTheOther({ port, request }: Load, more: (answer: string) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true })
    let received: Buffer = Buffer.alloc(0)
    let wanted = 0
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed')))
    socket.once('connect', () => socket.write(request))
    socket.on('data', (portion: Buffer) => {
      received = received.length === 0 ? portion : Buffer.concat([received, portion])
      if (wanted === 0) wanted = lengthOf(received)
      if (wanted === 0 || received.length < wanted) return
      const answer = received.toString('utf8', 0, Math.min(wanted, 200_000))
      if (!answer.startsWith('HTTP/1.1 200') || answer.includes('"isError":true'))
        return reject(new Error(answer.slice(0, 500)))
      received = received.subarray(wanted)
      wanted = 0
      if (more(answer)) socket.write(request)
      else {
        socket.removeAllListeners('close')
        socket.end()
        resolve()
      }
    })
  })
}

/** The length of an answer with its head; 0 while the head is not whole. */
function lengthOf(received: Buffer): number {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return 0
  const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1]
  if (length === undefined) throw new Error(`an answer without a length: ${received.toString('latin1', 0, end)}`)
  return end + 4 + Number(length)
}
