export interface Walk<Item> {
  /** Newest first. */
  items: Item[]
  /** True if `mostPages` ended before anything known was reached: older new items are left out. */
  cut: boolean
}

export interface Walking<Item> {
  mostPages: number
  /** Newest first; empty behind the last page. `page` counts from 1, `last` is the oldest item read so far. */
  read(page: number, last: Item | null): Promise<Item[]>
  isKnown(item: Item): boolean
}

/** The newest items of a list, page by page back to one with a known item, which counts as the end of the new ones. */
export async function walkBack<Item>({ mostPages, read, isKnown }: Walking<Item>): Promise<Walk<Item>> {
  const items: Item[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const found = await read(page, items.at(-1) ?? null)
    items.push(...found)
    if (found.length === 0 || found.some(isKnown)) return { items, cut: false }
  }
  return { items, cut: true }
}
