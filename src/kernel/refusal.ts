/**
 * Every error code a caller can meet, in one table: the statuses it is answered with (the first is the usual one), what
 * it means, and whether trying the same request again can help.
 */
export const ERROR_CODES = {
  unauthorized: { statuses: [401], meaning: 'The credential is missing, unknown, revoked or expired.' },
  read_only_key: { statuses: [403], meaning: 'A credential with read scope tried to write.' },
  forbidden: { statuses: [403], meaning: 'This credential or role may not do this.' },
  key_limit: { statuses: [409], meaning: 'The workspace has 100 unrevoked API keys.' },
  validation_error: {
    statuses: [400],
    meaning: 'Fields or parameters are missing, unknown or wrong; the message names the first, details all.',
  },
  not_found: { statuses: [404], meaning: 'The workspace has no such resource, or there is no such route.' },
  invalid_cursor: { statuses: [400], meaning: 'The cursor cannot be read or belongs to another sort.' },
  method_not_allowed: {
    statuses: [405],
    meaning: 'The path exists, but takes other methods; the Allow header names them.',
  },
  unsupported_media_type: {
    statuses: [415],
    meaning: 'The request body is not application/json in UTF-8 without a content encoding.',
  },
  payload_too_large: {
    statuses: [413, 409],
    meaning: 'The request body exceeds 128 KiB (413), or a delivery exceeds 1 MiB (409).',
  },
  headers_too_large: { statuses: [431], meaning: 'The head of the request, its address and headers, exceeds 16 KiB.' },
  request_timeout: {
    statuses: [408],
    meaning: 'The request body took longer than 5 seconds to arrive.',
    retryable: true,
  },
  rate_limited: {
    statuses: [429],
    meaning: 'A limit of the workspace or of the endpoint is exceeded.',
    retryable: true,
  },
  conflict: { statuses: [409], meaning: 'The change clashes with existing data.' },
  request_conflict: { statuses: [409], meaning: 'The requestId was used before with a different body.' },
  stale_version: { statuses: [409], meaning: 'The resource changed since it was read.' },
  duplicate_keyword: { statuses: [409], meaning: 'The group already has a keyword with this term.' },
  insufficient_balance: { statuses: [402], meaning: 'The balance cannot pay for another keyword-day.' },
  keyword_limit_reached: { statuses: [402], meaning: 'The workspace has 500 keywords.' },
  duplicate_group: { statuses: [409], meaning: 'A group with this name or externalId exists.' },
  default_group: { statuses: [409], meaning: 'The default group cannot be deleted.' },
  default_group_context: { statuses: [400], meaning: 'The default group is described by the company profile.' },
  billing_not_configured: { statuses: [503], meaning: 'Top-ups and invoices are not set up on this installation.' },
  no_billing_owner: { statuses: [404], meaning: 'The workspace has no owner to bill.' },
  invalid_assignee: { statuses: [400], meaning: 'The assignee is not a member of the workspace.' },
  classification_pending: { statuses: [409], meaning: 'The mention is not scored yet.' },
  already_classified: { statuses: [409], meaning: 'The mention is scored already.' },
  keyword_inactive: { statuses: [409], meaning: 'The keyword of the mention is muted.' },
  duplicate_view: { statuses: [409], meaning: 'A view with this name exists.' },
  duplicate_segment: { statuses: [409], meaning: 'A segment with this name exists.' },
  already_member: { statuses: [409], meaning: 'The invited address is a member already.' },
  last_owner: { statuses: [409], meaning: 'The last owner cannot be removed.' },
  unknown_channel: { statuses: [400], meaning: 'The rule names a channel that the workspace does not have.' },
  not_a_digest: { statuses: [400], meaning: 'Only digest rules can be run.' },
  hourly_email_unsupported: { statuses: [400], meaning: 'Hourly rules cannot send e-mail.' },
  rule_disabled: { statuses: [409], meaning: 'The rule is switched off.' },
  no_channels: { statuses: [409], meaning: 'The rule has no channel.' },
  channel_disabled: { statuses: [409], meaning: 'The channel is switched off.' },
  slack_not_connected: { statuses: [409, 404], meaning: 'Slack is not connected.' },
  slack_not_configured: { statuses: [503], meaning: 'Slack is not set up on this installation.' },
  telegram_not_configured: { statuses: [503], meaning: 'Telegram is not set up on this installation.' },
  email_not_configured: { statuses: [503], meaning: 'E-mail is not set up on this installation.' },
  delivery_not_configured: { statuses: [503], meaning: 'Stored channel secrets cannot be used on this installation.' },
  delivery_key_unavailable: { statuses: [503], meaning: 'The key of the stored channel secrets is unavailable.' },
  no_recipients: { statuses: [409], meaning: 'The e-mail channel has no recipients.' },
  recipient_suppressed: { statuses: [409], meaning: 'The address bounced or reported spam.' },
  confirmation_rate_limited: {
    statuses: [429],
    meaning: 'Too many confirmation e-mails to this address.',
    retryable: true,
  },
  version_conflict: { statuses: [409], meaning: 'The preset rules of the channel changed meanwhile; read them again.' },
  invalid_signature: { statuses: [401], meaning: 'The incoming request is not signed correctly.' },
  invalid_token: { statuses: [400, 404], meaning: 'The link is altered, malformed or expired.' },
  not_retryable: { statuses: [409], meaning: 'Only failed or held deliveries can be retried.' },
  not_replayable: { statuses: [409], meaning: 'Only finished deliveries can be replayed.' },
  digest_retry_expired: { statuses: [409], meaning: 'The time for retrying this digest is over.' },
  digest_has_replay: { statuses: [409], meaning: 'A newer replay of the digest exists.' },
  email_hourly_limit: { statuses: [409], meaning: 'The channel has sent its 20 e-mails of this hour.' },
  email_idempotency_expired: {
    statuses: [409],
    meaning: 'The time for a safe retry is over; a replay may send twice.',
  },
  upstream_unavailable: { statuses: [502], meaning: 'A provider did not respond.', retryable: true },
  source_unavailable: { statuses: [502, 503], meaning: 'A platform did not answer a live search.', retryable: true },
  source_timeout: { statuses: [504], meaning: 'A platform was too slow for a live search.', retryable: true },
  email_transport_unavailable: { statuses: [503], meaning: 'Sending e-mail is not set up.' },
  invalid_host: { statuses: [403], meaning: 'The tool server was called under a host that is not allowed.' },
  invalid_origin: { statuses: [403], meaning: 'The tool server was called from an origin that is not allowed.' },
  query_timeout: {
    statuses: [504],
    meaning: 'Reading took longer than a request may; ask for less, such as a shorter period or fewer conditions.',
    retryable: true,
  },
  database_unavailable: { statuses: [503], meaning: 'The database cannot be reached for the moment.', retryable: true },
  database_not_ready: {
    statuses: [503],
    meaning: 'The database is read only, full or not of this version; the operator has to see to it.',
  },
  internal_error: { statuses: [500], meaning: 'The service failed.', retryable: true },
} as const satisfies Record<string, { statuses: readonly [number, ...number[]]; meaning: string; retryable?: true }>

export type ErrorCode = keyof typeof ERROR_CODES

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
