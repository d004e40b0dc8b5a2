import pg from 'pg'
import { cut } from './connection.ts'

/** For this long a server of several may let a connection wait, and one that listens; in milliseconds. */
export const OF_SEVERAL = { connectMs: 3000, listenCheckMs: 5000, listenAnswerMs: 5000 }

/** The single addresses of one that names several hosts, such as postgres://user@one:5432,two:5432/earshot. */
export function addressesOf(address: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is.exec(address) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [address]
}

/** Whether the address asks for a server that takes writes, as every address with several hosts does. */
function asksForWrites(address: string): boolean {
  return /[?&]target_session_attrs=(read-write|primary)(&|$)/.test(address)
}

/** The servers of one address, of which one takes writes. The next connection is made to the one that did so last. */
export class Servers {
  readonly configs: readonly pg.ClientConfig[]
  /** How often a server was passed over. */
  passed = 0
  readonly areChecked: boolean
  readonly needsWrites: boolean
  private at = 0
  private settled: pg.ClientConfig | null = null
  private readonly movers: ((to: pg.ClientConfig) => void)[] = []

  /** Without `needsWrites`, any server that answers will do. */
  constructor(connection: string | pg.ClientConfig, { needsWrites } = { needsWrites: true }) {
    this.needsWrites = needsWrites
    const isText = typeof connection === 'string'
    const addresses = isText ? addressesOf(connection) : []
    this.configs = isText ? addresses.map((connectionString) => ({ connectionString })) : [connection]
    this.areChecked = this.configs.length > 1 || (this.needsWrites && isText && asksForWrites(connection))
  }

  get current(): pg.ClientConfig {
    return this.configs[this.at]!
  }

  /** Tells when another server than before takes writes. */
  onMove(moved: (to: pg.ClientConfig) => void): void {
    this.movers.push(moved)
  }

  /** Tries to connect to each server once, the current one first. */
  async reach<Reached>(connect: () => Promise<Reached>): Promise<Reached> {
    for (let left = this.configs.length; ; left -= 1) {
      const { passed } = this
      try {
        return await connect()
      } catch (error) {
        // Others may have passed over a server meanwhile; a wait for a free connection says nothing of servers.
        if (left <= 1 || this.passed === passed) throw error
      }
    }
  }

  passOver(config: pg.ClientConfig): void {
    this.passed += 1
    if (this.current === config) this.at = (this.at + 1) % this.configs.length
  }

  settle(config: pg.ClientConfig): void {
    const before = this.settled
    this.settled = config
    this.at = this.configs.indexOf(config)
    if (this.needsWrites && before !== null && before !== config) for (const moved of this.movers) moved(config)
  }
}

/** What connects to the current of the servers, and refuses one that takes no writes. */
export function clientOf(servers: Servers): typeof pg.Client {
  return servers.areChecked ? checkedClient(servers) : pg.Client
}

/** Cuts connections to a server that another has taken the place of: it may be gone without a word. */
export function cutFormer(servers: Servers, open: Iterable<pg.ClientBase>): void {
  servers.onMove((to) => {
    for (const client of open) if ((client as { server?: pg.ClientConfig }).server !== to) cut(client)
  })
}

type Connected = (error: Error | null, client?: pg.Client) => void

function checkedClient(servers: Servers): typeof pg.Client {
  class CheckedClient extends pg.Client {
    readonly server: pg.ClientConfig
    private readonly told = new Map<string, string>()

    constructor(config?: string | pg.ClientConfig) {
      const server = servers.current
      super({ ...(config as pg.ClientConfig), ...server })
      this.server = server
      this.connection.on('parameterStatus', ({ parameterName, parameterValue }) =>
        this.told.set(parameterName, parameterValue),
      )
    }

    override connect(): Promise<pg.Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      if (callback === undefined)
        return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve(this))))
      super.connect((error: Error | null) => this.judge(error ?? null, callback))
      return undefined
    }

    private judge(failure: Error | null, callback: Connected): void {
      const error = failure ?? this.refusal()
      if (error === null) {
        servers.settle(this.server)
        callback(null, this)
        return
      }
      servers.passOver(this.server)
      if (failure === null) void this.end()
      callback(error)
    }

    /** A pooler need not say what its server is. */
    private refusal(): Error | null {
      if (!servers.needsWrites) return null
      if (this.told.get('in_hot_standby') !== 'on' && this.told.get('default_transaction_read_only') !== 'on')
        return null
      return Object.assign(new Error(`the server ${this.host}:${this.port} takes no writes`), { code: TAKES_NO_WRITES })
    }
  }
  return CheckedClient as typeof pg.Client
}

/** As of a server that is starting: another one, or this one later, may do. */
const TAKES_NO_WRITES = '57P03'
