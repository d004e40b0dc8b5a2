import { createTransport } from 'nodemailer'
import SmtpConnection from 'nodemailer/lib/smtp-connection'
import type { Clock } from './clock.ts'
import { HANDING_OVER_MS, MAIL_ANSWER_MS, type Mail, type MailOutcome, type MailTransport } from './mail.ts'
import { StartError } from './start-error.ts'
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

export interface SmtpTransport extends MailTransport {
  /**
   * Connects and signs in without sending anything: null when the server would take mail, else what is in the way.
   * Takes no longer than HANDING_OVER_MS.
   */
  check(): Promise<string | null>
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
export function createSmtpTransport({ smtpUrl, from, clock, limits: given = {}, trusted }: SmtpOptions): SmtpTransport {
  const limits = { ...LIMITS, ...given }
  const server = serverOf(smtpUrl)
  const sender = senderOf(from)
  const connection = {
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
  const transporter = createTransport({
    ...connection,
    pool: true,
    // Who was given a password is to use it: a server that offers no way to sign in would refuse every mail for another
    // reason.
    ...(server.auth === null ? {} : { auth: server.auth, forceAuth: true }),
    maxConnections: CONNECTIONS,
    maxRequeues: REPLACED_CONNECTIONS,
    idleTimeout: IDLE_MS,
    // Contents are handed in as texts; nothing in them may make the library read files or ask the network.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  /** What is to be called when the whole of a message has gone out, by the signal that ends it. */
  const whenHandedOver = new WeakMap<AbortSignal, () => void>()
  /** What is being sent, and what cuts it off. */
  const sendings = new Map<AbortController, Promise<MailOutcome>>()
  transporter.use('stream', ({ message, data: { signal } }, done) => {
    const handedOver = signal ? whenHandedOver.get(signal) : undefined
    if (handedOver !== undefined) message.processFunc((stream) => stream.once('end', handedOver))
    done()
  })

  const send = async ({ to, subject, text, html, headers, id }: Mail, cut: AbortController): Promise<MailOutcome> => {
    if (!ONE_ADDRESS.test(to)) return { outcome: 'permanent', reason: 'the recipient is not one mail address' }
    let putOff = clock.alarm(limits.handingOverMs, () => cut.abort())
    let isHandedOver = false
    whenHandedOver.set(cut.signal, () => {
      isHandedOver = true
      putOff()
      putOff = clock.alarm(limits.answerMs, () => cut.abort())
    })
    try {
      await transporter.sendMail({
        from: sender,
        to: { name: '', address: to },
        subject: cleanLine(subject),
        text,
        ...(html === undefined ? {} : { html }),
        // Programs that answer for people who are away leave such mail unanswered.
        headers: { ...oneLined(headers ?? {}), 'Auto-Submitted': 'auto-generated' },
        messageId: `<${id.replace(/[^\w.+-]/g, '-')}@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`,
        date: clock.now(),
        // Long addresses of links come through whole with every mail program; other encodings would leave the folding
        // to it.
        textEncoding: 'quoted-printable',
        signal: cut.signal,
      })
      return { outcome: 'sent' }
    } catch (error) {
      return outcomeOf(error, isHandedOver)
    } finally {
      putOff()
    }
  }

  return {
    async send(mail) {
      const cut = new AbortController()
      const sending = send(mail, cut)
      sendings.set(cut, sending)
      return await sending.finally(() => sendings.delete(cut))
    },
    async check() {
      const one = new SmtpConnection(connection)
      try {
        await new Promise<void>((resolve, reject) => {
          const putOff = clock.alarm(limits.handingOverMs, () =>
            over(Object.assign(new Error('it took too long'), { code: 'ETIMEDOUT' })),
          )
          const over = (error?: Error | null) => {
            putOff()
            if (error) reject(error)
            else resolve()
          }
          one.on('error', over).once('end', () => over(Object.assign(new Error('it ended'), { code: 'ECONNECTION' })))
          one.connect((error) => (error || server.auth === null ? over(error) : one.login(server.auth, over)))
        })
        return null
      } catch (error) {
        return reasonOf(error)
      } finally {
        one.close()
      }
    },
    async close() {
      transporter.close({ force: true })
      for (const cut of sendings.keys()) cut.abort()
      await Promise.all(sendings.values())
    },
  }
}

/** One address without quotes, comments or lists: whatever it says, it can name no second recipient. */
const ONE_ADDRESS = /^[^\s\p{C}<>()[\]"\\,;:@]{1,64}@[^\s\p{C}<>()[\]"\\,;:@]{1,255}$/u

interface Server {
  host: string
  port: number
  secure: boolean
  auth: { user: string; pass: string } | null
  /** True when it runs on this machine. */
  here: boolean
}

function serverOf(smtpUrl: string): Server {
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const auth = url.username === '' ? null : { user: decoded(url.username), pass: decoded(url.password) }
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    auth,
    here: /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new StartError(
      'SMTP_URL: the user or password holds a % that does not begin an encoded character; write it as %25.',
    )
  }
}

function senderOf(from: string): { name: string; address: string } {
  const [, name, address] = /^([^<]*)<([^<>]+)>$/.exec(from) ?? ['', '', from]
  return { name: cleanLine(name ?? ''), address: (address ?? '').trim() }
}

function oneLined(headers: NonNullable<Mail['headers']>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, cleanLine(value)]))
}

