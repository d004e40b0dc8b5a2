/**
 * The server's settings, given on its command line so that an update of ours needs no change of files in the data
 * folder. Sized for a laptop that does other work too.
 */
export function serverSettings(options: { socketFolder: string; port: number; durable: boolean; more: Readonly<Record<string, string>> }): string[] {
  const settings = { ...BASE, ...(options.durable ? {} : NOT_DURABLE), ...reach(options.socketFolder, options.port), ...options.more }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

const BASE = {
  max_connections: '60',
  shared_buffers: '128MB',
  wal_compression: 'on',
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
