/// <reference lib="es2024.arraybuffer" />

import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isRunning } from '../../store/embedded/processes.ts'

/** Bytes per write. The event loop runs other work between two writes. */
const PORTION_BYTES = 4 << 20

/**
 * Writes a temporary file, readable by its owner only, and renames it. Returns false, without a file, when `goOn` does.
 * Without fsync: the reader detects a file torn by a power cut.
 */
export async function writeChunks(path: string, chunks: readonly Uint8Array[], goOn: () => boolean): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.tmp`
  const file = await open(temporary, 'w', 0o600)
  let complete = false
  try {
    complete = await writeAll(file, chunks, goOn)
  } finally {
    await file.close()
    if (!complete) await rm(temporary, { force: true })
  }
  if (complete) await rename(temporary, path)
  return complete
}

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], goOn: () => boolean): Promise<boolean> {
  for (const chunk of chunks) {
    for (let done = 0; done < chunk.length; ) {
      if (!goOn()) return false
      done += (await file.write(chunk, done, Math.min(PORTION_BYTES, chunk.length - done))).bytesWritten
    }
  }
  return true
}

/** The memory can be released at once with `buffer.resize(0)`, before garbage collection. Null without a file. */
export async function readWhole(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!file) return null
  try {
    const { size } = await file.stat()
    const bytes = new Uint8Array(new ArrayBuffer(size, { maxByteLength: size }))
    for (let done = 0; done < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, done, Math.min(PORTION_BYTES, bytes.length - done))
      if (bytesRead === 0) return bytes.subarray(0, done)
      done += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}

/** Removes temporary files of processes that died while writing. */
export async function removeAbandoned(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const prefix = `${basename(path)}.`
  for (const name of names) {
    const pid = name.startsWith(prefix) ? Number(/^(\d+)\.tmp$/.exec(name.slice(prefix.length))?.[1] ?? 0) : 0
    if (pid > 0 && pid !== process.pid && !isRunning(pid)) await rm(join(dirname(path), name), { force: true })
  }
}
