import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SECRET_PREFIX } from '../../src/channels/webhook/config.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { answer } from './child.ts'
import { numberOfPost } from './plan.ts'

/** Receivers of webhooks in a process of their own: they check both signatures, accept, and write down what came. */
export type ReceiverQuestions = {
  /**
   * Answers the address below which each hook has a path of its own, its number. Every accepted request becomes a line
   * of the file.
   */
  open: { asks: { path: string }; answers: { url: string } }
  /** The secret of each hook by its number. */
  secrets: { asks: Record<string, string>; answers: null }
  state: { asks: null; answers: { accepted: number; refused: number } }
  /** Whether each of these posts was received at least once. */
  missing: { asks: { numbers: number[] }; answers: number }
  /** Writes down what is still in memory. */
  flush: { asks: null; answers: null }
}

interface Envelope {
  id: string
  data: { id: string; keyword: { id: string }; post: { url: string } }
}

let secrets: Record<string, string> = {}
let accepted = 0
let refused = 0
/** A bit for each post number that was received. */
let seen = new Uint8Array(1 << 16)
let file: WriteStream

function note(number: number): void {
  const at = number >> 3
  if (at >= seen.length) {
    const larger = new Uint8Array(Math.max(2 * seen.length, at + 1))
    larger.set(seen)
    seen = larger
  }
  seen[at]! |= 1 << (number & 7)
}

async function open(path: string): Promise<string> {
  file = createWriteStream(path)
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const atMs = systemClock.now().getTime()
      const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      const hook = request.url!.slice(1)
      if (!isSigned(request.headers, body, secrets[hook])) {
        refused += 1
        response.writeHead(401).end()
        return
      }
      response.end()
      const { id, data } = JSON.parse(body.toString()) as Envelope
      const number = numberOfPost(data.post.url)
      accepted += 1
      note(number)
      file.write(`${hook} ${id} ${data.id} ${data.keyword.id} ${number} ${atMs}\n`)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The signature of the service over the time and the body, and the one of Standard Webhooks over id, time and body. */
function isSigned(headers: IncomingHttpHeaders, body: Buffer, secret: string | undefined): boolean {
  if (secret === undefined) return false
  const own = createHmac('sha256', secret).update(`${headers['x-mentions-timestamp']}.`).update(body).digest('hex')
  const standard = createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`)
    .update(body)
    .digest('base64')
  return (
    isEqual(headers['x-mentions-signature-v2'], `v2=${own}`) && isEqual(headers['webhook-signature'], `v1,${standard}`)
  )
}

function isEqual(given: string | string[] | undefined, wanted: string): boolean {
  const bytes = Buffer.from(String(given))
  return bytes.length === wanted.length && timingSafeEqual(bytes, Buffer.from(wanted))
}

answer<ReceiverQuestions>({
  open: async ({ path }) => ({ url: await open(path) }),
  secrets(given) {
    secrets = given
    return null
  },
  state: () => ({ accepted, refused }),
  missing: ({ numbers }) => numbers.filter((number) => ((seen[number >> 3] ?? 0) & (1 << (number & 7))) === 0).length,
  flush: () => new Promise((resolve) => file.write('', () => resolve(null))),
})
