import { forgetLastUuid } from '../src/kernel/ids.ts'

// Runs before each file of tests. Modules stay loaded from one file to the next, and the clock of a file may be behind
// that of the file before.
forgetLastUuid()

/** The timer of the process, as its first file found it. */
const shared = globalThis as { firstSetTimeout?: typeof setTimeout }
shared.firstSetTimeout ??= globalThis.setTimeout

if (globalThis.setTimeout !== shared.firstSetTimeout) {
  globalThis.setTimeout = shared.firstSetTimeout
  throw new Error('The file of tests before this one left a setTimeout of its own. Restore spies before real timers.')
}
