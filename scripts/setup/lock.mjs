import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { say } from './progress.mjs'
import { PROJECT, SCRATCH, SetupError } from './project.mjs'

const FOLDER = join(SCRATCH, 'setting-up')
const LIMIT_MS = 15 * 60_000

/**
 * Runs `work` while no other process sets this folder up; waits for one that does.
 *
 * Each process puts an entry of its own into a folder, then looks at the others' entries. An entry is named by process
 * number and start, so those of killed processes are recognised and removed without ever removing a living one. Two who
 * come in the same moment see each other; both step back and try again after different times.
 */
export async function withLock(work) {
  const mine = join(FOLDER, nameOf(process.pid))
  const release = () => rmSync(mine, { force: true })
  const giveUpAt = Date.now() + LIMIT_MS
  for (let told = false; ; ) {
    const other = take(mine)
    if (other === null) break
    if (Date.now() > giveUpAt)
      throw new SetupError(
        `Another process (${other}) has been setting up ${PROJECT} for too long; end it and try again.`,
      )
    if (!told) say(`Waiting for another process (${other}) that is setting up ...`)
    told = true
    await wait(50 + Math.random() * 150)
  }
  process.on('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

/** Null when the entry was made and nobody else's is there; else the number of the other process. */
function take(mine) {
  try {
    mkdirSync(FOLDER, { recursive: true })
    closeSync(openSync(mine, 'w'))
  } catch (error) {
    throw new SetupError(
      `Earshot is not completely set up, and the folder ${PROJECT} cannot be written to (${error.code}).`,
    )
  }
  const other = readdirSync(FOLDER).find((name) => join(FOLDER, name) !== mine && isLiving(name))
  if (other === undefined) return null
  rmSync(mine, { force: true })
  return other.split('-')[0]
}

function isLiving(name) {
  if (nameOf(Number(name.split('-')[0])) === name) return true
  rmSync(join(FOLDER, name), { force: true })
  return false
}

/** Process number and start; no living process has the same name as an ended one. */
function nameOf(pid) {
  return `${pid}-${startOf(pid)}`
}

function startOf(pid) {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    }
    if (process.platform === 'win32') return process.kill(pid, 0) ? 'running' : 'ended'
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
    })
    return started.trim().replaceAll(/[^0-9A-Za-z]+/g, '.')
  } catch {
    // There is no such process.
    return 'ended'
  }
}
