import { ERROR_CODES, type ErrorCode } from './error-codes.ts'

/** Nested fields are joined with dots. */
export interface FieldProblem {
  field: string
  reason: string
}

interface More {
  status?: number
  retryAfterSeconds?: number
  details?: readonly FieldProblem[]
  existingId?: string | undefined
  movedTo?: string
}

/** The type holds the code, so an operation that does not declare the code does not compile. */
export class Refusal<Code extends ErrorCode = ErrorCode> {
  readonly code: Code
  readonly message: string
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  readonly details: readonly FieldProblem[] | undefined
  readonly existingId: string | undefined
  /** The public address of the installation that answers instead, without a slash at the end. */
  readonly movedTo: string | undefined

  constructor(code: Code, message: string, more: More = {}) {
    this.code = code
    this.message = message
    this.status = more.status ?? ERROR_CODES[code].statuses[0]
    this.retryAfterSeconds = more.retryAfterSeconds
    this.details = more.details
    this.existingId = more.existingId
    this.movedTo = more.movedTo
  }
}

/** For validation_error use `refuseField`. */
export function refuse<Code extends ErrorCode>(code: Code, message: string, more?: More): Refusal<Code> {
  return new Refusal(code, message, more)
}

export function refuseField(field: string, reason: string): Refusal<'validation_error'> {
  return refuseFields([{ field, reason }])
}

/** The most important problem first. */
export function refuseFields(problems: readonly [FieldProblem, ...FieldProblem[]]): Refusal<'validation_error'> {
  const [{ field, reason }] = problems
  return new Refusal('validation_error', `${field}: ${reason}`, { details: problems })
}

export function grantedOf<Answer>(answers: readonly (Answer | Refusal)[]): Answer[] {
  return answers.filter((answer): answer is Answer => !isRefusal(answer))
}

export function isRefusal(value: unknown): value is Refusal {
  return value instanceof Refusal
}
