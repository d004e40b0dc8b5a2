import { trimOldest } from '../kernel/concurrency/bounded-cache.ts'

/** How far one flow of items was read, by the platform's times in whole seconds. */
export interface SeenFlow {
  newestSeconds: number
  /** Ids of items within the overlap, with their times. */
  seen: Map<string, number>
}

export interface SeenRules {
  /** Seconds behind the newest item in which items may still appear. */
  overlapSeconds: number
  /** Collecting began here: earlier items are not new. */
  sinceSeconds: number
  /** Ids that are kept; items of forgotten ones repeat. */
  mostIds: number
}

/** Inclusive. */
export function flowFrom(flow: SeenFlow, { overlapSeconds, sinceSeconds }: SeenRules): number {
  return Math.max(flow.newestSeconds - overlapSeconds, sinceSeconds)
}

/** The items that are new, each once, in their order; notes them. */
export function advanceFlow<Item extends { nativeId: string; seconds: number }>(
  flow: SeenFlow,
  items: readonly Item[],
  atSeconds: number,
  rules: SeenRules,
): Item[] {
  const fromSeconds = flowFrom(flow, rules)
  const fresh: Item[] = []
  for (const item of items) {
    if (item.seconds < fromSeconds || flow.seen.has(item.nativeId)) continue
    fresh.push(item)
    flow.seen.set(item.nativeId, item.seconds)
    // A time ahead of our clock would move the cursor past later items.
    flow.newestSeconds = Math.max(flow.newestSeconds, Math.min(item.seconds, atSeconds))
  }
  const floorSeconds = flowFrom(flow, rules)
  for (const [id, seconds] of flow.seen) if (seconds < floorSeconds) flow.seen.delete(id)
  trimOldest(flow.seen, rules.mostIds)
  return fresh
}

/** As `id:seconds`. */
export function seenEntries({ seen }: SeenFlow): string[] {
  return [...seen].map(([id, seconds]) => `${id}:${seconds}`)
}

/** Ids may hold colons themselves. */
export function seenEntry(entry: string): [id: string, seconds: number] {
  const end = entry.lastIndexOf(':')
  return [entry.slice(0, end), Number(entry.slice(end + 1))]
}
