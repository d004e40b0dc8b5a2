/// <reference lib="es2024.arraybuffer" />

import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isRunning } from '../../store/embedded/processes.ts'

/** Handed to the system at a time. Between two portions other work of this thread gets its turn. */
const PORTION_BYTES = 4 << 20

/**
 * Writes chunks one after another beside `path` and then puts the file in its place, readable by its owner only.
 * Between two portions `goOn` is asked; when it says no, nothing is left behind and the answer is false. The file is
 * not forced to the disk: its reader finds out when a power cut has torn it.
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

/**
 * Reads a file into memory that can be given back at once with `buffer.resize(0)`, instead of staying in use until the
 * collector comes by. Null when there is none.
 */
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

/** Removes what processes left beside `path` that ended while they wrote. */
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
