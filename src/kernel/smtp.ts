import { createTransport } from 'nodemailer'
import SmtpConnection from 'nodemailer/lib/smtp-connection'
import type { Clock } from './clock.ts'
import { HANDING_OVER_MS, MAIL_ANSWER_MS, type Mail, type MailOutcome, type MailTransport } from './mail.ts'
import { outcomeOf, reasonOf } from './smtp-outcome.ts'
import { type SmtpServer, senderOf, serverOf } from './smtp-server.ts'
import { cleanLine } from './text.ts'

/** How long each step may take, in milliseconds. */
export interface SmtpLimits {
  /** Resolving the name, connecting, TLS and greeting together. */
  connectMs: number
  /** The greeting of the server, once connected. */
  greetingMs: number
  /**
   * From the beginning until the server has the whole message: one that keeps talking cannot extend it. A check takes
   * no longer either.
   */
  handingOverMs: number
  /** From then on until it says what becomes of it. */
  answerMs: number
}

export interface SmtpOptions {
  /** smtp:// or smtps://, with user and password where the server wants them. */
  smtpUrl: string
  /** The sender: an address, or name <address>. */
  from: string
  clock: Pick<Clock, 'now' | 'alarm'>
  limits?: Partial<SmtpLimits>
  /** Certificates, in PEM, that are trusted instead of the usual authorities. */
  trusted?: string
}

const LIMITS: SmtpLimits = {
  connectMs: 10_000,
  greetingMs: 10_000,
  handingOverMs: HANDING_OVER_MS,
  answerMs: MAIL_ANSWER_MS,
}
const CONNECTIONS = 5
/** Shorter than what servers give idle clients, so that a message seldom meets a connection that has just ended. */
const IDLE_MS = 20_000
/**
 * A connection that ended before a byte of the message was sent on it is replaced so often, without waiting for the
 * next attempt; any other never.
 */
const REPLACED_CONNECTIONS = 2

/**
 * Sends through a mail server, by connections that are kept for the next message. smtps:// is TLS from the beginning,
 * smtp:// becomes it where the server offers that, and a certificate that is not trusted ends the attempt. A password
 * goes over TLS or nowhere. Only a server on this machine, with nobody in between, may do without, and with any
 * certificate. Throws StartError when the address cannot be read.
 */
export class SmtpTransport implements MailTransport {
  private readonly clock: Pick<Clock, 'now' | 'alarm'>
  private readonly limits: SmtpLimits
  private readonly server: SmtpServer
  private readonly sender: { name: string; address: string }
  private readonly connection: ReturnType<typeof connectionTo>
  private readonly transporter: ReturnType<typeof poolOf>
  /** What is to be called when the whole of a message has gone out, by the signal that ends it. */
  private readonly whenHandedOver = new WeakMap<AbortSignal, () => void>()
  /** Messages being sent, by what cuts each off. */
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

  /**
   * Connects and signs in without sending anything: null when the server would take mail, else what is in the way.
   * Takes no longer than HANDING_OVER_MS.
   */
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
      // Programs that answer for people who are away leave such mail unanswered.
      headers: { ...oneLined(headers ?? {}), 'Auto-Submitted': 'auto-generated' },
      messageId: `<${id.replace(/[^\w.+-]/g, '-')}@${address.slice(address.lastIndexOf('@') + 1)}>`,
      date: this.clock.now(),
      // Long addresses of links come through whole with every mail program; other encodings would leave the folding
      // to it.
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
    // How long a server may be silent depends on what it has, and is judged here: the library knows one limit for
    // everything.
    socketTimeout: limits.handingOverMs + limits.answerMs,
  }
}

function poolOf(connection: ReturnType<typeof connectionTo>, { auth }: SmtpServer) {
  return createTransport({
    ...connection,
    pool: true,
    // Who was given a password is to use it: a server that offers no way to sign in would refuse every mail for another
    // reason.
    ...(auth === null ? {} : { auth, forceAuth: true }),
    maxConnections: CONNECTIONS,
    maxRequeues: REPLACED_CONNECTIONS,
    idleTimeout: IDLE_MS,
    // Contents are handed in as texts; nothing in them may make the library read files or ask the network.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** One address without quotes, comments or lists: whatever it says, it can name no second recipient. */
const ONE_ADDRESS = /^[^\s\p{C}<>()[\]"\\,;:@]{1,64}@[^\s\p{C}<>()[\]"\\,;:@]{1,255}$/u

function oneLined(headers: NonNullable<Mail['headers']>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, cleanLine(value)]))
}
