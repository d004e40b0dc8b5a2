import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The heap of this process without garbage. */
export function liveBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
