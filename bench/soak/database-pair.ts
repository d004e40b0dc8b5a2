import { type PrimaryAndStandby, startPrimaryAndStandby } from '../../test/stand-ins/primary-and-standby.ts'
import type { Warden } from './start-warden.ts'

/** A primary and its synchronous standby, at an address of both. */
export class DatabasePair {
  readonly address: string
  readonly readAddress: string
  private readonly servers: PrimaryAndStandby

  private constructor(servers: PrimaryAndStandby) {
    this.servers = servers
    this.address = servers.both
    this.readAddress = servers.standby
  }

  static async start(warden: Warden): Promise<DatabasePair> {
    const servers = await startPrimaryAndStandby()
    for (const pid of servers.pids) warden.tell({ kind: 'process', pid, running: true })
    return new DatabasePair(servers)
  }

  /** Of the standby, which outlives the primary. */
  get pid(): number {
    return this.servers.pids.at(-1)!
  }

  stop(): Promise<void> {
    return this.servers.close()
  }

  /** Ends the primary without warning, and lets the standby take over. */
  failOver(): Promise<void> {
    return this.servers.failOver()
  }
}
