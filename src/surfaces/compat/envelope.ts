import type { ErrorCode } from '../../domain/refusal/error-codes.ts'
import type { FieldProblem, Refusal } from '../../domain/refusal/refusal.ts'
import { answerTo } from '../http/envelope.ts'

export const COMPAT_CODES = {
  VALIDATION_ERROR: { status: 400, meaning: 'Fields or parameters are wrong; `details` names them.' },
  KEYWORD_LIMIT_EXCEEDED: { status: 400, meaning: 'The workspace has 500 keywords.' },
  UNAUTHORIZED: { status: 401, meaning: 'The credential is missing, unknown, revoked or expired.' },
  QUOTA_EXCEEDED: { status: 402, meaning: 'The balance does not cover another keyword-day.' },
  FORBIDDEN: { status: 403, meaning: 'The credential may not do this.' },
  NOT_FOUND: { status: 404, meaning: 'There is no such path or resource.' },
  POST_NOT_FOUND: { status: 404, meaning: 'The workspace has no such mention.' },
  KEYWORD_NOT_FOUND: { status: 404, meaning: 'The workspace has no such keyword.' },
  FEED_NOT_FOUND: { status: 404, meaning: 'The workspace has no such feed.' },
  REQUEST_TIMEOUT: { status: 408, meaning: 'The body took longer than 5 seconds to arrive.' },
  ITEM_EXISTS: { status: 409, meaning: 'The keyword or a feed of this name exists.' },
  FEED_FILTER_WRITE_CONFLICT: { status: 409, meaning: 'The filter of the view cannot be said here.' },
  CLASSIFICATION_PENDING: { status: 409, meaning: 'The mention is not scored yet.' },
  CONFLICT: { status: 409, meaning: 'Somebody else changed the same thing. Send the request again.' },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body exceeds 128 KiB.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'The body is not application/json.' },
  WORKSPACE_MOVED: { status: 421, meaning: 'The workspace has moved; the Location header has the new address.' },
  RATE_LIMITED: { status: 429, meaning: 'The limit of the workspace is exceeded.' },
  INTERNAL_ERROR: { status: 500, meaning: 'The service failed.' },
  FEATURE_DISABLED: { status: 501, meaning: 'This interface does not have it; the message names what is meant.' },
  SERVICE_UNAVAILABLE: { status: 503, meaning: 'The service cannot answer now. Try again.' },
} as const satisfies Record<string, { status: number; meaning: string }>

export type CompatCode = keyof typeof COMPAT_CODES
/** What a missing thing is called, by the operation. */
export type NotFoundCode = 'NOT_FOUND' | 'POST_NOT_FOUND' | 'KEYWORD_NOT_FOUND' | 'FEED_NOT_FOUND'

