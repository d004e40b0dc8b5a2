import { readdirSync, readFileSync } from 'node:fs'
import { type Database, sql } from '../../src/store/database.ts'

/** Ticks of the kernel's clock in a second, on every Linux that Node runs on. */
const TICKS = 100

/**
 * Seconds of processor time that the server of this database and its living processes have used; null where that cannot
 * be known.
 */
export async function serverSeconds(db: Database): Promise<number | null> {
  if (process.platform !== 'linux') return null
  const [own] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  const server = statOf(String(own!.pid))?.[1]
  if (server === undefined) return null
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = statOf(name)
    if (fields && fields[1] === server) ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks / TICKS
}

/** What stands behind the name of a process in its state; null when it has just ended. */
function statOf(pid: string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return null
    throw error
  }
}
