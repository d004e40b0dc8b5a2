import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'

/**
 * Node waits for connections that never sent a request, which browsers open ahead of one, and for those that become
 * idle after it has begun to close.
 */
export function closeIdleConnections(server: FastifyInstance): void {
  const sockets = new Set<Socket>()
  let isClosing = false
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.addHook('preClose', async () => {
    isClosing = true
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
  server.addHook('onResponse', async () => {
    // The connection is idle once the handlers of this event have run.
    if (isClosing) setImmediate(() => server.server.closeIdleConnections())
  })
}

/** Waits for open requests at most `withinMs`, then closes their connections. */
export async function closeRestServer(server: FastifyInstance, clock: Clock, withinMs: number): Promise<void> {
  const closed = new AbortController()
  const cut = clock.wait(withinMs, closed.signal).then(() => {
    if (!closed.signal.aborted) server.server.closeAllConnections()
  })
  await server.close()
  closed.abort()
  await cut
}
