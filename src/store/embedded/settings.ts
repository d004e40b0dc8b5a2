import { totalmem } from 'node:os'

/**
 * The server's settings, given on its command line so that an update of ours needs no change of files in the data
 * folder. Sized for a laptop that does other work too.
 */
export function serverSettings(options: { socketFolder: string; port: number; durable: boolean; more: Readonly<Record<string, string>> }): string[] {
  const settings = { ...BASE, ...(options.durable ? {} : NOT_DURABLE), ...reach(options.socketFolder, options.port), ...options.more }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

const MIB = 2 ** 20

/** A sixteenth of the memory, which is taken only as it is needed: a store of millions of mentions is worked on in it. */
const SHARED_BUFFERS = Math.round(Math.min(1024 * MIB, Math.max(128 * MIB, totalmem() / 16)) / MIB)

const BASE = {
  max_connections: '60',
  shared_buffers: `${SHARED_BUFFERS}MB`,
  // The first change of a page after a checkpoint logs the whole page, which took most of the time of storing mentions while
  // checkpoints came every minute and each page was compressed.
  wal_compression: 'off',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  // Each worker process would cost memory all day: reads are done by the connection that needs them, and nothing
  // replicates by rows.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  // The log must stay small, and statements may hold what people wrote.
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
}

/** For tests only: what a crash of the machine would lose is not worth waiting for. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** A socket in a private folder; Windows, where that has no protection by file rights, gets a port on loopback. */
function reach(socketFolder: string, port: number): Record<string, string> {
  if (process.platform === 'win32') return { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) }
  return { listen_addresses: '', unix_socket_directories: quoted(socketFolder), unix_socket_permissions: '0700', port: String(port) }
}

/** The setting is a list: a comma or a space in the path would end the first entry. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`
}
