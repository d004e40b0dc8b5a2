import type { z } from 'zod'
import type { Refusal } from '../kernel/refusal.ts'
import { refuseField } from '../kernel/refusal.ts'
import { cleanLine, excerpt } from '../kernel/text.ts'

/** Where in a request a value stands; it names the field when the whole is wrong. */
export type Part = 'parameter' | 'field'

/** Checks a value and answers it parsed, or refuses with the first problem as `field: reason`. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  part: Part,
): { value: z.output<Schema> } | { refusal: Refusal<'validation_error'> } {
  const result = schema.safeParse(value, { error: reasonOf })
  if (result.success) return { value: result.data }
  return { refusal: refusalFor(firstOf(result.error.issues), part) }
}

type Issue = z.core.$ZodIssue

/** A missing or wrong field tells more than an unknown one, and the branch of a union that got furthest most of all. */
function firstOf(issues: readonly Issue[]): Issue {
  const first = tightest(issues.find(isHostile) ?? issues.find((issue) => issue.code !== 'unrecognized_keys') ?? issues[0]!, issues)
  if (first.code !== 'invalid_union' || first.errors.length === 0) return first
  const branches = first.errors
    .map((errors) => errors.filter((issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys'))
    .filter((errors) => errors.length > 0)
  const nearest = branches.sort((a, b) => a.length - b.length)[0]
  if (nearest === undefined) return first
  const inner = firstOf(nearest)
  return { ...inner, path: [...first.path, ...inner.path] }
}

/** Names by which a prototype could be reached. They are never a slip, so the answer is about them and nothing else. */
const HOSTILE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor'])

function isHostile(issue: Issue): boolean {
  return issue.code === 'unrecognized_keys' && issue.keys.some((key) => HOSTILE_KEYS.has(key))
}

/** A number may be over several bounds at once; the lowest of them is what the caller has to keep to. */
function tightest(first: Issue, issues: readonly Issue[]): Issue {
  if (first.code !== 'too_big') return first
  const same = issues.filter((issue) => issue.code === 'too_big' && issue.path.join('.') === first.path.join('.'))
  return same.reduce((least, issue) => (issue.code === 'too_big' && least.code === 'too_big' && issue.maximum < least.maximum ? issue : least), first)
}

function refusalFor(issue: Issue, part: Part): Refusal<'validation_error'> {
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys.find((name) => HOSTILE_KEYS.has(name)) ?? issue.keys[0]!
    if (cleanLine(key) === '') return refuseField(fieldOf(issue.path, part), `has a ${part} without a name`)
    return refuseField(fieldOf([...issue.path, key], part), `is not a ${part} of this operation`)
  }
  return refuseField(fieldOf(issue.path, part), issue.message)
}

/** Names of fields may come from the caller: they are kept to one short line. */
function fieldOf(path: readonly PropertyKey[], part: Part): string {
  if (path.length === 0) return part === 'field' ? 'body' : 'query'
  const told = part === 'parameter' && !JSON_PARAMETERS.has(path[0]!) ? path.slice(0, 1) : path
  return excerpt(cleanLine(told.map(String).join('.')), 100)
}

/** Parameters with an inside. Of the others only the name is told: how a list was split says nothing to its sender. */
const JSON_PARAMETERS: ReadonlySet<PropertyKey> = new Set(['anyOf'])

/** What is wrong, in words that follow the field's name. Schemas may bring their own, which then win. */
function reasonOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${KINDS.get(issue.expected) ?? issue.expected}`
    case 'invalid_value':
      return issue.values.length === 1 ? `must be ${String(issue.values[0])}` : `must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return boundReason(issue.origin, 'least', Number(issue.minimum), issue.inclusive !== false)
    case 'too_big':
      return boundReason(issue.origin, 'most', Number(issue.maximum), issue.inclusive !== false)
    case 'invalid_format':
      return `must be ${FORMATS.get(issue.format) ?? 'in the documented form'}`
    case 'invalid_union':
      return unionReason(issue)
    default:
      return 'is not valid'
  }
}

/** A union that is told apart by one field says which values this field may have. */
function unionReason({ input, discriminator, options }: z.core.$ZodRawIssue & { discriminator?: unknown; options?: unknown }): string {
  if (typeof discriminator === 'string' && Array.isArray(options)) {
    return (input as Record<string, unknown>)[discriminator] === undefined ? 'is required' : `must be one of ${options.map(String).join(', ')}`
  }
  return input === undefined ? 'is required' : 'has none of the documented forms'
}

const KINDS = new Map<string, string>([
  ['string', 'text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null'],
])

const FORMATS = new Map<string, string>([
  ['guid', 'a UUID'],
  ['url', 'a web address'],
  ['email', 'an e-mail address'],
])

function boundReason(origin: string, which: 'least' | 'most', bound: number, inclusive: boolean): string {
  if (origin === 'string') return which === 'least' && bound === 1 ? 'must not be empty' : `must have at ${which} ${bound} characters`
  if (origin === 'array' || origin === 'set') return which === 'least' && bound === 1 ? 'must not be empty' : `must have at ${which} ${bound} entries`
  if (origin === 'object' || origin === 'record') return `must have at ${which} ${bound} fields`
  return inclusive ? `must be at ${which} ${bound}` : `must be ${which === 'least' ? 'more' : 'less'} than ${bound}`
}
