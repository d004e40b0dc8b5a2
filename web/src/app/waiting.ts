import { useSyncExternalStore } from 'react'

/** Changes that wait for the connection, and a way to forget them. */
export interface Waiting {
  count: number
  discard: () => void
}

const watchers = new Set<() => void>()
let waiting: Waiting | null = null

/** Null when nothing waits. */
export function showWaiting(next: Waiting | null): void {
  if (waiting?.count === next?.count) return
  waiting = next
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function useWaiting(): Waiting | null {
  return useSyncExternalStore(watch, () => waiting)
}
