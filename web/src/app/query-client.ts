import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/errors.ts'

/** Tries of a request that may succeed later, after the first. */
const RETRIES = 3

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (count, error) => count < RETRIES && error instanceof ApiError && error.isTransient,
        retryDelay: (count, error) => delayOf(count, error),
      },
    },
  })
}

/** The server's own wait, or 2, 4 and 8 seconds. */
function delayOf(count: number, error: Error): number {
  const wait = error instanceof ApiError ? error.retryAfterSeconds : null
  return wait === null ? 2000 * 2 ** count : wait * 1000
}