/** `not_found` is left to the operation. */
const CODES: Readonly<Record<Exclude<ErrorCode, 'not_found'>, CompatCode>> = {
  unauthorized: 'UNAUTHORIZED',
  read_only_key: 'FORBIDDEN',
  forbidden: 'FORBIDDEN',
  key_limit: 'CONFLICT',
  validation_error: 'VALIDATION_ERROR',
  invalid_cursor: 'VALIDATION_ERROR',
  method_not_allowed: 'FEATURE_DISABLED',
  unsupported_media_type: 'UNSUPPORTED_MEDIA_TYPE',
  payload_too_large: 'PAYLOAD_TOO_LARGE',
  headers_too_large: 'VALIDATION_ERROR',
  request_timeout: 'REQUEST_TIMEOUT',
  rate_limited: 'RATE_LIMITED',
  conflict: 'VALIDATION_ERROR',
  request_conflict: 'CONFLICT',
  workspace_moving: 'SERVICE_UNAVAILABLE',
  workspace_moved: 'WORKSPACE_MOVED',
  stale_version: 'CONFLICT',
  duplicate_keyword: 'ITEM_EXISTS',
  insufficient_balance: 'QUOTA_EXCEEDED',
  keyword_limit_reached: 'KEYWORD_LIMIT_EXCEEDED',
  duplicate_group: 'CONFLICT',
  default_group: 'CONFLICT',
  default_group_context: 'VALIDATION_ERROR',
  billing_not_configured: 'SERVICE_UNAVAILABLE',
  no_billing_owner: 'NOT_FOUND',
  invalid_assignee: 'VALIDATION_ERROR',
  classification_pending: 'CLASSIFICATION_PENDING',
  already_classified: 'CONFLICT',
  keyword_inactive: 'CONFLICT',
  duplicate_view: 'ITEM_EXISTS',
  duplicate_segment: 'CONFLICT',
  already_member: 'CONFLICT',
  last_owner: 'CONFLICT',
  unknown_channel: 'VALIDATION_ERROR',
  not_a_digest: 'VALIDATION_ERROR',
  hourly_email_unsupported: 'VALIDATION_ERROR',
  rule_disabled: 'CONFLICT',
  no_channels: 'CONFLICT',
  channel_disabled: 'CONFLICT',
  slack_not_connected: 'CONFLICT',
  slack_not_configured: 'SERVICE_UNAVAILABLE',
  telegram_not_configured: 'SERVICE_UNAVAILABLE',
  email_not_configured: 'SERVICE_UNAVAILABLE',
  delivery_not_configured: 'SERVICE_UNAVAILABLE',
  delivery_key_unavailable: 'SERVICE_UNAVAILABLE',
  no_recipients: 'CONFLICT',
  recipient_suppressed: 'CONFLICT',
  confirmation_rate_limited: 'RATE_LIMITED',
  version_conflict: 'CONFLICT',
  invalid_signature: 'UNAUTHORIZED',
  invalid_token: 'VALIDATION_ERROR',
  not_retryable: 'CONFLICT',
  not_replayable: 'CONFLICT',
  digest_retry_expired: 'CONFLICT',
  digest_has_replay: 'CONFLICT',
  email_hourly_limit: 'CONFLICT',
  email_idempotency_expired: 'CONFLICT',
  upstream_unavailable: 'SERVICE_UNAVAILABLE',
  source_unavailable: 'SERVICE_UNAVAILABLE',
  source_timeout: 'SERVICE_UNAVAILABLE',
  email_transport_unavailable: 'SERVICE_UNAVAILABLE',
  invalid_host: 'FORBIDDEN',
  invalid_origin: 'FORBIDDEN',
  query_timeout: 'SERVICE_UNAVAILABLE',
  database_unavailable: 'SERVICE_UNAVAILABLE',
  cell_unavailable: 'SERVICE_UNAVAILABLE',
  database_not_ready: 'SERVICE_UNAVAILABLE',
  feature_disabled: 'FEATURE_DISABLED',
  unwritable_filter: 'FEED_FILTER_WRITE_CONFLICT',
  internal_error: 'INTERNAL_ERROR',
}

export interface CompatEnvelope {
  error: {
    code: CompatCode
    message: string
    status: number
    requestId: string
    details?: { path: string; message: string }[]
  }
}

export function compatCodeOf(code: ErrorCode, notFound: NotFoundCode = 'NOT_FOUND'): CompatCode {
  return code === 'not_found' ? notFound : CODES[code]
}

/** A refusal as the other interface words it; headers are those of ours. */
export function compatAnswerTo(
  refusal: Refusal,
  requestId: string,
  notFound?: NotFoundCode,
): { status: number; headers: Record<string, string>; body: CompatEnvelope } {
  const code = compatCodeOf(refusal.code, notFound)
  const { status } = COMPAT_CODES[code]
  const details = code === 'VALIDATION_ERROR' ? { details: problemsOf(refusal) } : {}
  return {
    status,
    headers: answerTo(refusal, requestId).headers,
    body: { error: { code, message: refusal.message, status, requestId, ...details } },
  }
}

/** Codes whose refusals name no field. */
const FIELDS: Readonly<Partial<Record<ErrorCode, string>>> = { invalid_cursor: 'cursor', conflict: 'name' }

function problemsOf({ code, message, details }: Refusal): { path: string; message: string }[] {
  const problems: readonly FieldProblem[] = details ?? [{ field: FIELDS[code] ?? 'request', reason: message }]
  return problems.map(({ field, reason }) => ({ path: field, message: reason }))
}
