import { ERROR_CODES } from '../../domain/refusal/error-codes.ts'
import { type FieldProblem, type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'

export interface ErrorEnvelope {
  error: {
    code: string
    message: string
    requestId: string
    retryAfterSeconds?: number
    details?: readonly FieldProblem[]
    existingId?: string
  }
}

/** Retry-After when the refusal names none. */
const USUAL_WAIT_SECONDS = 5

export function answerTo(
  refusal: Refusal,
  requestId: string,
): { status: number; headers: Record<string, string>; body: ErrorEnvelope } {
  const wait = waitFor(refusal)
  return {
    status: refusal.status,
    headers: wait === undefined ? {} : { 'Retry-After': String(wait) },
    body: {
      error: {
        code: refusal.code,
        message: refusal.message,
        requestId,
        ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
        ...(refusal.details === undefined ? {} : { details: refusal.details }),
        ...(refusal.existingId === undefined ? {} : { existingId: refusal.existingId }),
      },
    },
  }
}

/** Carries a refusal through code that only passes errors. */
export class RefusedRequest extends Error {
  readonly refusal: Refusal
  /** True when the rest of the request is not worth reading. */
  readonly hangUp: boolean

  constructor(refusal: Refusal, hangUp = false) {
    super(refusal.message)
    this.name = 'Refused'
    this.refusal = refusal
    this.hangUp = hangUp
  }
}

/** Null when the caller is not the cause. */
export function refusalBehind(error: unknown): Refusal | null {
  if (error instanceof RefusedRequest) return error.refusal
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return refuse('unsupported_media_type', 'The body must be sent as application/json.')
  if (typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number' && statusCode < 500)
    return refuseField('request', 'is malformed')
  return null
}

function waitFor({ code, retryAfterSeconds }: Refusal): number | undefined {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds
  return 'retryable' in ERROR_CODES[code] ? USUAL_WAIT_SECONDS : undefined
}
