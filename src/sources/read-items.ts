import type { z } from 'zod'
import type { Platform } from '../domain/platform/platforms.ts'
import { type CollectContext, SourceFault } from './contract.ts'

/** What there is to say about the items beside their platform. */
export interface ItemsOf {
  /** The part of the platform that they come from, for the line in the log, such as { index: 'gdelt' }. */
  part?: Readonly<Record<string, string>>
  /** How many items of the same list were understood earlier and are not read again. */
  understood?: number
}

/** Below so many items the odd ones among them may be chance: a rare term has one or two in its window for weeks. */
const TELLING_ITEMS = 5
/** So few items tell something only when every one of them is odd. */
const TELLING_WHEN_ALL_ARE_ODD = 3

/** Reads items one by one and keeps account of the odd ones. Whoever opens one ends it with `judge`. */
export interface ItemReader {
  /** The item, or null when it has an unexpected form. No shape may admit null itself. */
  read<Shape extends z.ZodType>(raw: unknown, shape: Shape): z.infer<Shape> | null
  /** Of several items those that have the expected form. */
  readAll<Shape extends z.ZodType>(raw: readonly unknown[], shape: Shape): z.infer<Shape>[]
  /** How many items were odd so far. */
  odd(): number
  /**
   * Logs in one line what was odd since the last time, and fails with SourceFault 'shape_changed' where `faultOfOdd`
   * says so.
   */
  judge(): void
}

/**
 * The items of a reply that have the form relied on. Odd ones are left out, with one line in the log for the reply;
 * when they are too many (see `faultOfOdd`), the platform has changed its form, and SourceFault 'shape_changed' keeps
 * the caller from moving on over what could not be read.
 */
export function readItems<Shape extends z.ZodType>(
  raw: readonly unknown[],
  shape: Shape,
  context: CollectContext,
  platform: Platform,
  about?: ItemsOf,
): z.infer<Shape>[] {
  const reader = itemReader(context, platform, about)
  const items = reader.readAll(raw, shape)
  reader.judge()
  return items
}

/** For items that do not stand in one list, or whose odd ones have a price that is counted before they are judged. */
export function itemReader(
  { log }: CollectContext,
  platform: Platform,
  { part = {}, understood = 0 }: ItemsOf = {},
): ItemReader {
  let total = understood
  let odd = 0
  let logged = 0
  let field: string | undefined
  return { read, readAll, odd: () => odd, judge }

  function read<Shape extends z.ZodType>(raw: unknown, shape: Shape): z.infer<Shape> | null {
    total += 1
    const parsed = shape.safeParse(raw)
    if (parsed.success) return parsed.data
    odd += 1
    field ??= parsed.error.issues[0]?.path.join('.')
    return null
  }

  function readAll<Shape extends z.ZodType>(raw: readonly unknown[], shape: Shape): z.infer<Shape>[] {
    return raw.map((item) => read(item, shape)).filter((item) => item !== null)
  }

  function judge(): void {
    if (odd > logged)
      log.warn(
        { event: 'source.item_invalid', platform, ...part, odd: odd - logged, total, field },
        'Items have an unexpected form',
      )
    logged = odd
    field = undefined
    const fault = faultOfOdd(odd, total, part)
    if (fault) throw fault
  }
}

/**
 * The fault that so many odd ones among all items stand for. From five items on they are too many when they are more
 * than half; of three or four only when all are odd, and one or two tell nothing, because a query that has no more to
 * find would otherwise stand still for as long as they are in its window.
 */
export function faultOfOdd(
  odd: number,
  total: number,
  part: Readonly<Record<string, string>> = {},
): SourceFault | null {
  const tooMany = total >= TELLING_ITEMS ? odd * 2 > total : total >= TELLING_WHEN_ALL_ARE_ODD && odd === total
  if (!tooMany) return null
  const named = Object.values(part).map((name) => ` of ${name}`)
  return new SourceFault('shape_changed', `${odd} of ${total} items${named.join('')} have an unexpected form`)
}
