/** A message to one address. */
export interface Mail {
  to: string
  /** One line. */
  subject: string
  text: string
  /** Never without `text`, which says the same. */
  html?: string
  headers?: Readonly<Partial<Record<MailHeader, string>>>
  /** Names the message for ever, so that a repetition can be recognised; without angle brackets and host. */
  id: string
}

/** What a message may say beside its contents. Sender and recipient are said elsewhere, and by nothing else. */
export type MailHeader = 'List-Unsubscribe' | 'List-Unsubscribe-Post' | 'List-Id' | 'In-Reply-To' | 'References'

/**
 * `temporary` is worth another attempt. So is `unanswered`, yet that may bring the mail a second time: the server has
 * all of it and has not said what becomes of it. After `permanent` this mail is not to be sent again; where `isGone` is
 * set the server said that there is no such mailbox, so that nothing else ever needs to be. Reasons hold neither
 * address nor contents.
 */
export type MailOutcome =
  | { outcome: 'sent' }
  | { outcome: 'temporary' | 'unanswered'; reason: string }
  | { outcome: 'permanent'; reason: string; isGone?: true }

/** Hands mail to the mail server of the installation. */
export interface MailTransport {
  /** Never throws: what goes wrong is an outcome. Takes no longer than MAIL_LIMIT_MS. */
  send(mail: Mail): Promise<MailOutcome>
  /** Ends what is being sent as temporary or unanswered, and resolves when it is. Idempotent. */
  close(): Promise<void>
}

/** The longest until a server has the whole of a message, waiting for a connection included. */
export const HANDING_OVER_MS = 25_000
/**
 * The longest until it says what becomes of a message that it has. Many judge it first; who does not wait for them, as
 * RFC 5321 (4.5.3.2.6) says, has it arrive and sends it again.
 */
export const MAIL_ANSWER_MS = 10 * 60_000
/** The longest that sending one message may take. */
export const MAIL_LIMIT_MS = HANDING_OVER_MS + MAIL_ANSWER_MS
