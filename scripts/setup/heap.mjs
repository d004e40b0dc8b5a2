import { setFlagsFromString } from 'node:v8'

/** What may lie in the heap beside what is alive, as a share of that. */
const GARBAGE_PERCENT = 50

/**
 * Has garbage collected in time. Left to itself the runtime lets it lie until the heap is several times as large as
 * what is alive, up to a limit that goes by the memory of the machine: under load a process grew by tens of megabytes a
 * minute. It costs a few hundredths of the processor time, and has to come first: every collection sets the place of
 * the next one.
 *
 * An operator who has chosen sizes for the heap, in NODE_OPTIONS or on the command line of Node, has decided otherwise.
 *
 * @param {readonly string[]} options those that Node was started with
 * @returns {boolean} whether it was done
 */
export function boundHeap(options = [...process.execArgv, process.env.NODE_OPTIONS ?? '']) {
  if (options.some((option) => /(^|\s)--\S*(heap|space)[-_](size|growing)/.test(option))) return false
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`)
  return true
}
