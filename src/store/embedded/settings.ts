import { totalmem } from 'node:os'

/** What the server has to itself and what it shares, in bytes. */
export interface Room {
  /** Memory of the machine, or of the container around us. */
  readonly memory: number
  /** What is free on the disk of the data folder. */
  readonly disk: number
}

/**
 * The server's settings, given on its command line so that an update of ours needs no change of files in the data
 * folder. Sized for a laptop that does other work too.
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

/** Memory that may be used: containers often have less than their machine. */
export function usableMemory(): number {
  // Where nothing limits it this is nought or larger than any memory.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

const MIB = 2 ** 20

/** All of it is taken only as it is needed. */
function sizes({ memory, disk }: Room): Record<string, string> {
  return {
    // A store of millions of mentions is worked on in it. With a gigabyte for six million of them, whoever stored more
    // spent a third of the time on reading pages and on writing others out to make room. A gigabyte that is not used
    // costs 20 MB.
    shared_buffers: within(memory / 8, 128, 3072),
    // New words of mentions wait in a list and are sorted in this before they go into their index: what does not fit
    // goes in several times over. Each step of a query may take as much.
    work_mem: within(memory / 1024, 4, 16),
    // The first change of a page after a checkpoint logs the whole page. While checkpoints came after every 4 GB of
    // log, those pages were two thirds of the log of a store of millions that took thousands of mentions a second. In
    // quiet times checkpoints come by the clock, and the log stays small.
    max_wal_size: within(disk / 6, 1024, 16_384),
    // Files of the log that are used again need not be filled with noughts first.
    min_wal_size: within(disk / 48, 128, 2048),
  }
}

/** Whole mebibytes between two bounds. */
function within(bytes: number, least: number, most: number): string {
  return `${Math.round(Math.min(most, Math.max(least, bytes / MIB)))}MB`
}

const BASE = {
  max_connections: '60',
  // Compressing whole pages took longer than writing them.
  wal_compression: 'off',
  checkpoint_timeout: '15min',
  // Pages that are about to make room are written out beforehand, as many as are asked for, and not by whoever needs
  // the room.
  bgwriter_lru_maxpages: '1000',
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
  if (process.platform === 'win32')
    return { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) }
  return {
    listen_addresses: '',
    unix_socket_directories: quoted(socketFolder),
    unix_socket_permissions: '0700',
    port: String(port),
  }
}

/** The setting is a list: a comma or a space in the path would end the first entry. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`
}
