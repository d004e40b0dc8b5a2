import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** Until a page has what it shows first, nothing else is asked for. */
export class FirstLoad {
  isOver = false
  private readonly watchers = new Set<() => void>()

  /** Waits for the requests that are under way; call it when the first page has begun its own. */
  begin(client: QueryClient): void {
    const look = () => {
      if (this.isOver || client.isFetching() > 0) return
      leave()
      this.isOver = true
      for (const watcher of this.watchers) watcher()
    }
    const leave = client.getQueryCache().subscribe(look)
    look()
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }
}

export const firstLoad = new FirstLoad()

/** False until the first page has what it shows, for requests that can wait. */
export function useAfterFirstLoad(): boolean {
  return useSyncExternalStore(firstLoad.watch, () => firstLoad.isOver)
}
