import type { QueryClient } from '@tanstack/react-query'
import { COUNT_KEY } from '../app/mention-count.ts'

/** Milliseconds after a change; until then the counts are what the tab reckons. */
const WAIT_MS = 30_000

/** Has counts asked for anew some time after a change, once for all changes until then. */
export class Recount {
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly client: QueryClient) {}

  soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      void this.client.invalidateQueries({ queryKey: COUNT_KEY })
    }, WAIT_MS)
  }
}
