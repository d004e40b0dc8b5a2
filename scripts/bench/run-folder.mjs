import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const PREFIX = 'earshot-bench-run-'
/** A server's file stands in `database/cluster` of a folder of its own. */
const DEPTH = 5
const END_WITHIN_MS = 10_000
const LOOK_MS = 50

/** A folder for all temporary files of this process and those it starts. Servers may run as another user. */
export function makeRunFolder() {
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  chmodSync(folder, 0o711)
  return folder
}

/** Ends the database servers that were left running in the folder, and removes it. */
export async function removeRunFolder(folder) {
  for (const file of serverFilesIn(folder, DEPTH)) await endServer(file, folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** Removes what runs left behind that were killed. */
export async function removeOldRunFolders() {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) && Number(name.slice(PREFIX.length).split('-')[0])
    if (pid && pid !== process.pid && !isAlive(pid)) await removeRunFolder(join(tmpdir(), name))
  }
}

function serverFilesIn(folder, depth) {
  const file = join(folder, 'postmaster.pid')
  if (existsSync(file)) return [file]
  if (depth === 0) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => serverFilesIn(join(folder, name), depth - 1))
}

/** At once and without a checkpoint, since its files are removed. */
async function endServer(file, folder) {
  // Negative while initdb makes it.
  const pid = Math.abs(Number.parseInt(readFileSync(file, 'utf8'), 10))
  // Another process may have the number by now.
  if (!commandOf(pid).includes(folder)) return
  process.kill(pid, 'SIGQUIT')
  for (let waitedMs = 0; isAlive(pid) && waitedMs < END_WITHIN_MS; waitedMs += LOOK_MS) await wait(LOOK_MS)
  if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}

function commandOf(pid) {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
