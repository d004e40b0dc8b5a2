import { words } from './words.ts'

/** The API's answer to a request that it refused, or a request that had no answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  /** 0 when there was no answer. */
  readonly status: number
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  /** Reasons by the field that they are about. */
  readonly fields: ReadonlyMap<string, string>
  /** For a duplicate: the id of the object that exists. */
  readonly existingId: string | null

  constructor(status: number, { code, message, requestId, retryAfterSeconds, details, existingId }: ErrorBody) {
    super(message)
    this.code = code
    this.status = status
    this.requestId = requestId ?? null
    this.retryAfterSeconds = retryAfterSeconds ?? null
    this.existingId = existingId ?? null
    this.fields = new Map((details ?? []).map((detail) => [detail.field, detail.reason]))
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

interface ErrorBody {
  code: string
  message: string
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  existingId?: string | undefined
  details?: readonly { field: string; reason: string }[] | undefined
}

/** Whether there is no such object, or the address cannot be of one. */
export function isGone(error: Error | null): boolean {
  return error instanceof ApiError && [400, 404].includes(error.status)
}

/** For what the server did not answer, or answered with something else than the error envelope. */
export const NO_ANSWER = 'no_answer'

export function errorOf(status: number, body: unknown): ApiError {
  const error = (body as { error?: Partial<ErrorBody> } | null | undefined)?.error
  if (typeof error?.code === 'string' && typeof error.message === 'string')
    return new ApiError(status, error as ErrorBody)
  return new ApiError(status, { code: NO_ANSWER, message: words.answeredWith(status) })
}
