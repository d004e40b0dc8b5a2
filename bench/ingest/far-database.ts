import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'

export interface FarDatabase {
  connection: pg.ClientConfig
  close(): Promise<void>
}

/** A way to a database that passes everything on after `delayMs`, as a network does. */
export async function farDatabase(address: string, delayMs: number): Promise<FarDatabase> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: address })
  const sockets = new Set<Socket>()
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.setNoDelay(true)
    from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), delayMs))
    from.on('error', () => from.destroy())
    from.once('close', () => to.destroy())
  }
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    pass(near, far)
    pass(far, near)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const own = { host: '127.0.0.1', port: (server.address() as AddressInfo).port, ssl: false }
  return {
    connection: { ...own, user, password, database },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
