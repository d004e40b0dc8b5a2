/** A request is noted together with those that follow it within this part of its window. */
const PORTIONS = 60
/** Keys that are held apart; beyond, those that were silent longest are forgotten early. */
const KEYS_HELD = 50_000

/** Requests that were granted close together. All of them count until the last of them is a whole window old. */
interface Portion {
  firstMs: number
  lastMs: number
  /** By all processes. */
  count: number
  /** By this process. */
  own: number
}

/** What a caller was granted in the window that ends now, by this process and by others. */
export class SlidingWindow {
  private readonly portions: Portion[] = []
  private taken = 0

  constructor(private readonly windowMs: number) {}

  /** Whether one more fits; it is then counted. */
  take(limit: number, nowMs: number): boolean {
    this.forget(nowMs)
    if (this.taken >= limit) return false
    const last = this.portions.at(-1)
    if (last !== undefined && nowMs - last.firstMs < this.windowMs / PORTIONS) {
      last.lastMs = nowMs
      last.count += 1
      last.own += 1
    } else this.portions.push({ firstMs: nowMs, lastMs: nowMs, count: 1, own: 1 })
    this.taken += 1
    return true
  }

  /** Whether it counted until now. */
  giveBack(takenAtMs: number): boolean {
    const portion = this.portions.find(
      ({ firstMs, lastMs, own }) => firstMs <= takenAtMs && takenAtMs <= lastMs && own > 0,
    )
    if (portion === undefined) return false
    portion.count -= 1
    portion.own -= 1
    this.taken -= 1
    return true
  }

  /** Counts grants of another process at `atMs`; a negative count removes grants that it gave back. */
  addFromPeer(count: number, atMs: number, nowMs: number): void {
    this.forget(nowMs)
    if (count < 0) this.removeFromPeers(-count)
    else this.insertFromPeer(count, atMs)
  }

  forgetPeers(): void {
    for (const portion of this.portions) {
      this.taken -= portion.count - portion.own
      portion.count = portion.own
    }
  }

  /** The grants of this process by age in steps of `stepMs`, the newest first. */
  ownByAge(nowMs: number, stepMs: number): number[] {
    this.forget(nowMs)
    const counts = Array.from({ length: Math.ceil(this.windowMs / stepMs) }, () => 0)
    for (const { lastMs, own } of this.portions)
      counts[Math.min(counts.length - 1, Math.floor((nowMs - lastMs) / stepMs))]! += own
    return counts
  }

  left(limit: number): number {
    return Math.max(0, limit - this.taken)
  }

  /** Milliseconds until the first, and until the last, of what was granted counts no more. */
  waits(nowMs: number): { first: number; last: number } {
    const until = (portion: Portion | undefined) => (portion === undefined ? 0 : portion.lastMs + this.windowMs - nowMs)
    const counts = ({ count }: Portion) => count > 0
    return { first: until(this.portions.find(counts)), last: until(this.portions.findLast(counts)) }
  }

  private forget(nowMs: number): void {
    while (this.portions.length > 0 && this.portions[0]!.lastMs + this.windowMs <= nowMs)
      this.taken -= this.portions.shift()!.count
  }

  private insertFromPeer(count: number, atMs: number): void {
    this.taken += count
    const place = this.portions.findLastIndex(({ firstMs }) => firstMs <= atMs)
    const before = this.portions[place]
    if (before !== undefined && atMs - before.firstMs < this.windowMs / PORTIONS) {
      before.lastMs = Math.max(before.lastMs, atMs)
      before.count += count
    } else this.portions.splice(place + 1, 0, { firstMs: atMs, lastMs: atMs, count, own: 0 })
  }

  private removeFromPeers(count: number): void {
    let left = count
    for (const portion of this.portions.toReversed()) {
      const some = Math.min(left, portion.count - portion.own)
      portion.count -= some
      this.taken -= some
      left -= some
    }
  }
}

/**
 * The windows of one length by their callers, in two generations: who asks is moved to the younger one, and the older
 * one is dropped when it has been silent for a whole window, or when too many others came.
 */
export class SlidingWindows {
  private young = new Map<string, SlidingWindow>()
  private old = new Map<string, SlidingWindow>()
  private turnedAtMs: number

  constructor(
    readonly windowMs: number,
    nowMs: number,
  ) {
    this.turnedAtMs = nowMs
  }

  of(key: string, nowMs: number): SlidingWindow {
    if (nowMs - this.turnedAtMs >= this.windowMs || this.young.size >= KEYS_HELD) this.turn(nowMs)
    const known = this.young.get(key)
    if (known !== undefined) return known
    const window = this.old.get(key) ?? new SlidingWindow(this.windowMs)
    this.young.set(key, window)
    return window
  }

  find(key: string): SlidingWindow | undefined {
    return this.young.get(key) ?? this.old.get(key)
  }

  /** All that are held, each once. */
  entries(): Map<string, SlidingWindow> {
    return new Map([...this.old, ...this.young])
  }

  private turn(nowMs: number): void {
    this.old = this.young
    this.young = new Map()
    this.turnedAtMs = nowMs
  }
}