/**
 * What the library knows of a failure: the code of the reply, where there was one, and the command that it answered.
 */
interface SmtpFailure {
  code?: unknown
  originalCode?: unknown
  responseCode?: unknown
  response?: unknown
  command?: unknown
}

/**
 * Final is only what is about this recipient, and gone is a mailbox only when the server says so. A server that refuses
 * us altogether, our password, our sender, or to pass mail on for us may think otherwise tomorrow, when somebody has
 * mended the settings, and so may one that takes the message for something else than it is.
 */
function outcomeOf(error: unknown, isHandedOver: boolean): MailOutcome {
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

/** No such mailbox, not here, or not under this name (RFC 5321, 4.2.3), where the reply says nothing more exact. */
const REFUSED_RECIPIENT = new Set([550, 551, 553])
/** About addresses, but for that of the sender (7 and 8), and about the mailbox (RFC 3463, 3.2 and 3.3). */
const FINAL_STATUS = /^5\.(1\.(?![78]$)|2\.)\d+$/
/**
 * There is no such mailbox, or nobody uses it any more. One that is full, or takes nothing so large, is still
 * somebody's.
 */
const GONE_STATUS = /^5\.(1\.\d+|2\.1)$/
/** Said of us rather than of the mailbox. A server that passes nothing on for us says so of every address. */
const ABOUT_US = /relay|denied|denies|block|black|policy|authenti|authori[sz]|permitted|allowed|spam/i

/** The exact status that stands in a reply after its code; null when there is none. */
function statusOf(response: unknown): string | null {
  return typeof response === 'string' ? (/^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? null) : null
}

/** Texts of our own: those of servers hold addresses and anything else. */
function reasonOf(error: unknown): string {
  const { code, originalCode, responseCode, response, command } = failureOf(error)
  if (typeof responseCode === 'number') {
    const step =
      typeof command === 'string' && /^[A-Z0-9 -]{1,20}$/.test(command) && command !== 'CONN' ? ` to ${command}` : ''
    return `the mail server answered ${[responseCode, statusOf(response) ?? ''].join(' ').trim()}${step}`
  }
  const known = [originalCode, code]
    .map((one) => (typeof one === 'string' ? REASONS.get(one) : undefined))
    .find((one) => one !== undefined)
  if (known !== undefined) return known
  const name = [originalCode, code].find((one) => typeof one === 'string' && /^[A-Z0-9_]{1,60}$/.test(one))
  if (name === undefined) return 'the mail server could not be used'
  return `${TLS_CODE.test(String(name)) ? 'the mail server offers no TLS that can be trusted' : 'the mail server could not be used'} (${name})`
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
