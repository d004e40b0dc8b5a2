import { z } from 'zod'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { cleanLine } from '../../kernel/text.ts'
import { timeOf } from '../../operations/shapes.ts'

/** The largest number that JSON readers keep exactly. */
const NUMBER_MAX = Number.MAX_SAFE_INTEGER

/** A number that stands for a thing, as number or digits. */
export const numberIdIn = z
  .union(
    [
      z.int().min(1).max(NUMBER_MAX),
      z
        .string()
        .max(16)
        .regex(/^\d{1,16}$/),
    ],
    {
      error: 'must be a number that names a thing',
    },
  )
  .transform((value, context): number => {
    const number = Number(value)
    if (Number.isSafeInteger(number) && number > 0) return number
    context.addIssue({ code: 'custom', message: 'must be a number that names a thing', input: value })
    return z.NEVER
  })

export const numberIdOut = z.int().min(1).max(NUMBER_MAX)

/** The entries of a comma-separated text. */
export function entriesOf(text: string): string[] {
  return [...new Set(text.split(',').map(cleanLine))].filter((entry) => entry !== '')
}

const TIME = 'must be a time of ISO 8601 or a day such as 2026-11-20'
const ROW_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)$/

/** A time as rows and ISO 8601 write it, without an offset in UTC; a day is its beginning, or its end. */
export function instantIn(edge: 'begin' | 'end') {
  return z
    .string({ error: TIME })
    .max(40, TIME)
    .transform((text, context): Date => {
      const at = timeOf(text.replace(ROW_TIME, '$1T$2Z'))
      if (at !== null) return edge === 'end' && /^\d{4}-\d{2}-\d{2}$/.test(text) ? plus(at, DAY_MS - 1) : at
      context.addIssue({ code: 'custom', message: TIME, input: text })
      return z.NEVER
    })
}

/** A page's end is null there, and so may be its beginning. */
export const cursorIn = z.string().max(2000).nullable().optional().meta({
  description: '`nextCursor` of the previous page, unchanged.',
})

export function bounded<Item extends z.ZodType>(item: Item, max: number) {
  return z.strictObject({
    data: z.array(item).max(max),
    pagination: z.strictObject({ nextCursor: z.string().max(500).nullable() }),
  })
}

/** Options of a refinement that looks at a body only when all of its fields are right. */
export function orElse(error: string) {
  return { error, when: ({ issues }: { issues: readonly unknown[] }) => issues.length === 0 }
}
