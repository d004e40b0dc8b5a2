import type { z } from 'zod'
import type { Platform } from '../domain/platform/platforms.ts'
import { type CollectContext, SourceFault } from './contract.ts'

export interface ItemsOf {
  /** The part of the platform, for the log, such as { index: 'gdelt' }. */
  part?: Readonly<Record<string, string>>
  /** Items of the same list that were valid earlier and are not read again. */
  understood?: number
}

/** Among fewer items invalid ones may be chance: a rare term has one or two results for weeks. */
const TELLING_ITEMS = 5
/** Fewer than TELLING_ITEMS count only if all are invalid. */
const TELLING_WHEN_ALL_ARE_ODD = 3

/** Validates items one by one, so that an invalid one does not hide the others. The caller ends with `judge`. */
export interface ItemReader {
  /** Null for an unexpected form. A shape must not accept null. */
  read<Shape extends z.ZodType>(raw: unknown, shape: Shape): z.infer<Shape> | null
  readAll<Shape extends z.ZodType>(raw: readonly unknown[], shape: Shape): z.infer<Shape>[]
  odd(): number
  /** Logs the invalid items since the last call and throws 'shape_changed' as `faultOfOdd` decides. */
  judge(): void
}

/**
 * The valid items of a reply. Invalid ones are skipped with one log line per reply; too many are SourceFault
 * 'shape_changed', so that the caller does not move past unread items.
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

/** For items outside a single list, or whose cost is counted before `judge`. */
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
 * From five items on, more than half are too many; of three or four only all; one or two never, because a query without
 * new results would stand still while they are in its window.
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
