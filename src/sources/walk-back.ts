import type { Platform } from '../domain/platform/platforms.ts'
import type { CollectContext } from './contract.ts'

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

/** To be called for a walk that was cut. `list` and `part`, such as a server, are for the log. */
export function warnOfCut(
  { log }: CollectContext,
  { platform, list, pages, part }: { platform: Platform; list: string; pages: number; part?: string },
): void {
  log.warn(
    { event: 'source.list_cut', platform, list, pages, ...(part === undefined ? {} : { part }) },
    'There are more new posts than are read; the oldest are left out',
  )
}
