import { secondsOf } from './place.ts'
import type { Listed } from './wire.ts'

export function oldestFirst(articles: readonly Listed[]): Listed[] {
  return [...articles].sort(
    (a, b) => secondsOf(a.published_timestamp) - secondsOf(b.published_timestamp) || a.id - b.id,
  )
}

export function slicesOf<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}
