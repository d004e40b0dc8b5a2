/** Evicts the values that were set longest ago. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined
  /** Moves the key behind all others. */
  set(key: string, value: Value): void
  delete(key: string): void
  readonly size: number
}

export interface CacheBounds<Value> {
  most: number
  /** For values of different sizes: the constant size of each, and the most of all together. */
  sizes?: { of(value: Value): number; most: number }
}

/** A value larger than the cache is not stored, and evicts every other value. */
export function boundedCache<Value>({ most, sizes }: CacheBounds<Value>): BoundedCache<Value> {
  const values = new Map<string, Value>()
  let totalSize = 0
  return {
    get: (key) => values.get(key),
    set(key, value) {
      forget(key)
      values.set(key, value)
      totalSize += sizes?.of(value) ?? 0
      for (const oldest of values.keys()) {
        if (values.size <= most && totalSize <= (sizes?.most ?? totalSize)) break
        forget(oldest)
      }
    },
    delete: forget,
    get size() {
      return values.size
    },
  }

  function forget(key: string): void {
    const value = values.get(key)
    if (value !== undefined && values.delete(key)) totalSize -= sizes?.of(value) ?? 0
  }
}

export interface TimedCache<Value> {
  /** Undefined when absent or expired at `at`. */
  get(key: string, at: Date): Value | undefined
  set(key: string, value: Value, at: Date): void
  readonly size: number
}

/** At most `most` values, each for `forMs`. */
export function timedCache<Value>({ most, forMs }: { most: number; forMs: number }): TimedCache<Value> {
  const cached = boundedCache<{ value: Value; foundMs: number }>({ most })
  return {
    get(key, at) {
      const finding = cached.get(key)
      if (finding === undefined || at.getTime() - finding.foundMs < forMs) return finding?.value
      cached.delete(key)
      return undefined
    },
    set: (key, value, at) => cached.set(key, { value, foundMs: at.getTime() }),
    get size() {
      return cached.size
    },
  }
}

export function trimOldest<Key>(
  entries: { readonly size: number; keys(): Iterable<Key>; delete(key: Key): boolean },
  most: number,
): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return
    entries.delete(oldest)
  }
}
