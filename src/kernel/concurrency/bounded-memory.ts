/** Values by key, of which the ones set longest ago are forgotten when there are too many. */
export interface BoundedMemory<Value> {
  get(key: string): Value | undefined
  /** What is set anew stands behind all others again. */
  set(key: string, value: Value): void
  delete(key: string): void
  readonly size: number
}

export interface MemoryBounds<Value> {
  /** Most values. */
  most: number
  /**
   * For values of very different sizes: the size of one, which stays as it is, and the most that all of them may have
   * together.
   */
  sizes?: { of(value: Value): number; most: number }
}

/**
 * Remembers values as long as there is room for them. One that is too large by itself is not remembered, nor what was
 * before it.
 */
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

/** Findings that are believed for a while, so that the same is not asked again and again. */
export interface AgingMemory<Value> {
  /** Undefined when nothing was found, or not recently enough before the instant `at`. */
  get(key: string, at: Date): Value | undefined
  /** Remembers what was found at that instant. */
  set(key: string, value: Value, at: Date): void
  readonly size: number
}

/** Remembers at most `most` findings, each for `forMs` milliseconds. */
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

/** Forgets the first entries of a map or set, which are the oldest, until at most `most` are left. */
export function forgetOldest<Key>(
  entries: { readonly size: number; keys(): Iterable<Key>; delete(key: Key): boolean },
  most: number,
): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return
    entries.delete(oldest)
  }
}
