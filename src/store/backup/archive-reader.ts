import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { StartError } from '../../kernel/start-error.ts'
import { PART_BYTES } from './format.ts'
import { BLOCK_BYTES, paddingOf, readTarHeader, TAR_END } from './tar.ts'

const decompress = promisify(gunzip)
/** A part ends with the chunk that fills it. */
const MOST_BYTES = 2 * PART_BYTES

export interface ArchivedFile {
  /** Without its ending `.gz`. */
  name: string
  content: Buffer
}

/** The archive is not whole, or no archive. */
export class DamagedArchive extends StartError {
  constructor(file: string, how: string) {
    super(`${file} is damaged or no backup of Earshot: ${how}. Nothing was restored.`)
  }
}

/** Reads the files of an archive in order. */
export class ArchiveReader {
  /** Read so far. */
  position = 0
  readonly file: string
  private readonly handle: FileHandle
  private ahead: Promise<ArchivedFile | null> | null = null

  constructor(file: string, handle: FileHandle) {
    this.file = file
    this.handle = handle
  }

  async bytes(): Promise<number> {
    return (await this.handle.stat()).size
  }

  /** The next file, which stays the next one; null at the end. */
  peek(): Promise<ArchivedFile | null> {
    this.ahead ??= this.read()
    return this.ahead
  }

  async next(): Promise<ArchivedFile | null> {
    const file = await this.peek()
    this.ahead = null
    return file
  }

  damaged(how: string): DamagedArchive {
    return new DamagedArchive(this.file, how)
  }

  close(): Promise<void> {
    return this.handle.close()
  }

  private async read(): Promise<ArchivedFile | null> {
    const block = await this.take(BLOCK_BYTES)
    if (TAR_END.subarray(0, BLOCK_BYTES).equals(block)) return await this.end()
    const header = readTarHeader(block)
    if (header === null || !header.name.endsWith('.gz') || header.size > MOST_BYTES)
      throw this.damaged(`what is at byte ${this.position - BLOCK_BYTES} does not belong there`)
    const packed = await this.take(header.size)
    const padding = await this.take(paddingOf(header.size))
    if (padding.some((byte) => byte !== 0))
      throw this.damaged(`what follows ${header.name} in it does not belong there`)
    try {
      const content = await decompress(packed, { maxOutputLength: MOST_BYTES })
      return { name: header.name.slice(0, -'.gz'.length), content }
    } catch {
      throw this.damaged(`${header.name} in it cannot be unpacked`)
    }
  }

  private async end(): Promise<null> {
    const rest = await this.take(BLOCK_BYTES)
    const { bytesRead } = await this.handle.read(Buffer.alloc(1), 0, 1, this.position)
    if (bytesRead > 0 || !TAR_END.subarray(0, BLOCK_BYTES).equals(rest)) throw this.damaged('something follows its end')
    return null
  }

  private async take(bytes: number): Promise<Buffer> {
    const taken = Buffer.alloc(bytes)
    for (let done = 0; done < bytes; ) {
      const { bytesRead } = await this.handle.read(taken, done, bytes - done, this.position)
      if (bytesRead === 0) throw this.damaged(`it ends at byte ${this.position}, before its end`)
      done += bytesRead
      this.position += bytesRead
    }
    return taken
  }
}

export async function readArchive<Result>(
  file: string,
  read: (archive: ArchiveReader) => Promise<Result>,
): Promise<Result> {
  const archive = new ArchiveReader(file, await openFile(file))
  try {
    return await read(archive)
  } finally {
    await archive.close()
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, 'r')
    if ((await handle.stat()).isFile()) return handle
    await handle.close()
  } catch (error) {
    throw new StartError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  throw new StartError(`${file} is no file.`)
}
