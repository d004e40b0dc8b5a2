/** Evicts the values that were set longest ago. */
export interface BoundedMemory<Value> {
  get(key: string): Value | undefined
  /** Moves the key behind all others. */
  set(key: string, value: Value): void
  delete(key: string): void
  readonly size: number
}

export interface MemoryBounds<Value> {
  most: number
  /** For values of different sizes: the constant size of each, and the most of all together. */
  sizes?: { of(value: Value): number; most: number }
}

/** A value larger than the cache is not stored, and evicts every other value. */
export function boundedMemory<Value>({ most, sizes }: MemoryBounds<Value>): BoundedMemory<Value> {
  const kept = new Map<string, Value>()
  let held = 0
  return {
    get: (key) => kept.get(key),
    set(key, value) {
      forget(key)
      kept.set(key, value)
      held += sizes?.of(value) ?? 0
      for (const oldest of kept.keys()) {
        if (kept.size <= most && held <= (sizes?.most ?? held)) break
        forget(oldest)
      }
    },
    delete: forget,
    get size() {
      return kept.size
    },
  }

  function forget(key: string): void {
    const value = kept.get(key)
    if (value !== undefined && kept.delete(key)) held -= sizes?.of(value) ?? 0
  }
}

export interface AgingMemory<Value> {
  /** Undefined when absent or expired at `at`. */
  get(key: string, at: Date): Value | undefined
  set(key: string, value: Value, at: Date): void
  readonly size: number
}

/** At most `most` values, each for `forMs`. */
export function agingMemory<Value>({ most, forMs }: { most: number; forMs: number }): AgingMemory<Value> {
  const kept = boundedMemory<{ value: Value; foundMs: number }>({ most })
  return {
    get(key, at) {
      const finding = kept.get(key)
      if (finding === undefined || at.getTime() - finding.foundMs < forMs) return finding?.value
      kept.delete(key)
      return undefined
    },
    set: (key, value, at) => kept.set(key, { value, foundMs: at.getTime() }),
    get size() {
      return kept.size
    },
  }
}

export function forgetOldest<Key>(
  entries: { readonly size: number; keys(): Iterable<Key>; delete(key: Key): boolean },
  most: number,
): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return
    entries.delete(oldest)
  }
}
