import { z } from 'zod'
import { fromId, type Id, type IdPrefix, type Uuid } from '../kernel/ids.ts'
import { cleanLine, cleanText } from '../kernel/text.ts'

// What goes in. Query parameters arrive as text and tools send values, so every piece below takes both.

/**
 * An id that the caller sends, as the stored UUID. In a path an id that cannot be read is answered not_found; elsewhere
 * it is a validation error.
 */
export function idIn(prefix: IdPrefix) {
  return z
    .string()
    .meta({
      description: `An id that starts with ${prefix}_.`,
      pattern: idPattern(prefix),
      minLength: prefix.length + 27,
      maxLength: prefix.length + 27,
    })
    .transform((id, context): Uuid => {
      const uuid = fromId(prefix, id)
      if (uuid !== null) return uuid
      context.addIssue({ code: 'custom', message: `must be an id that starts with ${prefix}_` })
      return z.NEVER
    })
}

/**
 * A field of a partial change that may stay away, and that null sets to what it is when nobody has said anything of it.
 */
export function clearable<Field extends z.ZodType>(field: Field, cleared: z.output<Field>) {
  return field
    .nullable()
    .transform((given) => given ?? cleared)
    .optional()
}

/** A list given as repeated parameters, one comma-separated text, or an array. Empty entries are dropped. */
export function listIn<Item extends z.ZodType>(item: Item, max: number) {
  return z.preprocess(
    (value) => (value === undefined ? value : (Array.isArray(value) ? value : [value]).flatMap(entriesOf)),
    z.array(item).min(1).max(max),
  )
}

/** true or false. */
export function booleanIn() {
  return z.preprocess((value) => (value === 'true' || value === 'false' ? value === 'true' : value), z.boolean())
}

/** A whole number within bounds. */
export function wholeIn(min: number, max: number) {
  return z.preprocess(asNumber, z.int().min(min).max(max))
}

/** A number within bounds. */
export function numberIn(min: number, max: number) {
  return z.preprocess(asNumber, z.number().min(min).max(max))
}

const DAY_REASON = 'must be a day, such as 2026-11-20'
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** A point in time: ISO 8601 with an offset, a plain day for its beginning (UTC), or milliseconds since 1970. */
export function timeIn() {
  return z.preprocess(
    asNumber,
    z
      .union(
        [
          z.string().max(40, TIME_REASON).meta({ format: 'date-time' }),
          z.string().max(10).meta({ format: 'date' }),
          z.int(TIME_REASON).min(0, TIME_REASON).max(LAST_MS, TIME_REASON),
        ],
        { error: TIME_REASON },
      )
      .transform((value, context): Date => {
        const at = typeof value === 'number' ? new Date(value) : timeOf(value)
        if (at !== null) return at
        context.addIssue({ code: 'custom', message: TIME_REASON })
        return z.NEVER
      }),
  )
}

/** A day of the calendar, as YYYY-MM-DD. */
export const dayIn = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, DAY_REASON)
  .max(10)
  .refine(isDay, DAY_REASON)

/** A text on one line, cleaned, of `min` to `max` characters afterwards. */
export function lineIn(min: number, max: number) {
  return textWith(cleanLine, min, max)
}

/** A text that may have several lines, cleaned, of `min` to `max` characters afterwards. */
export function textIn(min: number, max: number) {
  return textWith(cleanText, min, max)
}

/** A text of a caller's own that is kept and compared exactly as it was sent. */
export function exactIn(min: number, max: number) {
  return textWith((text) => text, min, max)
    .refine((text) => text.isWellFormed(), 'must not hold half surrogate pairs')
    .refine((text) => !/\p{Cc}/u.test(text), 'must not hold control characters')
}

/** The id with which a caller marks a request, so that sending it again changes nothing more. */
export const requestIdIn = z.guid().toLowerCase().meta({
  description: 'UUID chosen by you. Repeating it with the same body within 24 hours returns the first response.',
  maxLength: 36,
})

