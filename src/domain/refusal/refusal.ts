import { ERROR_CODES, type ErrorCode } from './error-codes.ts'

/** What is wrong with one field or parameter. Nested fields are joined with dots. */
export interface FieldProblem {
  field: string
  reason: string
}

interface More {
  status?: number
  retryAfterSeconds?: number
  details?: readonly FieldProblem[]
  existingId?: string | undefined
}

/**
 * A refusal is an answer, not an accident: what a command or query returns when a rule of the product says no. Its type
 * carries the code, so that an operation which does not declare the code does not compile.
 */
export class Refusal<Code extends ErrorCode = ErrorCode> {
  readonly code: Code
  readonly message: string
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  /** Every field that is wrong, of a validation error. */
  readonly details: readonly FieldProblem[] | undefined
  /** The id of what stands in the way, of a duplicate. */
  readonly existingId: string | undefined

  constructor(code: Code, message: string, more: More = {}) {
    this.code = code
    this.message = message
    this.status = more.status ?? ERROR_CODES[code].statuses[0]
    this.retryAfterSeconds = more.retryAfterSeconds
    this.details = more.details
    this.existingId = more.existingId
  }
}

/** Says no with a code and a sentence for people. For validation_error use `refuseField`. */
export function refuse<Code extends ErrorCode>(code: Code, message: string, more?: More): Refusal<Code> {
  return new Refusal(code, message, more)
}

/** A validation error in its fixed form: field, colon, reason. Nested fields are joined with dots. */
export function refuseField(field: string, reason: string): Refusal<'validation_error'> {
  return refuseFields([{ field, reason }])
}

/** The same of several fields, the most telling of them first. */
export function refuseFields(problems: readonly [FieldProblem, ...FieldProblem[]]): Refusal<'validation_error'> {
  const [{ field, reason }] = problems
  return new Refusal('validation_error', `${field}: ${reason}`, { details: problems })
}

/** Those of several answers that are no refusals. */
export function grantedOf<Answer>(answers: readonly (Answer | Refusal)[]): Answer[] {
  return answers.filter((answer): answer is Answer => !isRefusal(answer))
}

export function isRefusal(value: unknown): value is Refusal {
  return value instanceof Refusal
}
