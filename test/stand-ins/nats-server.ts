import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** The program of a NATS server; NATS_SERVER names it where it is not found by its name. Null if there is none. */
export const NATS_PROGRAM = programOf(process.env['NATS_SERVER'] ?? 'nats-server')

/** Tests that need the server are left out where there is none, except in CI, which installs it. */
export const NO_NATS = NATS_PROGRAM === null && process.env['CI'] === undefined

function programOf(name: string): string | null {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return name
  } catch {
    return null
  }
}

/** A NATS server with JetStream, whose streams outlive a kill. */
export interface NatsServer {
  /** For POST_STREAM_URL. */
  readonly url: string
  /** Of the process that runs. */
  readonly pid: number
  /** Ends it at once. */
  kill(): Promise<void>
  /** Begins it again on its streams, after a kill. */
  begin(): Promise<void>
  close(): Promise<void>
}

export async function startNats(): Promise<NatsServer> {
  if (NATS_PROGRAM === null) throw new Error('nats-server is not installed; NATS_SERVER may name it')
  const program = NATS_PROGRAM
  const folder = mkdtempSync(join(tmpdir(), 'earshot-nats-'))
  const port = await freePort()
  let child: ChildProcess | null = null
  const kill = async () => {
    if (child === null) return
    if (isRunning(child)) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    child = null
  }
  const begin = async () => {
    const args = ['--jetstream', '--store_dir', folder, '--addr', '127.0.0.1', '--port', String(port)]
    child = spawn(program, args, { stdio: 'ignore' })
    await greeted(port, child)
  }
  await begin()
  return {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return child!.pid!
    },
    kill,
    begin,
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

/** Resolves when the server greets a connection: it does so once its streams are there. */
async function greeted(port: number, child: ChildProcess): Promise<void> {
  while (isRunning(child)) {
    const socket = connect(port, '127.0.0.1')
    const greeting = once(socket, 'data').then(
      () => true,
      () => false,
    )
    const isGreeted = await greeting
    socket.destroy()
    if (isGreeted) return
  }
  throw new Error(`nats-server ended with ${child.exitCode}`)
}
