import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { StartError } from '../../kernel/start-error.ts'
import { paddingOf, TAR_END, tarHeader } from './tar.ts'

/** Between the name of an archive and that of its unfinished form is a random text. */
export const UNFINISHED = '.part'

const compress = promisify(gzip)
/** Of nine, the quickest. */
const LEVEL = 1
/** Bounds memory; the thread pool of Node.js has four threads. */
const AT_ONCE = 3

/** Compresses files of the archive beside each other and writes them in order. */
export class ArchiveWriter {
  /** Written so far. */
  bytes = 0
  private readonly handle: FileHandle
  private readonly at: Date
  private readonly writing: Promise<void>[] = []

  constructor(handle: FileHandle, at: Date) {
    this.handle = handle
    this.at = at
  }

  /** May reject with the failure of an earlier file. */
  async add(name: string, content: Buffer): Promise<void> {
    const before = this.writing.at(-1)
    const written = Promise.all([compress(content, { level: LEVEL }), before]).then(([packed]) =>
      this.write([tarHeader({ name: `${name}.gz`, size: packed.length }, this.at), packed, paddingFor(packed)]),
    )
    // The failure is reported to whoever adds or ends next.
    written.catch(() => undefined)
    this.writing.push(written)
    if (this.writing.length > AT_ONCE) await this.writing.shift()
  }

  async end(): Promise<void> {
    await this.writing.at(-1)
    await this.write([TAR_END])
  }

  private async write(parts: readonly Buffer[]): Promise<void> {
    const whole = Buffer.concat(parts)
    for (let done = 0; done < whole.length; ) done += (await this.handle.write(whole, done)).bytesWritten
    this.bytes += whole.length
  }
}

function paddingFor(content: Buffer): Buffer {
  return Buffer.alloc(paddingOf(content.length))
}

/**
 * Answers the size of the archive in bytes. It gets its name when it is whole and on the disk; a process that is killed
 * leaves a file whose name ends in UNFINISHED.
 */
export async function createArchive<Result>(
  file: string,
  at: Date,
  fill: (archive: ArchiveWriter) => Promise<Result>,
): Promise<{ result: Result; bytes: number }> {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}${UNFINISHED}`
  try {
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      const archive = new ArchiveWriter(handle, at)
      const result = await fill(archive)
      await archive.end()
      await handle.sync()
      await nameForGood(unfinished, file)
      return { result, bytes: archive.bytes }
    } finally {
      await handle.close()
    }
  } catch (error) {
    await rm(unfinished, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code !== undefined && FILE_CALLS.has(syscall ?? ''))
      throw new StartError(`${file} cannot be written (${code}); choose another place or make room.`)
    throw error
  }
}

const FILE_CALLS: ReadonlySet<string> = new Set(['open', 'write', 'fsync', 'rename', 'close'])

async function nameForGood(unfinished: string, file: string): Promise<void> {
  await rename(unfinished, file)
  // A rename survives a power cut only once its folder is on the disk.
  if (process.platform !== 'win32') {
    const folder = await open(dirname(file), 'r')
    await folder.sync().finally(() => folder.close())
  }
}
