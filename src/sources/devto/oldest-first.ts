import { secondsOf } from './place.ts'
import type { Listed } from './wire.ts'

export function oldestFirst(articles: readonly Listed[]): Listed[] {
  return [...articles].sort(
    (a, b) => secondsOf(a.published_timestamp) - secondsOf(b.published_timestamp) || a.id - b.id,
  )
}
