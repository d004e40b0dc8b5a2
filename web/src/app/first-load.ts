import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** Until a page has what it shows first, nothing else is asked for. */
export class FirstLoad {
  isOver = false
  private readonly watchers = new Set<() => void>()

  /** Follows the requests of the first page. */
  begin(client: QueryClient): void {
    // A page asks once it is rendered; a page that asks for nothing is ready by then.
    const look = () => {
      if (client.isFetching() > 0) return
      leave()
      clearTimeout(timer)
      this.isOver = true
      for (const watcher of this.watchers) watcher()
    }
    const timer = setTimeout(look, RENDERED_MS)
    const leave = client.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.state.fetchStatus !== 'fetching') look()
    })
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }
}

const RENDERED_MS = 1000

export const firstLoad = new FirstLoad()

/** False until the first page has what it shows, for requests that can wait. */
export function useAfterFirstLoad(): boolean {
  return useSyncExternalStore(firstLoad.watch, () => firstLoad.isOver)
}
