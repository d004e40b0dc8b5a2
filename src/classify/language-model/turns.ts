/** What waits, by owner and sort: owners take turns, and within an owner sorts do, so that nobody's rush holds up another. */
export interface Turns<Item> {
  readonly size: number
  add(owner: string, sort: string, item: Item): void
  /** Takes one out that is there or not. */
  remove(owner: string, sort: string, item: Item): void
  /** Takes out the oldest of one sort: the first, and as many after it as `fits` together with those before them. Empty when nothing waits. */
  next(fits: (item: Item, taken: readonly Item[]) => boolean): Item[]
}

export function createTurns<Item>(): Turns<Item> {
  const owners = new Map<string, Map<string, Set<Item>>>()
  let size = 0
  const remove = (owner: string, sort: string, item: Item) => {
    const sorts = owners.get(owner)
    const items = sorts?.get(sort)
    if (!sorts || !items?.delete(item)) return
    size -= 1
    if (items.size === 0) sorts.delete(sort)
    if (sorts.size === 0) owners.delete(owner)
  }
  return {
    get size() {
      return size
    },
    add(owner, sort, item) {
      const sorts = owners.get(owner) ?? new Map<string, Set<Item>>()
      const items = sorts.get(sort) ?? new Set<Item>()
      owners.set(owner, sorts.set(sort, items.add(item)))
      size += 1
    },
    remove,
    next(fits) {
      const [owner, sorts] = owners.entries().next().value ?? []
      const [sort, items] = sorts?.entries().next().value ?? []
      if (owner === undefined || !sorts || sort === undefined || !items) return []
      const taken: Item[] = []
      for (const item of items) {
        if (taken.length > 0 && !fits(item, taken)) break
        taken.push(item)
      }
      // Whoever had the turn goes to the end, with what is left.
      owners.delete(owner)
      owners.set(owner, sorts)
      sorts.delete(sort)
      sorts.set(sort, items)
      for (const item of taken) remove(owner, sort, item)
      return taken
    },
  }
}
