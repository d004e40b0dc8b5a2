import type { z } from 'zod'
import type { Platform } from '../domain/platform/platforms.ts'
import { type CollectContext, SourceFault } from './contract.ts'

export interface ItemsOf {
  /** Such as { index: 'gdelt' }, for the log. */
  part?: Readonly<Record<string, string>>
  understood?: number
}

/** Among fewer items invalid ones may be chance. */
const JUDGED_ITEMS_MIN = 5
const JUDGED_WHEN_ALL_ODD_MIN = 3

/** Validates items one by one, so that an invalid one does not hide the others. End with `judge`. */
export interface ItemReader {
  /** A shape must not accept null. */
  read<Shape extends z.ZodType>(raw: unknown, shape: Shape): z.infer<Shape> | null
  readAll<Shape extends z.ZodType>(raw: readonly unknown[], shape: Shape): z.infer<Shape>[]
  odd(): number
  /** Logs invalid items and throws as `faultOfOdd` decides. */
  judge(): void
}

/**
 * Skips invalid items with one log line; too many are 'shape_changed', so that the caller does not move past unread
 * items.
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
 * Of five or more, more than half; of three or four, all; of fewer, none, because a query without new results would
 * stand still while they are in its window.
 */
export function faultOfOdd(
  odd: number,
  total: number,
  part: Readonly<Record<string, string>> = {},
): SourceFault | null {
  const tooMany = total >= JUDGED_ITEMS_MIN ? odd * 2 > total : total >= JUDGED_WHEN_ALL_ODD_MIN && odd === total
  if (!tooMany) return null
  const named = Object.values(part).map((name) => ` of ${name}`)
  return new SourceFault('shape_changed', `${odd} of ${total} items${named.join('')} have an unexpected form`)
}
