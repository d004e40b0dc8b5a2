/// <reference lib="es2024.sharedmemory" />

/**
 * Growing arrays over shared memory. Small ones are copied. Big and shared ones lie in growable buffers, which reserve
 * address space and never move; fixed-length views of them are faster than length-tracking ones.
 */

/** Smaller arrays reserve no address space. */
const SMALL_BYTES = 1 << 16
/** By 1/32, in whole pages of the largest size in use. */
const PAGE_BYTES = 1 << 16
const GROWN_BY = 1 / 32
const RESERVED_BYTES = 2 ** 32 - PAGE_BYTES

export function sharedInt32(length: number): Int32Array {
  return new Int32Array(sharedBuffer(4 * length), 0, length)
}

export function sharedUint16(length: number): Uint16Array {
  return new Uint16Array(sharedBuffer(2 * length), 0, length)
}

export function grownInt32(array: Int32Array, least: number): Int32Array {
  if (least <= array.length) return array
  const buffer = grownBuffer(bufferOf(array), 4 * least)
  return new Int32Array(buffer, 0, Math.floor(buffer.byteLength / 4))
}

export function grownUint16(array: Uint16Array, least: number): Uint16Array {
  if (least <= array.length) return array
  const buffer = grownBuffer(bufferOf(array), 2 * least)
  return new Uint16Array(buffer, 0, Math.floor(buffer.byteLength / 2))
}

/** Grows the buffer to that length if necessary. */
export function enlargedInt32(array: Int32Array, length: number): Int32Array {
  const buffer = bufferOf(array)
  if (buffer.byteLength < 4 * length) buffer.grow(4 * length)
  return new Int32Array(buffer, 0, length)
}

/** In a buffer that never moves, so that other threads can keep it. */
export function stayingInt32(array: Int32Array): Int32Array {
  return new Int32Array(stayingBuffer(bufferOf(array)), 0, array.length)
}

export function stayingUint16(array: Uint16Array): Uint16Array {
  return new Uint16Array(stayingBuffer(bufferOf(array)), 0, array.length)
}

export function bufferOf(array: Int32Array | Uint16Array): SharedArrayBuffer {
  return array.buffer as SharedArrayBuffer
}

function sharedBuffer(bytes: number): SharedArrayBuffer {
  return bytes < SMALL_BYTES ? new SharedArrayBuffer(bytes) : growableBuffer(bytes)
}

/** Halves until it succeeds: some machines limit address space. */
function growableBuffer(bytes: number): SharedArrayBuffer {
  for (let reserved = RESERVED_BYTES; ; reserved = Math.ceil(reserved / 2)) {
    try {
      return new SharedArrayBuffer(bytes, { maxByteLength: reserved })
    } catch (error) {
      if (reserved / 2 < 2 * bytes) throw error
    }
  }
}

function grownBuffer(buffer: SharedArrayBuffer, least: number): SharedArrayBuffer {
  if (!buffer.growable) {
    const grown = sharedBuffer(Math.max(least, 2 * buffer.byteLength, 256))
    copy(buffer, grown)
    return grown
  }
  const wanted = Math.max(least, buffer.byteLength * (1 + GROWN_BY))
  buffer.grow(Math.max(least, Math.min(buffer.maxByteLength, PAGE_BYTES * Math.ceil(wanted / PAGE_BYTES))))
  return buffer
}

function stayingBuffer(buffer: SharedArrayBuffer): SharedArrayBuffer {
  if (buffer.growable) return buffer
  const staying = growableBuffer(buffer.byteLength)
  copy(buffer, staying)
  return staying
}

function copy(from: SharedArrayBuffer, to: SharedArrayBuffer): void {
  new Uint8Array(to, 0, from.byteLength).set(new Uint8Array(from))
}

/** A freed run is reused for its length only. */
export class Runs {
  private end: number
  private readonly free = new Map<number, number[]>()

  constructor(first = 0) {
    this.end = first
  }

  take(length: number): number {
    const at = this.free.get(length)?.pop()
    if (at !== undefined) return at
    this.end += length
    return this.end - length
  }

  give(at: number, length: number): void {
    const freed = this.free.get(length)
    if (freed) freed.push(at)
    else this.free.set(length, [at])
  }

  get needed(): number {
    return this.end
  }

  /** The end, then length, number and places of each free list. */
  toNumbers(): Int32Array {
    const lists = [...this.free].filter(([, places]) => places.length > 0)
    const numbers = new Int32Array(1 + lists.reduce((sum, [, places]) => sum + 2 + places.length, 0))
    numbers[0] = this.end
    let at = 1
    for (const [length, places] of lists) {
      numbers[at] = length
      numbers[at + 1] = places.length
      numbers.set(places, at + 2)
      at += 2 + places.length
    }
    return numbers
  }

  static fromNumbers(numbers: Int32Array): Runs {
    const runs = new Runs()
    runs.end = numbers[0] ?? 0
    for (let at = 1; at + 1 < numbers.length; ) {
      const count = Math.max(0, numbers[at + 1]!)
      runs.free.set(numbers[at]!, [...numbers.subarray(at + 2, at + 2 + count)])
      at += 2 + count
    }
    return runs
  }
}

export function doubled(array: Int32Array): Int32Array {
  const grown = new Int32Array(2 * array.length)
  grown.set(array)
  return grown
}
