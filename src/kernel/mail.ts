export interface Mail {
  to: string
  subject: string
  text: string
  /** Says the same as `text`. */
  html?: string
  headers?: Readonly<Partial<Record<MailHeader, string>>>
  /** A permanent id without brackets and host, by which a repetition is recognised. */
  id: string
}

/** Sender and recipient are not headers here. */
export type MailHeader = 'List-Unsubscribe' | 'List-Unsubscribe-Post' | 'List-Id' | 'In-Reply-To' | 'References'

/**
 * `temporary` may be retried. So may `unanswered`, with the risk of a duplicate: the server has the message and gave no
 * reply. `permanent` must not be retried; with `isGone` the mailbox does not exist. Reasons hold no address and no
 * contents.
 */
export type MailOutcome =
  | { outcome: 'sent' }
  | { outcome: 'temporary' | 'unanswered'; reason: string }
  | { outcome: 'permanent'; reason: string; isGone?: true }

export interface MailTransport {
  /** Never throws, and takes at most MAIL_LIMIT_MS. */
  send(mail: Mail): Promise<MailOutcome>
  /** Ends messages in flight as temporary or unanswered, then resolves. Idempotent. */
  close(): Promise<void>
}

/** Until the server has the whole message, waiting for a connection included. */
export const HANDOVER_MS = 25_000
/**
 * Until the server replies to a whole message. Many scan it first; giving up earlier means duplicates (RFC 5321,
 * 4.5.3.2.6).
 */
export const MAIL_ANSWER_MS = 10 * 60_000
export const MAIL_LIMIT_MS = HANDOVER_MS + MAIL_ANSWER_MS
