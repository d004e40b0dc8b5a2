import { closeSync, fchownSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { StartError } from '../../kernel/start-error.ts'
import type { SystemAccount } from './account.ts'

const MAX_BYTES = 4 * 1024 * 1024
const TAIL_BYTES = 2000
const TAIL_LINES = 8

const CAUSES: readonly [RegExp, string][] = [
  [/could not create semaphores/, 'the system has no semaphores left'],
  [/No space left on device/, 'the disk is full'],
  [/Read-only file system/, 'the disk is read-only'],
  [/Permission denied/, 'a file or folder is closed to it'],
  [/Cannot allocate memory|could not map anonymous shared memory/, 'there is not enough memory'],
  [/could not look up effective user ID/, 'it must run as a user that has a name on this system'],
]

/** A log above MAX_BYTES is rotated first. */
export function openLog(path: string, account: SystemAccount | null): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > MAX_BYTES) renameSync(path, `${path}.1`)
  const file = openSync(path, 'a', 0o600)
  if (account) fchownSync(file, account.uid, account.gid)
  return file
}

/** One sentence, the known cause, and the last lines. */
export function startFailure(what: string, lastWords: string): StartError {
  const cause = CAUSES.find(([pattern]) => pattern.test(lastWords))?.[1]
  return new StartError(`${what}${cause ? `: ${cause}` : ''}.${lastWords ? `\n${lastWords}` : ''}`)
}

export function tailOf(path: string, since = 0): string {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const from = Math.max(Math.min(since, size), size - TAIL_BYTES)
    const bytes = Buffer.alloc(size - from)
    readSync(file, bytes, 0, bytes.length, from)
    return lastLines(bytes.toString('utf8'))
  } finally {
    closeSync(file)
  }
}

export function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
}
