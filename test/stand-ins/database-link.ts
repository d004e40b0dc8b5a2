import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'

/** A way to a database that can go silent, as a network does that drops packets: nothing arrives and nothing ends. */
export interface DatabaseLink {
  /** Leads to the database by this way. */
  connection: pg.ClientConfig
  /** From now on nothing is passed on, on connections that are there and on new ones. */
  silence(): void
  /** New connections work again; those that were there stay silent for good. */
  restore(): void
  /** Connections that our side has not ended. */
  readonly open: number
  close(): Promise<void>
}

export async function openDatabaseLink(address: string): Promise<DatabaseLink> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: address })
  const sockets = new Set<Socket>()
  let links: { silent: boolean }[] = []
  let silent = false
  const server = createServer((near) => {
    const link = { silent }
    links.push(link)
    sockets.add(near)
    near.once('close', () => sockets.delete(near))
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    near.on('data', (bytes) => void (link.silent || far.write(bytes)))
    far.on('data', (bytes) => void (link.silent || near.write(bytes)))
    far.on('close', () => void (link.silent || near.destroy()))
    near.on('close', () => far.destroy())
    for (const socket of [near, far]) socket.on('error', () => socket.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    connection: {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      user,
      password,
      database,
      ssl: false,
    },
    silence() {
      silent = true
      for (const link of links) link.silent = true
      links = []
    },
    restore() {
      silent = false
    },
    get open() {
      return sockets.size
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
