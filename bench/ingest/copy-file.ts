import { closeSync, openSync, writeSync } from 'node:fs'
import type { Uuid } from '../../src/kernel/ids.ts'

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const CHUNK = 4 * 1024 * 1024
/** No row of the benchmark is longer. */
const ROOM = 64 * 1024
/** Timestamps count microseconds since 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1)

/** Writes rows in the binary form of COPY, field by field, into a file. */
export class CopyFile {
  readonly #file: number
  readonly #bytes = Buffer.alloc(CHUNK)
  #at = 0

  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o644)
    this.#at += SIGNATURE.copy(this.#bytes)
  }

  row(fields: number): void {
    if (this.#at > CHUNK - ROOM) this.#flush()
    this.#at = this.#bytes.writeInt16BE(fields, this.#at)
  }

  nothing(): void {
    this.#length(-1)
  }

  bytes(value: Buffer): void {
    this.#length(value.length)
    this.#at += value.copy(this.#bytes, this.#at)
  }

  uuid(value: Uuid): void {
    this.#length(16)
    this.#at += this.#bytes.write(value.replaceAll('-', ''), this.#at, 'hex')
  }

  instant(ms: number): void {
    this.#length(8)
    this.#at = this.#bytes.writeBigInt64BE(BigInt(ms - EPOCH_MS) * 1000n, this.#at)
  }

  int16(value: number): void {
    this.#length(2)
    this.#at = this.#bytes.writeInt16BE(value, this.#at)
  }

  int32(value: number): void {
    this.#length(4)
    this.#at = this.#bytes.writeInt32BE(value, this.#at)
  }

  flag(value: boolean): void {
    this.#length(1)
    this.#bytes[this.#at++] = value ? 1 : 0
  }

  /** Ends the file. */
  close(): void {
    this.#at = this.#bytes.writeInt16BE(-1, this.#at)
    this.#flush()
    closeSync(this.#file)
  }

  #length(value: number): void {
    this.#at = this.#bytes.writeInt32BE(value, this.#at)
  }

  #flush(): void {
    writeSync(this.#file, this.#bytes, 0, this.#at)
    this.#at = 0
  }
}
