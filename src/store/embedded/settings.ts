import { totalmem } from 'node:os'

/** In bytes. */
export interface Room {
  /** Of the machine, or of the surrounding container. */
  readonly memory: number
  /** Free on the data folder's disk. */
  readonly disk: number
}

/**
 * Passed on the command line, so that an update of Earshot changes no file in the data folder. Sized for a laptop that
 * does other work too.
 */
export function serverSettings(options: {
  socketFolder: string
  port: number
  durable: boolean
  room: Room
  more: Readonly<Record<string, string>>
}): string[] {
  const settings = {
    ...BASE,
    ...sizes(options.room),
    ...(options.durable ? {} : NOT_DURABLE),
    ...reach(options.socketFolder, options.port),
    ...options.more,
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

export function usableMemory(): number {
  // Zero, or more than any memory, where nothing limits it.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

const MIB = 2 ** 20

/** The server allocates these sizes only as needed. */
function sizes({ memory, disk }: Room): Record<string, string> {
  return {
    // Holds the working set of millions of mentions. With 1 GB for six million, storing spent a third of its time on
    // reading pages and evicting others. An unused gigabyte costs 20 MB.
    shared_buffers: within(memory / 8, 128, 3072),
    // Memory for sorting the pending list of the word index: what does not fit is merged in several passes. Each step
    // of a query may take as much.
    work_mem: within(memory / 1024, 4, 16),
    // The first change of a page after a checkpoint logs the whole page: with a checkpoint every 4 GB, such pages were
    // two thirds of the WAL at thousands of mentions a second. In quiet times checkpoints come by the clock, and the
    // WAL stays small.
    max_wal_size: within(disk / 6, 1024, 16_384),
    // Recycled WAL files need not be zeroed first.
    min_wal_size: within(disk / 48, 128, 2048),
  }
}

/** Whole mebibytes within both bounds. */
function within(bytes: number, least: number, most: number): string {
  return `${Math.round(Math.min(most, Math.max(least, bytes / MIB)))}MB`
}

const BASE = {
  max_connections: '60',
  // Compressing full pages took longer than writing them.
  wal_compression: 'off',
  checkpoint_timeout: '15min',
  // The background writer cleans buffers ahead, so that queries need not write pages to get a free buffer.
  bgwriter_lru_maxpages: '1000',
  random_page_cost: '1.1',
  jit: 'off',
  // Worker processes would cost memory all day: the connection that needs a page reads it, and there is no replication.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  // The log must stay small, and statements may contain what people wrote.
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
}

/** For tests, which need no crash safety. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** A socket in a private folder. Windows does not protect sockets by file rights and gets a loopback port. */
function reach(socketFolder: string, port: number): Record<string, string> {
  if (process.platform === 'win32')
    return { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) }
  return {
    listen_addresses: '',
    unix_socket_directories: quoted(socketFolder),
    unix_socket_permissions: '0700',
    port: String(port),
  }
}

/** The setting is a list: a comma or space in the path would end the first entry. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`
}
