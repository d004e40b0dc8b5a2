import { createLog, type Log } from '../../src/kernel/log.ts'

/** A log whose lines a test can read. */
export interface CollectedLog {
  log: Log
  lines: Record<string, unknown>[]
}

export function collectedLog(): CollectedLog {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
  return { log: createLog('debug', { write }), lines }
}
