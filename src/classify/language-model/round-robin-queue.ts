/** Alternates between owners, and between an owner's sorts, so that no owner delays the others. */
export class RoundRobinQueue<Item> {
  private readonly owners = new Map<string, Map<string, Set<Item>>>()
  private count = 0

  get size(): number {
    return this.count
  }

  add(owner: string, sort: string, item: Item): void {
    const sorts = this.owners.get(owner) ?? new Map<string, Set<Item>>()
    const items = sorts.get(sort) ?? new Set<Item>()
    this.owners.set(owner, sorts.set(sort, items.add(item)))
    this.count += 1
  }

  remove(owner: string, sort: string, item: Item): void {
    const sorts = this.owners.get(owner)
    const items = sorts?.get(sort)
    if (!sorts || !items?.delete(item)) return
    this.count -= 1
    if (items.size === 0) sorts.delete(sort)
    if (sorts.size === 0) this.owners.delete(owner)
  }

  /** Takes the oldest item of the next sort, and the following ones until `fits` refuses one. */
  next(fits: (item: Item, taken: readonly Item[]) => boolean): Item[] {
    const [owner, sorts] = this.owners.entries().next().value ?? []
    const [sort, items] = sorts?.entries().next().value ?? []
    if (owner === undefined || !sorts || sort === undefined || !items) return []
    const taken: Item[] = []
    for (const item of items) {
      if (taken.length > 0 && !fits(item, taken)) break
      taken.push(item)
    }
    // The served owner and sort move to the end with their remaining items.
    this.owners.delete(owner)
    this.owners.set(owner, sorts)
    sorts.delete(sort)
    sorts.set(sort, items)
    for (const item of taken) this.remove(owner, sort, item)
    return taken
  }
}
