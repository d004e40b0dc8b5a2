import { Condition } from './condition.ts'

/**
 * The items of several iterables as they come. Each is read on when its item was taken. A failure ends the whole and
 * leaves the others unread. The iterables must end by themselves when the reader stops early.
 */
export async function* merged<Item>(iterables: readonly AsyncIterable<Item>[]): AsyncIterable<Item> {
  const changed = new Condition()
  const waiting: { item: Item; isTaken: boolean }[] = []
  let reading = iterables.length
  let failed: { error: unknown } | null = null
  let isOver = false
  for (const iterable of iterables) {
    void pump(iterable)
      .catch((error: unknown) => {
        failed ??= { error }
      })
      .finally(() => {
        reading -= 1
        changed.notify()
      })
  }
  try {
    for (;;) {
      await changed.until(() => waiting.length > 0 || failed !== null || reading === 0)
      const next = waiting.shift()
      if (next === undefined) break
      yield next.item
      next.isTaken = true
      changed.notify()
    }
  } finally {
    isOver = true
    changed.notify()
  }
  if (failed !== null) throw (failed as { error: unknown }).error

  async function pump(iterable: AsyncIterable<Item>): Promise<void> {
    for await (const item of iterable) {
      if (isOver) return
      const entry = { item, isTaken: false }
      waiting.push(entry)
      changed.notify()
      await changed.until(() => entry.isTaken || isOver)
      if (isOver) return
    }
  }
}
