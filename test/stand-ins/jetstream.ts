import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { systemClock } from '../../src/kernel/clock.ts'

/**
 * A feed in the form of Bluesky's Jetstream: remembers everything and goes on behind the cursor that it is asked with.
 */
export interface Jetstream {
  /** For SOURCE_BLUESKY_URL. */
  url: string
  /** Publishes a post by a made-up person and answers its native id. */
  post(text: string): string
  /** The connections that are open. */
  readonly listeners: number
  close(): Promise<void>
}

const PERSON = 'did:plc:standinexampleaaaaaaaaaa'

export async function startJetstream(): Promise<Jetstream> {
  const events: { timeUs: number; text: string }[] = []
  const sockets = new Set<WebSocket>()
  const server = createServer()
  const feed = new WebSocketServer({ server, path: '/subscribe' })
  feed.on('connection', (socket, request) => {
    const cursorUs = Number(
      new URL(request.url ?? '', 'http://stand.in').searchParams.get('cursor') ?? Number.POSITIVE_INFINITY,
    )
    for (const event of events) if (event.timeUs > cursorUs) socket.send(event.text)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  let lastUs = 0
  let number = 0
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    post(text) {
      lastUs = Math.max(lastUs + 1, systemClock.now().getTime() * 1000)
      number += 1
      const rkey = `3m${String(number).padStart(11, '0')}`
      const event = { timeUs: lastUs, text: JSON.stringify(eventOf(rkey, lastUs, text)) }
      events.push(event)
      for (const socket of sockets) socket.send(event.text)
      return `${PERSON}/${rkey}`
    },
    get listeners() {
      return sockets.size
    },
    async close() {
      for (const socket of sockets) socket.terminate()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function eventOf(rkey: string, timeUs: number, text: string) {
  const record = { $type: 'app.bsky.feed.post', createdAt: new Date(timeUs / 1000).toISOString(), langs: ['en'], text }
  return {
    did: PERSON,
    time_us: timeUs,
    kind: 'commit',
    commit: {
      rev: rkey,
      operation: 'create',
      collection: 'app.bsky.feed.post',
      rkey,
      record,
      cid: `bafyreistandin${rkey}`,
    },
  }
}
