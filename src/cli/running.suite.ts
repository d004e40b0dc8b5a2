import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { Command } from 'commander'
import { addClientCommands, addCompletionCommand, type Cli, runProgram, Terminal } from './index.ts'

export interface Ran {
  code: number
  out: string
  err: string
}

export interface RunOptions {
  env?: Record<string, string>
  /** What comes on standard input. A person at a terminal types it, unless it is text. */
  stdin?: string | AsyncIterable<string>
  /** Columns of a terminal that people read; none for a pipe. */
  columns?: number
  fetch?: typeof fetch
  now?: () => Date
  openBrowser?: (address: string) => Promise<boolean>
  signal?: AbortSignal
}

/** A command that runs, with what it printed so far. */
export interface Running {
  readonly out: string
  readonly err: string
  ended: Promise<Ran>
}

/** Runs a command of the client within this process, against a real service. */
export function start(args: readonly string[], options: RunOptions = {}): Running {
  const { env = {}, stdin = '', columns, signal = new AbortController().signal } = options
  const [stdout, stderr] = [new Kept(columns), new Kept(undefined)]
  const cli: Cli = {
    env,
    stdin: Object.assign(Readable.from(typeof stdin === 'string' ? [stdin] : stdin), {
      isTTY: typeof stdin !== 'string',
    }),
    terminal: new Terminal({ stdout, stderr, env }),
    fetch: options.fetch ?? fetch,
    now: options.now ?? (() => new Date()),
    openBrowser: options.openBrowser ?? (() => Promise.resolve(false)),
    signal,
    isInterrupted: () => signal.aborted,
    agent: 'earshot-cli/test',
  }
  const ended = runProgram(programFor(cli, stdout, stderr), cli, args).then((code) => ({
    code,
    out: stdout.text,
    err: stderr.text,
  }))
  return {
    get out() {
      return stdout.text
    },
    get err() {
      return stderr.text
    },
    ended,
  }
}

export function run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return start(args, options).ended
}

export function programFor(cli: Cli, stdout: Writable, stderr: Writable): Command {
  const program = new Command('earshot').exitOverride().configureOutput({
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
  })
  addClientCommands(program, cli)
  addCompletionCommand(program, cli)
  return program
}

class Kept extends Writable {
  text = ''
  readonly isTTY: boolean
  readonly columns: number | undefined

  constructor(columns: number | undefined) {
    super()
    this.columns = columns
    this.isTTY = columns !== undefined
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

/** A home for credentials. */
export function temporaryConfig(): { env: Record<string, string>; folder: string; close(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-cli-'))
  return {
    folder,
    env: { EARSHOT_CONFIG_DIR: join(folder, 'config') },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
