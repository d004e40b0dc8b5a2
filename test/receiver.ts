import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it arrived. */
export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  raw: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what was sent freely; its shape is what it checks
  body: any
}

/** Somebody's server that takes webhooks. */
export interface Receiver {
  /** Where it listens, on this machine. */
  url: string
  /** What arrived, oldest first. */
  requests: Received[]
  /** The status of its next answers; 204 at first. */
  status: number
  close(): Promise<void>
}

export async function createReceiver(): Promise<Receiver> {
  const requests: Received[] = []
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks).toString('utf8')
    requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      raw,
      body: JSON.parse(raw),
    })
    reply.writeHead(receiver.status, { location: '/elsewhere' }).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    status: 204,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
