import { afterAll } from 'vitest'
import { forgetLastUuid } from '../src/kernel/ids.ts'

// Runs before each file of tests. Modules stay loaded from one file to the next, and the clock of a file may be behind
// that of the file before.
forgetLastUuid()

const begunWith = globalThis.setTimeout
afterAll(() => {
  if (globalThis.setTimeout === begunWith) return
  globalThis.setTimeout = begunWith
  throw new Error('This file leaves a setTimeout of its own to the files after it. Restore spies before real timers.')
})
