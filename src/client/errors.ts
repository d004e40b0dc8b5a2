import type { ClientCode, ErrorCode } from './codes.ts'
import { LASTING_CODES, PASSING_CODES } from './operations.ts'

/** Why a field or parameter was refused. */
export interface FieldProblem {
  /** As the caller wrote it; nested names are joined with dots. */
  field: string
  /** For people; the text may change. */
  reason: string
}

export interface ErrorFacts {
  /** 0 when there was no answer. */
  status: number
  requestId?: string | undefined
  /** In seconds. */
  retryAfterSeconds?: number | undefined
  details?: readonly FieldProblem[] | undefined
  existingId?: string | undefined
  unknownCode?: string | undefined
  cause?: unknown
}

/** A request that was refused or had no answer. Catch it, check it with `isEarshotError`, and branch on `code`. */
export class EarshotError<Code extends ErrorCode | ClientCode = ErrorCode | ClientCode> extends Error {
  override readonly name = 'EarshotError'
  readonly code: Code
  /** Status of the answer; 0 when there was none. */
  readonly status: number
  /** Names the request in the log of the service; null when there was no answer. */
  readonly requestId: string | null
  /** Seconds after which the same request may succeed; null when the service did not say. */
  readonly retryAfterSeconds: number | null
  /** Every invalid field of a `validation_error`; empty otherwise. */
  readonly details: readonly FieldProblem[]
  /** The id of the existing object, for the `duplicate_` codes. */
  readonly existingId: Code extends `duplicate_${string}` ? string | null : null
  /** The code of the service, for `unknown_code`. */
  readonly unknownCode: Code extends 'unknown_code' ? string : null

  constructor(code: Code, message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause })
    this.code = code
    this.status = facts.status
    this.requestId = facts.requestId ?? null
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
    this.details = facts.details ?? []
    this.existingId = (facts.existingId ?? null) as this['existingId']
    this.unknownCode = (facts.unknownCode ?? null) as this['unknownCode']
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    if (this.code === 'no_answer' || this.code === 'timed_out') return true
    if (isIn(PASSING_CODES, this.code)) return true
    return !isIn(LASTING_CODES, this.code) && (this.status === 408 || this.status === 429 || this.status >= 500)
  }
}

export type FailureWith<Code extends ErrorCode | ClientCode> = Code extends unknown ? EarshotError<Code> : never

/** Every failure, discriminated by `code`. */
export type Failure = FailureWith<ErrorCode | ClientCode>

/** Whether something that was thrown is an error of this client. Then `code` discriminates it. */
export function isEarshotError(error: unknown): error is Failure {
  return error instanceof EarshotError
}

function isIn<Code extends string>(codes: readonly Code[], code: string): code is Code {
  return (codes as readonly string[]).includes(code)
}

/** The error that an answer tells. */
export async function errorIn(response: Response): Promise<EarshotError> {
  const status = response.status
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const to = response.headers.get('location')
    const where = to === null ? 'elsewhere' : `to ${to}`
    return new EarshotError('unreadable_answer', `The address redirects ${where}. Use the final address as \`url\`.`, {
      status,
    })
  }
  const told = envelopeIn(await response.text())
  const retryAfterSeconds = secondsIn(response.headers.get('retry-after')) ?? told?.retryAfterSeconds
  if (told === null)
    return new EarshotError('unreadable_answer', `The answer with status ${status} is no error of Earshot.`, {
      status,
      retryAfterSeconds,
    })
  const { code, message, ...facts } = told
  if (isIn(PASSING_CODES, code) || isIn(LASTING_CODES, code))
    return new EarshotError(code as ErrorCode, message, { ...facts, status, retryAfterSeconds })
  return new EarshotError('unknown_code', message, { ...facts, status, retryAfterSeconds, unknownCode: code })
}

interface Told extends Omit<ErrorFacts, 'status' | 'unknownCode' | 'cause'> {
  code: string
  message: string
}

/** Null when the text is not the error envelope. Facts in another form than documented are left out. */
function envelopeIn(text: string): Told | null {
  try {
    const { error } = JSON.parse(text) as { error?: Readonly<Record<string, unknown>> | null }
    const { code, message, requestId, existingId, retryAfterSeconds, details } = error ?? {}
    if (typeof code !== 'string' || typeof message !== 'string') return null
    return {
      code,
      message,
      requestId: typeof requestId === 'string' ? requestId : undefined,
      existingId: typeof existingId === 'string' ? existingId : undefined,
      retryAfterSeconds: Number.isFinite(retryAfterSeconds) ? Math.max(0, retryAfterSeconds as number) : undefined,
      details: Array.isArray(details) ? details.filter(isProblem) : undefined,
    }
  } catch {
    // Not JSON, such as the page of a proxy.
    return null
  }
}

function isProblem(value: unknown): value is FieldProblem {
  const { field, reason } = (value ?? {}) as Partial<FieldProblem>
  return typeof field === 'string' && typeof reason === 'string'
}

/** What an answer with a good status says. Throws `unreadable_answer` where it is no JSON. */
export function jsonIn(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new EarshotError('unreadable_answer', 'The answer is no JSON, or breaks off.', { status, cause })
  }
}

/** Proxies may also send a date, which is left to the waits of the client. */
function secondsIn(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined
}
