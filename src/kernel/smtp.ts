import { createTransport } from 'nodemailer'
import SmtpConnection from 'nodemailer/lib/smtp-connection'
import type { Clock } from './clock.ts'
import { HANDOVER_MS, MAIL_ANSWER_MS, type Mail, type MailOutcome, type MailTransport } from './mail.ts'
import { outcomeOf, reasonOf } from './smtp-outcome.ts'
import { type SmtpServer, senderOf, serverOf } from './smtp-server.ts'
import { cleanLine } from './text.ts'

export interface SmtpLimits {
  /** Name resolution, TLS and greeting included. */
  connectMs: number
  greetingMs: number
  /** From the start until the server has the whole message, however much it talks; also for a check. */
  handingOverMs: number
  /** From then until its reply. */
  answerMs: number
}

export interface SmtpOptions {
  /** smtp:// or smtps://, with user and password where needed. */
  smtpUrl: string
  /** An address, or name <address>. */
  from: string
  clock: Pick<Clock, 'now' | 'alarm'>
  limits?: Partial<SmtpLimits>
  /** In PEM, trusted instead of the usual authorities. */
  trusted?: string
}

const LIMITS: SmtpLimits = {
  connectMs: 10_000,
  greetingMs: 10_000,
  handingOverMs: HANDOVER_MS,
  answerMs: MAIL_ANSWER_MS,
}
const CONNECTIONS = 5
/** Shorter than servers' idle limits, so that messages seldom meet a closed connection. */
const IDLE_MS = 20_000
/** Only for connections that ended before a byte of the message. */
const REPLACED_CONNECTIONS = 2

/**
 * Keeps connections for the next message. smtps:// is TLS from the start, smtp:// where the server offers it; an
 * untrusted certificate fails, and a password needs TLS. Only a server on this machine is exempt from both. Throws
 * StartError for a malformed address.
 */
export class SmtpTransport implements MailTransport {
  private readonly clock: Pick<Clock, 'now' | 'alarm'>
  private readonly limits: SmtpLimits
  private readonly server: SmtpServer
  private readonly sender: { name: string; address: string }
  private readonly connection: ReturnType<typeof connectionTo>
  private readonly transporter: ReturnType<typeof poolOf>
  /** Called when a whole message is sent, by its signal. */
  private readonly whenHandedOver = new WeakMap<AbortSignal, () => void>()
  private readonly sendings = new Map<AbortController, Promise<MailOutcome>>()

  constructor({ smtpUrl, from, clock, limits = {}, trusted }: SmtpOptions) {
    this.clock = clock
    this.limits = { ...LIMITS, ...limits }
    this.server = serverOf(smtpUrl)
    this.sender = senderOf(from)
    this.connection = connectionTo(this.server, this.limits, trusted)
    this.transporter = poolOf(this.connection, this.server)
    this.transporter.use('stream', ({ message, data: { signal } }, done) => {
      const handedOver = signal ? this.whenHandedOver.get(signal) : undefined
      if (handedOver !== undefined) message.processFunc((stream) => stream.once('end', handedOver))
      done()
    })
  }

  async send(mail: Mail): Promise<MailOutcome> {
    const cut = new AbortController()
    const sending = this.sendWithin(mail, cut)
    this.sendings.set(cut, sending)
    return await sending.finally(() => this.sendings.delete(cut))
  }

  /** Connects and signs in; null when the server would take mail, else the reason. At most HANDING_OVER_MS. */
  async check(): Promise<string | null> {
    const connection = new SmtpConnection(this.connection)
    try {
      await this.signIn(connection)
      return null
    } catch (error) {
      return reasonOf(error)
    } finally {
      connection.close()
    }
  }

  async close(): Promise<void> {
    this.transporter.close({ force: true })
    for (const cut of this.sendings.keys()) cut.abort()
    await Promise.all(this.sendings.values())
  }

  private async sendWithin(mail: Mail, cut: AbortController): Promise<MailOutcome> {
    if (!ONE_ADDRESS.test(mail.to)) return { outcome: 'permanent', reason: 'the recipient is not one mail address' }
    let putOff = this.clock.alarm(this.limits.handingOverMs, () => cut.abort())
    let isHandedOver = false
    this.whenHandedOver.set(cut.signal, () => {
      isHandedOver = true
      putOff()
      putOff = this.clock.alarm(this.limits.answerMs, () => cut.abort())
    })
    try {
      await this.transporter.sendMail(this.messageOf(mail, cut.signal))
      return { outcome: 'sent' }
    } catch (error) {
      return outcomeOf(error, isHandedOver)
    } finally {
      putOff()
    }
  }

  private messageOf({ to, subject, text, html, headers, id }: Mail, signal: AbortSignal) {
    const { address } = this.sender
    return {
      from: this.sender,
      to: { name: '', address: to },
      subject: cleanLine(subject),
      text,
      ...(html === undefined ? {} : { html }),
      // Stops automatic replies.
      headers: { ...oneLined(headers ?? {}), 'Auto-Submitted': 'auto-generated' },
      messageId: `<${id.replace(/[^\w.+-]/g, '-')}@${address.slice(address.lastIndexOf('@') + 1)}>`,
      date: this.clock.now(),
      // Long links survive in every mail program.
      textEncoding: 'quoted-printable' as const,
      signal,
    }
  }

  private signIn(connection: SmtpConnection): Promise<void> {
    const { auth } = this.server
    return new Promise((resolve, reject) => {
      const putOff = this.clock.alarm(this.limits.handingOverMs, () =>
        over(Object.assign(new Error('it took too long'), { code: 'ETIMEDOUT' })),
      )
      const over = (error?: Error | null) => {
        putOff()
        if (error) reject(error)
        else resolve()
      }
      connection.on('error', over)
      connection.once('end', () => over(Object.assign(new Error('it ended'), { code: 'ECONNECTION' })))
      connection.connect((error) => (error || auth === null ? over(error) : connection.login(auth, over)))
    })
  }
}

function connectionTo(server: SmtpServer, limits: SmtpLimits, trusted: string | undefined) {
  return {
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.auth !== null && !server.secure && !server.here,
    tls: { rejectUnauthorized: server.secure || !server.here, ...(trusted === undefined ? {} : { ca: trusted }) },
    connectionTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    greetingTimeout: limits.greetingMs,
    // A server's silence is judged here, by what it has; nodemailer has one limit for everything.
    socketTimeout: limits.handingOverMs + limits.answerMs,
  }
}

function poolOf(connection: ReturnType<typeof connectionTo>, { auth }: SmtpServer) {
  return createTransport({
    ...connection,
    pool: true,
    // A server without sign-in would otherwise refuse every mail for another reason.
    ...(auth === null ? {} : { auth, forceAuth: true }),
    maxConnections: CONNECTIONS,
    maxRequeues: REPLACED_CONNECTIONS,
    idleTimeout: IDLE_MS,
    // Contents are text; nothing in them may make nodemailer read files or fetch addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** No quotes, comments or lists, so it cannot name a second recipient. */
const ONE_ADDRESS = /^[^\s\p{C}<>()[\]"\\,;:@]{1,64}@[^\s\p{C}<>()[\]"\\,;:@]{1,255}$/u

function oneLined(headers: NonNullable<Mail['headers']>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, cleanLine(value)]))
}
