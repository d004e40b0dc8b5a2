import { openBrowser } from '../cli/account/open-browser.ts'
import { type Cli, EXIT, Terminal } from '../cli/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { VERSION } from '../kernel/version.ts'

/** The command line of this process. */
export function createCli(): Cli {
  const { env, stdin, stdout, stderr } = process
  const interruption = new AbortController()
  let isWatched = false
  stdout.on('error', endWithReader)
  return {
    env,
    stdin,
    terminal: new Terminal({ stdout, stderr, env }),
    fetch: (...request) => fetch(...request),
    now: () => systemClock.now(),
    openBrowser: (address) => openBrowser(address, env),
    agent: `earshot-cli/${VERSION}`,
    isInterrupted: () => interruption.signal.aborted,
    // Commands that do not watch the signal end at once, as every process does.
    get signal() {
      if (!isWatched) for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort())
      isWatched = true
      return interruption.signal
    },
  }
}

/** `earshot mentions list | head -1`: nobody reads the rest. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit(EXIT.done)
}
