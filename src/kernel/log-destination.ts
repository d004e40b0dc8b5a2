import { fstatSync } from 'node:fs'
import { type DestinationStream, pino } from 'pino'
import type { Environment } from './settings.ts'

/** What journald calls the levels: the numbers of syslog. */
const PRIORITIES: readonly [level: number, priority: number][] = [
  [60, 2],
  [50, 3],
  [40, 4],
  [30, 6],
]
const DEBUG = 7

/** Tells pino to set `lastLevel` before each line. */
const WANTS_LEVEL = Symbol.for('pino.metadata')

/**
 * Lines to a file, standard error by default. Where systemd connects the file to its journal, a line begins with its
 * priority, as in `<4>`, which the journal takes off: `journalctl -p warning` then finds it.
 */
export function logDestination(environment: Environment = process.env, file = 2): DestinationStream {
  const out = pino.destination({ dest: file, sync: true })
  if (!isJournal(environment, file)) return out
  const journal = {
    [WANTS_LEVEL]: true as const,
    lastLevel: 0,
    write: (line: string) => void out.write(`<${priorityOf(journal.lastLevel)}>${line}`),
  }
  return journal
}

function isJournal({ JOURNAL_STREAM: stream }: Environment, file: number): boolean {
  if (!stream) return false
  const { dev, ino } = fstatSync(file, { bigint: true })
  return stream === `${dev}:${ino}`
}

function priorityOf(level: number): number {
  return PRIORITIES.find(([least]) => level >= least)?.[1] ?? DEBUG
}
