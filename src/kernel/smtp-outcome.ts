import type { MailOutcome } from './mail.ts'

/** The reply code, if any, and the command it answers. */
interface SmtpFailure {
  code?: unknown
  originalCode?: unknown
  responseCode?: unknown
  response?: unknown
  command?: unknown
}

/**
 * Permanent is only what concerns the recipient, and gone only what the server says is no mailbox. Refusals of our
 * password, sender, relaying or content may end once settings are mended.
 */
export function outcomeOf(error: unknown, isHandedOver: boolean): MailOutcome {
  const { responseCode, response, command } = failureOf(error)
  const reason = reasonOf(error)
  if (typeof responseCode !== 'number') return { outcome: isHandedOver ? 'unanswered' : 'temporary', reason }
  const status = statusOf(response)
  const isFinal =
    status === null ? command === 'RCPT TO' && REFUSED_RECIPIENT.has(responseCode) : FINAL_STATUS.test(status)
  const isAboutMail = command === 'RCPT TO' || command === 'DATA'
  if (!isAboutMail || !isFinal || responseCode < 500) return { outcome: 'temporary', reason }
  const isGone = status === null ? !ABOUT_US.test(String(response)) : GONE_STATUS.test(status)
  return isGone ? { outcome: 'permanent', reason, isGone } : { outcome: 'permanent', reason }
}

/** No such mailbox (RFC 5321, 4.2.3), without a more exact status. */
const REFUSED_RECIPIENT = new Set([550, 551, 553])
/** Recipient address, without that of the sender (7 and 8), and mailbox (RFC 3463, 3.2 and 3.3). */
const FINAL_STATUS = /^5\.(1\.(?![78]$)|2\.)\d+$/
/** No such or no longer used mailbox; a full one still has an owner. */
const GONE_STATUS = /^5\.(1\.\d+|2\.1)$/
/** About us rather than the mailbox, such as a refusal to relay. */
const ABOUT_US = /relay|denied|denies|block|black|policy|authenti|authori[sz]|permitted|allowed|spam/i

/** The enhanced status of a reply, or null. */
function statusOf(response: unknown): string | null {
  return typeof response === 'string' ? (/^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? null) : null
}

/** Our own words: replies may hold addresses. */
export function reasonOf(error: unknown): string {
  const { code, originalCode, responseCode, response, command } = failureOf(error)
  if (typeof responseCode === 'number') return answeredReason(responseCode, response, command)
  const codes = [originalCode, code].filter((known) => typeof known === 'string')
  const known = codes.map((name) => REASONS.get(name)).find((reason) => reason !== undefined)
  if (known !== undefined) return known
  const name = codes.find((text) => /^[A-Z0-9_]{1,60}$/.test(text))
  if (name === undefined) return 'the mail server could not be used'
  const reason = TLS_CODE.test(name)
    ? 'the mail server offers no TLS that can be trusted'
    : 'the mail server could not be used'
  return `${reason} (${name})`
}

function answeredReason(responseCode: number, response: unknown, command: unknown): string {
  const isKnown = typeof command === 'string' && /^[A-Z0-9 -]{1,20}$/.test(command) && command !== 'CONN'
  const code = [responseCode, statusOf(response) ?? ''].join(' ').trim()
  return `the mail server answered ${code}${isKnown ? ` to ${command}` : ''}`
}

const TLS_CODE = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/

const REASONS = new Map([
  ['ECONNREFUSED', 'the mail server refused the connection'],
  ['ECONNRESET', 'the mail server cut the connection'],
  ['EPIPE', 'the mail server cut the connection'],
  ['ECONNECTION', 'the mail server cut the connection'],
  ['ENOTFOUND', 'the mail server has no address'],
  ['EDNS', 'the mail server has no address'],
  ['ETIMEDOUT', 'the mail server did not answer in time'],
  ['EABORT', 'the mail server did not answer in time'],
  ['ETLS', 'the mail server offers no TLS that can be trusted'],
  ['EAUTH', 'the mail server offers no way to sign in that we know'],
])

function failureOf(error: unknown): SmtpFailure {
  return error instanceof Error ? (error as SmtpFailure) : {}
}
