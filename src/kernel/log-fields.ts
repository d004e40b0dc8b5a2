import { withSourceLines } from './source-lines.ts'

/** Fields may hold anything from outside, so they are copied under these rules. */

/** Characters; the rest is only counted. */
export const TEXT_MAX = 2000
/** Values of a line, nested ones included; the rest is dropped. */
export const VALUES_MAX = 100
const DEPTH_MAX = 6
const NAME_MAX = 100
const REASONS_MAX = 5
/** Values that an error counts as. */
const ERROR_VALUES = 5

/** Names whose values are never logged, at any depth. */
const SECRET_NAME =
  /(?:authorization|passw(?:or)?d|secret|cookie|credential|signature|token|(?:api|private|sealing|signing)[-_]?key)s?$/i

/** Other properties may hold a request, a body or a row. */
const ERROR_FACTS = [
  'code',
  'errno',
  'syscall',
  'kind',
  'status',
  'statusCode',
  'retryAfterSeconds',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
]

/** Terminal controls and characters that hide text; JSON escapes those below U+0020. */
const TRICKS = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

export function shownFields(fields: Record<string, unknown>): Record<string, unknown> {
  return shownObject(fields, { left: VALUES_MAX }, 0)
}

export function shownText(text: string): string {
  const start = text
    .slice(0, TEXT_MAX)
    .replace(TRICKS, (text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return text.length <= TEXT_MAX && start.length <= TEXT_MAX
    ? start
    : `${start.slice(0, TEXT_MAX)}... (${text.length} characters)`
}

/** How many more values the line may hold. */
interface Room {
  left: number
}

function shown(value: unknown, room: Room, depth: number): unknown {
  if (typeof value === 'string') return shownText(value)
  if (typeof value === 'bigint') return shownText(String(value))
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString()
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`
  if (depth >= DEPTH_MAX) return '(too deep)'
  if (value instanceof Error) return shownError(value, room, depth)
  return Array.isArray(value) ? shownList(value, room, depth) : shownObject(value, room, depth)
}

function shownList(list: readonly unknown[], room: Room, depth: number): unknown[] {
  const result: unknown[] = []
  for (const item of list) {
    if (room.left <= 0) return [...result, `(${list.length} in all)`]
    room.left -= 1
    result.push(shown(item, room, depth + 1))
  }
  return result
}

function shownObject(object: object, room: Room, depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = []
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue
    if (room.left <= 0) {
      entries.push(['more', '(left out)'])
      break
    }
    room.left -= 1
    const value = (object as Record<string, unknown>)[name]
    if (value === undefined) continue
    entries.push([shownText(name.slice(0, NAME_MAX)), isSecret(name) ? '[redacted]' : shown(value, room, depth + 1)])
  }
  // An assignment to __proto__ would change the prototype.
  return Object.fromEntries(entries)
}

function shownError(error: Error, room: Room, depth: number): Record<string, unknown> | string {
  if (room.left <= 0) return '(left out)'
  room.left -= ERROR_VALUES
  const facts = ERROR_FACTS.flatMap((name) => {
    const value = (error as unknown as Record<string, unknown>)[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, shown(value, room, depth)] as const] : []
  })
  const reasons = error instanceof AggregateError ? error.errors.slice(0, REASONS_MAX) : []
  return {
    type: shownText(String(error.constructor?.name ?? error.name)),
    message: shownText(String(error.message)),
    stack: shownText(framesOf(error)),
    ...Object.fromEntries(facts),
    ...(error.cause === undefined ? {} : { cause: shown(error.cause, room, depth + 1) }),
    ...(reasons.length === 0 ? {} : { errors: reasons.map((reason) => shown(reason, room, depth + 1)) }),
  }
}

/** Without the message, which would displace the frames, and of the sources. */
function framesOf({ stack = '', message }: Error): string {
  const at = message === '' ? -1 : stack.indexOf(message)
  return withSourceLines(at === -1 ? stack : stack.slice(at + message.length)).trim()
}

function isSecret(name: string): boolean {
  return SECRET_NAME.test(name) || name.toLowerCase() === 'key'
}