/** The parameters of every cursor list; spread them into `query`. */
export const pageIn = {
  limit: wholeIn(1, 100).default(25).meta({ description: 'Number to return.' }),
  // Longer than any that is handed out, so that what was altered on its way is told as a bad cursor.
  cursor: z.string().max(2000).optional().meta({ description: '`nextCursor` of the previous page.' }),
}

// What goes out.

/** An id in an answer. */
export function idOut<Prefix extends IdPrefix>(prefix: Prefix): z.ZodType<Id<Prefix>, Id<Prefix>> {
  const length = prefix.length + 27
  return z
    .string()
    .regex(new RegExp(idPattern(prefix)))
    .max(length)
    .meta({ examples: [`${prefix}_01kg3w5z0yf8hbt2m7q4n9xc6d`] }) as unknown as z.ZodType<Id<Prefix>, Id<Prefix>>
}

/** A point in time in an answer, as `toISOString` writes it. */
export const timeOut = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .max(24)
  .meta({ format: 'date-time', examples: ['2026-11-20T09:30:00.000Z'] })

/** A day (UTC) in an answer. */
export const dayOut = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .max(10)
  .meta({ format: 'date', examples: ['2026-11-20'] })

/** A text in an answer, of at most `max` characters (code points, as JSON Schema counts them). */
export function textOut(max: number) {
  return z
    .string()
    .refine((text) => text.length <= max || lengthOf(text) <= max, `must have at most ${max} characters`)
    .meta({ maxLength: max })
}

/** What is wrong with one field. */
export const fieldProblemOut = z.strictObject({
  field: z.string().max(100).meta({ description: 'Field or parameter; nested names are joined with dots.' }),
  reason: z.string().max(2000).meta({ description: 'What is wrong, for people. The text may change.' }),
})

/** A count of things. */
export const countOut = z.int().min(0)

/** The answer of a configuration list, which is always complete. */
export function listOut<Item extends z.ZodType>(item: Item, max: number) {
  return z.strictObject({ data: z.array(item).max(max) })
}

/** The answer of a list that is read with a cursor. */
export function pageOut<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    data: z.array(item).max(100),
    nextCursor: z.string().max(500).nullable().meta({ description: 'Cursor of the next page; null on the last page.' }),
  })
}

/** The answer of a list that is read with an offset. */
export function countedOut<Item extends z.ZodType>(item: Item, max: number) {
  return z.strictObject({
    data: z.array(item).max(max),
    total: countOut.meta({ description: 'Number on all pages.' }),
  })
}

// How it is done.

const TIME_REASON = 'must be a time: ISO 8601 with an offset, a day such as 2026-11-20, or milliseconds since 1970'
const ISO_TIME = /^\d{4}-\d{2}-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/i
/** What the beginning of a day means where a plain day stands for a time. */
export const PLAIN_DAY = 'A plain day means its beginning, 00:00 UTC'

/**
 * Reads an ISO 8601 time with an offset, or a day as its beginning (UTC); null when the text is neither or names a day
 * that does not exist.
 */
export function timeOf(text: string): Date | null {
  const day = ISO_TIME.exec(text)?.[1]
  if (day === undefined) return null
  // The calendar of JavaScript rolls 31 February over to March; reading the day back shows it.
  const calendar = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  const at = new Date(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  if (Number.isNaN(at.getTime()) || Number.isNaN(calendar.getTime()) || calendar.getUTCDate() !== Number(day))
    return null
  return at.getTime() < 0 || at.getTime() > LAST_MS ? null : at
}

/** The calendar of JavaScript rolls 31 February over to March; writing the day again shows it. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return text >= '0001-01-01' && !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text
}

function idPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`
}

function entriesOf(entry: unknown): unknown[] {
  if (typeof entry !== 'string') return [entry]
  return entry
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Every decimal form that JSON or JavaScript knows. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value
}

function textWith(clean: (text: string) => string, min: number, max: number) {
  return z
    .string()
    .meta({ minLength: min, maxLength: max })
    .transform(clean)
    .refine((text) => lengthOf(text) >= min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .refine((text) => lengthOf(text) <= max, `must have at most ${max} characters`)
}

function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}
