import { forgetLastUuid } from '../src/kernel/ids.ts'

// Runs before each file of tests. Modules stay loaded from one file to the next, and the clock of a file may be behind
// that of the file before.
forgetLastUuid()
