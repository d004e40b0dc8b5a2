import type { z } from 'zod'
import type { FieldProblem } from '../domain/refusal/refusal.ts'
import { cleanLine, excerpt } from '../kernel/text.ts'

/** Where in a request a value stands; it names the field when the whole is wrong. */
export type RequestPart = 'parameter' | 'field'

/** Fields that an answer names; of more, the first. */
const PROBLEMS_MOST = 50

/** Checks a value and answers it parsed, or everything that is wrong with it, the most telling first. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  part: RequestPart,
): { value: z.output<Schema> } | { problems: readonly [FieldProblem, ...FieldProblem[]] } {
  const result = schema.safeParse(value, { error: reasonOf })
  return result.success ? { value: result.data } : { problems: problemsOf(result.error.issues, value, part) }
}

type Issue = z.core.$ZodIssue

/** One problem of each field. A missing or wrong field tells more than an unknown one. */
function problemsOf(issues: readonly Issue[], value: unknown, part: RequestPart): [FieldProblem, ...FieldProblem[]] {
  const flat = flatten(issues)
  const hostile = flat.filter(isHostile)
  const ranked =
    hostile.length > 0
      ? hostile
      : [...flat.filter(({ code }) => code !== 'unrecognized_keys'), ...flat.filter(isUnknown)]
  const byField = new Map<string, FieldProblem>()
  for (const issue of ranked) {
    for (const problem of problemsIn(issue, flat, value, part))
      if (!byField.has(problem.field)) byField.set(problem.field, problem)
    if (byField.size >= PROBLEMS_MOST) break
  }
  const [first, ...others] = [...byField.values()].slice(0, PROBLEMS_MOST)
  if (first === undefined) throw new Error('a value that does not fit its schema has no problem')
  return [first, ...others]
}

/** Of a union the problems of the branch that got furthest stand for the whole. */
function flatten(issues: readonly Issue[]): Issue[] {
  return issues.flatMap((issue): Issue[] => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
    const branches = issue.errors
      .map((errors) => errors.filter((inner) => inner.path.length > 0 || inner.code === 'unrecognized_keys'))
      .filter((errors) => errors.length > 0)
    const nearest = branches.sort((a, b) => a.length - b.length)[0]
    if (nearest === undefined) return [issue]
    return flatten(nearest).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
  })
}

/** Names by which a prototype could be reached. They are never a slip, so the answer is about them and nothing else. */
const HOSTILE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor'])

function isUnknown(issue: Issue): issue is Issue & { code: 'unrecognized_keys' } {
  return issue.code === 'unrecognized_keys'
}

function isHostile(issue: Issue): boolean {
  return isUnknown(issue) && issue.keys.some((key) => HOSTILE_KEYS.has(key))
}

/** A number may be over several bounds at once; the lowest of them is what the caller has to keep to. */
function tightest(first: Issue, issues: readonly Issue[]): Issue {
  if (first.code !== 'too_big') return first
  const same = issues.filter((issue) => issue.code === 'too_big' && issue.path.join('.') === first.path.join('.'))
  return same.reduce(
    (least, issue) =>
      issue.code === 'too_big' && least.code === 'too_big' && issue.maximum < least.maximum ? issue : least,
    first,
  )
}

function problemsIn(issue: Issue, issues: readonly Issue[], value: unknown, part: RequestPart): FieldProblem[] {
  if (isUnknown(issue)) {
    const hostile = issue.keys.filter((name) => HOSTILE_KEYS.has(name))
    return (hostile.length > 0 ? hostile : issue.keys.slice(0, PROBLEMS_MOST)).map((key) => {
      if (cleanLine(key) === '') return { field: fieldOf(issue.path, part), reason: `has a ${part} without a name` }
      return { field: fieldOf([...issue.path, key], part), reason: `is not a ${part} of this operation` }
    })
  }
  if (part === 'parameter' && isRepeated(issue, value))
    return [{ field: fieldOf(issue.path.slice(0, 1), part), reason: 'is given twice, and takes one value' }]
  return [{ field: fieldOf(issue.path, part), reason: tightest(issue, issues).message }]
}

/** Whether a parameter stands in the query several times whose schema knows of no list. */
function isRepeated({ code, path }: Issue, value: unknown): boolean {
  const [name] = path
  const given = name === undefined ? undefined : (value as Record<PropertyKey, unknown>)[name]
  if (!Array.isArray(given) || given.length < 2 || !given.every((item) => typeof item === 'string')) return false
  return JSON_PARAMETERS.has(name!) || (path.length === 1 && code !== 'too_big' && code !== 'too_small')
}

/** Names of fields may come from the caller: they are kept to one short line. */
function fieldOf(path: readonly PropertyKey[], part: RequestPart): string {
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
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`
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
function unionReason({
  input,
  discriminator,
  options,
}: z.core.$ZodRawIssue & { discriminator?: unknown; options?: unknown }): string {
  if (typeof discriminator === 'string' && Array.isArray(options)) {
    return (input as Record<string, unknown>)[discriminator] === undefined
      ? 'is required'
      : `must be one of ${options.map(String).join(', ')}`
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
  if (origin === 'string')
    return which === 'least' && bound === 1 ? 'must not be empty' : `must have at ${which} ${bound} characters`
  if (origin === 'array' || origin === 'set')
    return which === 'least' && bound === 1 ? 'must not be empty' : `must have at ${which} ${bound} entries`
  if (origin === 'object' || origin === 'record') return `must have at ${which} ${bound} fields`
  return inclusive ? `must be at ${which} ${bound}` : `must be ${which === 'least' ? 'more' : 'less'} than ${bound}`
}
