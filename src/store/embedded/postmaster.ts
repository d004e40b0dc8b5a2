import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Connection } from './connection.ts'
import { commandOf, isRunning } from './processes.ts'

export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly host: string
}

export type PostmasterAnswer =
  | { readonly kind: 'ready'; readonly cluster: string; readonly version: string }
  | { readonly kind: 'starting' }
  | { readonly kind: 'silent'; readonly reason: string }
  | { readonly kind: 'stranger' }

const ASK_MS = 3000

/** Null when the process in postmaster.pid has ended, or is another program. */
export function findPostmaster(cluster: string): Postmaster | null {
  const note = noteOf(cluster)
  if (!existsSync(note)) return null
  const [pid, , , port, socketFolder, listens] = readFileSync(note, 'utf8').split('\n')
  if (!pid || !/^[1-9]\d*$/.test(pid.trim())) return null
  if (!isRunning(Number(pid)) || !serves(Number(pid), cluster)) return null
  return { pid: Number(pid), port: Number(port ?? 0), host: socketFolder?.trim() || listens?.trim() || '127.0.0.1' }
}

/**
 * PostgreSQL refuses to start when the number in postmaster.pid belongs to a process of the same user. Call only after
 * `findPostmaster` returned null.
 */
export function removeStaleNote(cluster: string): void {
  rmSync(noteOf(cluster), { force: true })
}

export async function ask(connection: Connection): Promise<PostmasterAnswer> {
  const client = new Client({
    ...connection,
    connectionTimeoutMillis: ASK_MS,
    query_timeout: ASK_MS,
    application_name: 'earshot start',
  })
  // A connection that breaks later would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ cluster: string; version: string }>(
      "select current_setting('data_directory') as cluster, current_setting('server_version') as version",
    )
    return { kind: 'ready', cluster: rows[0]!.cluster, version: rows[0]!.version }
  } catch (error) {
    return answerOf(error as Error & { code?: string })
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** 57P03 cannot connect now, 53300 too many connections, 28P01 and 28000 wrong password or role. */
function answerOf(error: Error & { code?: string }): PostmasterAnswer {
  if (error.code === '57P03' || error.code === '53300') return { kind: 'starting' }
  if (error.code === '28P01' || error.code === '28000') return { kind: 'stranger' }
  return { kind: 'silent', reason: error.message }
}

/** Windows shows no command line, so a running process counts. */
function serves(pid: number, cluster: string): boolean {
  const command = commandOf(pid)
  if (command === null) return process.platform === 'win32'
  return command.includes(`postgres -D ${cluster} `)
}

function noteOf(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}
