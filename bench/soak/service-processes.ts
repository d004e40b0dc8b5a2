import { PLATFORMS } from '../../src/domain/platform/platforms.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { freePort } from '../../test/stand-ins/free-port.ts'
import { SECRET_KEY } from '../../test/stand-ins/seeded.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import type { Warden } from './start-warden.ts'

export interface WantedProcesses {
  /** The processes of the service by name, with the arguments of each. */
  processes: ReadonlyMap<string, readonly string[]>
  /** Options for Node in the processes of the service. */
  nodeOptions?: readonly string[]
}

const END_WITHIN_MS = 30_000

/** Where the processes of the service find what they need. */
export interface Surroundings {
  folder: string
  address: string
  feedUrl: string
}

/** The settings of a process by its name, apart from its port. */
export type EnvironmentFor = (name: string) => Record<string, string>

/** The processes of the service by name. */
export class ServiceProcesses {
  /** One that is started again takes the place of the old one. */
  readonly running = new Map<string, ServiceProcess>()
  private readonly options: WantedProcesses
  private readonly ports: ReadonlyMap<string, number>
  private readonly environmentFor: EnvironmentFor
  private readonly warden: Warden

  private constructor(
    options: WantedProcesses,
    ports: ReadonlyMap<string, number>,
    environmentFor: EnvironmentFor,
    warden: Warden,
  ) {
    this.options = options
    this.ports = ports
    this.environmentFor = environmentFor
    this.warden = warden
  }

  static async prepare(
    options: WantedProcesses,
    environmentFor: EnvironmentFor,
    warden: Warden,
  ): Promise<ServiceProcesses> {
    const ports = new Map<string, number>()
    for (const name of options.processes.keys()) ports.set(name, await freePort())
    return new ServiceProcesses(options, ports, environmentFor, warden)
  }

  originOf(name: string): string {
    return `http://127.0.0.1:${this.ports.get(name)}`
  }

  async start(name: string): Promise<void> {
    const { processes, nodeOptions = [] } = this.options
    const environment = { ...this.environmentFor(name), PORT: String(this.ports.get(name)) }
    const started = startServiceProcess(['start', ...processes.get(name)!], environment, nodeOptions)
    this.running.set(name, started)
    this.warden.tell({ kind: 'process', pid: started.pid, running: true })
    void started.ended.then(() => this.warden.tell({ kind: 'process', pid: started.pid, running: false }))
    await started.runs()
  }

  /** Ends a process without warning. */
  async kill(name: string): Promise<void> {
    const running = this.running.get(name)!
    running.signal('SIGKILL')
    await running.ended
  }

  async end(name: string): Promise<string> {
    const running = this.running.get(name)!
    running.signal('SIGTERM')
    const giveUp = new AbortController()
    await Promise.race([
      running.ended,
      systemClock.wait(END_WITHIN_MS, giveUp.signal).then(() => running.signal('SIGKILL')),
    ])
    giveUp.abort()
    await running.ended
    return running.lastWords()
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.running.keys()].map((name) => this.end(name)))
  }
}

export function environmentOf({ folder, address, feedUrl }: Surroundings): Record<string, string> {
  return {
    DATA_DIR: folder,
    DATABASE_URL: address,
    EARSHOT_SECRET_KEY: SECRET_KEY,
    EGRESS_ALLOW: '127.0.0.1',
    // All receivers are at one host.
    WEBHOOKS_PER_HOST_SECOND: '100000',
    SOURCE_BLUESKY_URL: feedUrl,
    // Nobody listens there: Hacker News takes no part.
    SOURCE_HACKERNEWS_URL: 'http://127.0.0.1:9',
    SOURCE_HACKERNEWS_POLL_SECONDS: '3600',
    SOURCES_OFF: PLATFORMS.filter((platform) => platform !== 'bluesky' && platform !== 'hackernews').join(','),
    EARSHOT_LOG_LEVEL: process.env['SOAK_LOG_LEVEL'] ?? 'error',
  }
}
