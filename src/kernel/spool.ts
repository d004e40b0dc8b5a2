import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw } from 'node:zlib'
import { Condition } from './concurrency/condition.ts'

const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)

const LENGTH_BYTES = 4

/**
 * Texts in the order in which `make` puts them, made at its own speed however slowly they are read. What waits is in a
 * file without a name, compressed, so memory is constant and the file goes with the process. After the reader has left
 * `put` rejects; a failure of `make` follows the texts before it.
 */
export async function* spooled(make: (put: (text: string) => Promise<void>) => Promise<void>): AsyncIterable<string> {
  const file = await namelessFile()
  const spool = new Spool(file)
  const making = make((text) => spool.put(text)).then(
    () => spool.end(null),
    (error: unknown) => spool.end({ error }),
  )
  try {
    yield* spool.texts()
  } finally {
    spool.leave()
    await making
    await file.close()
  }
}

async function namelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-'))
  try {
    return await open(join(folder, 'spool'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

class Spool {
  private readonly file: FileHandle
  private readonly changed = new Condition()
  private written = 0
  private hasReader = true
  private over: { failure: { error: unknown } | null } | null = null

  constructor(file: FileHandle) {
    this.file = file
  }

  async put(text: string): Promise<void> {
    if (!this.hasReader) throw new Error('the reader of a spool has left')
    const packed = await pack(text, { level: constants.Z_BEST_SPEED })
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(packed.length)
    await this.file.appendFile(Buffer.concat([length, packed]))
    this.written += LENGTH_BYTES + packed.length
    this.changed.notify()
  }

  end(failure: { error: unknown } | null): void {
    this.over = { failure }
    this.changed.notify()
  }

  leave(): void {
    this.hasReader = false
  }

  async *texts(): AsyncIterable<string> {
    for (let at = 0; ; ) {
      await this.changed.until(() => this.written > at || this.over !== null)
      if (this.written === at) {
        if (this.over!.failure !== null) throw this.over!.failure.error
        return
      }
      const length = (await this.read(at, LENGTH_BYTES)).readUInt32BE()
      yield (await unpack(await this.read(at + LENGTH_BYTES, length))).toString()
      at += LENGTH_BYTES + length
    }
  }

  private async read(from: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length)
    for (let done = 0; done < length; ) {
      const { bytesRead } = await this.file.read(bytes, done, length - done, from + done)
      if (bytesRead === 0) throw new Error('a spool ends within a text')
      done += bytesRead
    }
    return bytes
  }
}
