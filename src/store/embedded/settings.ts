import { totalmem } from 'node:os'

export interface ServerResources {
  /** Of the machine, or of the container. */
  readonly memory: number
  readonly disk: number
}

/**
 * On the command line, so that an update changes no file in the data folder. Sized for a laptop that does other work
 * too.
 */
export function serverSettings(options: {
  socketFolder: string
  port: number
  durable: boolean
  room: ServerResources
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
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

const MIB = 2 ** 20

function sizes({ memory, disk }: ServerResources): Record<string, string> {
  return {
    // With 1 GB for six million mentions, storing spent a third of its time on reading and evicting pages. An unused
    // gigabyte costs 20 MB.
    shared_buffers: within(memory / 8, 128, 3072),
    // For the pending list of the word index, which is otherwise merged in several passes. Each step of a query may
    // take as much.
    work_mem: within(memory / 1024, 4, 16),
    // The first change of a page after a checkpoint logs the whole page: with checkpoints every 4 GB, two thirds of the
    // WAL at thousands of mentions a second. In quiet times checkpoints come by the clock.
    max_wal_size: within(disk / 6, 1024, 16_384),
    // Recycled files need no zeroing.
    min_wal_size: within(disk / 48, 128, 2048),
  }
}

function within(bytes: number, least: number, most: number): string {
  return `${Math.round(Math.min(most, Math.max(least, bytes / MIB)))}MB`
}

const BASE = {
  max_connections: '60',
  // Compressing pages took longer than writing them.
  wal_compression: 'off',
  checkpoint_timeout: '15min',
  // Queries then need not write pages to free a buffer.
  bgwriter_lru_maxpages: '1000',
  random_page_cost: '1.1',
  jit: 'off',
  // Worker processes cost memory all day, and nothing is replicated.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  // Statements may contain what people wrote.
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
}

const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Windows does not protect sockets by file rights. */
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

/** A comma or space would end the list's first entry. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`
}
