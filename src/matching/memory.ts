/**
 * Typed arrays over shared memory that grow by moving into a bigger one. Everything that the index knows lies in such
 * arrays, so that threads can share it and a snapshot is a copy of them.
 */

export function sharedInt32(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * length))
}

export function sharedUint16(length: number): Uint16Array {
  return new Uint16Array(new SharedArrayBuffer(2 * length))
}

export function sharedUint8(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length))
}

/** Up to here arrays double, for the waste is small; from here on they grow by a quarter, so that at most a fifth is empty. */
const DOUBLED = 1 << 22

function nextLength(length: number, least: number): number {
  return Math.max(least, Math.ceil(length * (length < DOUBLED ? 2 : 1.25)), 64)
}

/** `array` when it holds `least` numbers, or a bigger one with the same start. */
export function grownInt32(array: Int32Array, least: number): Int32Array {
  if (least <= array.length) return array
  const grown = sharedInt32(nextLength(array.length, least))
  grown.set(array)
  return grown
}

export function grownUint16(array: Uint16Array, least: number): Uint16Array {
  if (least <= array.length) return array
  const grown = sharedUint16(nextLength(array.length, least))
  grown.set(array)
  return grown
}

/** Space for runs of numbers inside one array: freed runs are used again for runs of the same length. */
export class Runs {
  /** The first number that no run has had yet. */
  private end = 0
  private readonly free = new Map<number, number[]>()

  /** The place of a run of `length`; the owner of the array grows it to `needed` first. */
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

  /** How long the array has to be. */
  get needed(): number {
    return this.end
  }
}
