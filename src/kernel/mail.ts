/** A message to one address. */
export interface Mail {
  to: string
  /** One line. */
  subject: string
  text: string
  /** Never without `text`, which says the same. */
  html?: string
  headers?: Readonly<Record<string, string>>
  /** Names the message for ever, so that a repetition can be recognised; without angle brackets and host. */
  id: string
}

/** `temporary` is worth another attempt; after `permanent` this address is not to be written to again. */
export type MailOutcome = { outcome: 'sent' } | { outcome: 'temporary' | 'permanent'; reason: string }

/** Hands mail to the mail server of the installation. */
export interface MailTransport {
  /** Never throws: what goes wrong is an outcome. */
  send(mail: Mail): Promise<MailOutcome>
  close(): Promise<void>
}
