import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

/** A mail as it arrived. */
export interface ArrivedMail {
  /** Sender and recipients as the client declared them to the server, whatever the message says. */
  from: string
  to: string[]
  /** The user that had signed in; null for nobody. */
  user: string | null
  /** True when it came over TLS. */
  secure: boolean
  raw: string
  /** A field of the head on one line, decoded; null when there is none. */
  header(name: string): string | null
  /** The plain text, decoded. */
  text: string
  /** The page, decoded; null when there is none. */
  html: string | null
  /** The web addresses in the text. */
  links: string[]
}

/** A mail server on this machine that keeps what it takes. */
export interface MailServer {
  /** Where it listens, as SMTP_URL; user and password are in it when it has been given them. */
  url: string
  port: number
  /** What arrived, oldest first. */
  mails: ArrivedMail[]
  /**
   * How it answers at one step from now on; null to take everything. A reply is a code and a text, such as 550 5.1.1
   * unknown.
   */
  refuses: { step: 'connect' | 'MAIL FROM' | 'RCPT TO' | 'DATA'; reply: string } | null
  /** From now on cuts the connection when a message comes, having taken it all. */
  cuts: boolean
  /**
   * What it waits for from now on before it says what becomes of a message that it has; it takes it also when the
   * client has gone by then.
   */
  waits: Promise<unknown> | null
  /** How many messages it has had as a whole, answered or not. */
  handedOver: number
  /** Names and passwords with which somebody tried to sign in. */
  logins: { user: string; password: string; secure: boolean }[]
  /** How many connections were made. */
  connections: number
  close(): Promise<void>
}

export interface MailServerOptions {
  /** TLS from the beginning (tls), offered (starttls, as usual), or not known. */
  tls?: 'tls' | 'starttls' | 'none'
  /** Who must sign in; nobody need unless told otherwise. */
  login?: { user: string; password: string }
}

export async function createMailServer({ tls = 'starttls', login }: MailServerOptions = {}): Promise<MailServer> {
  const options: SMTPServerOptions = {
    secure: tls === 'tls',
    key: TEST_KEY,
    cert: TEST_CERTIFICATE,
    disabledCommands: [...(tls === 'none' ? ['STARTTLS'] : []), ...(login === undefined ? ['AUTH'] : [])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onConnect: (_session, done) => {
      server.connections += 1
      done(refusalAt('connect'))
    },
    onAuth(auth, session, done) {
      const { username: user = '', password } = auth
      server.logins.push({ user, password: password ?? '', secure: session.secure })
      if (user === login?.user && password === login.password) done(null, { user })
      else done(replyError('535 5.7.8 who are you'))
    },
    onMailFrom: (_address, _session, done) => done(refusalAt('MAIL FROM')),
    onRcptTo: (_address, _session, done) => done(refusalAt('RCPT TO')),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      // A client that goes away in the middle of a message has sent none.
      stream.on('error', () => undefined)
      stream.on('end', async () => {
        server.handedOver += 1
        if (server.cuts) return cutAll()
        await server.waits
        const refusal = refusalAt('DATA')
        if (refusal === null) server.mails.push(arrived(Buffer.concat(chunks).toString('utf8'), session))
        done(refusal)
      })
    },
  }
  /** By the socket on top: cutting the one below TLS in the middle of a handshake ends the process of Node.js. */
  const cutAll = () => {
    for (const { _socket: socket } of smtp.connections) socket.destroy()
  }
  const smtp = new SMTPServer(options)
  // Clients that cut the connection are part of the tests.
  smtp.on('error', () => undefined)
  await once(smtp.listen(0, '127.0.0.1'), 'listening')
  const { port } = smtp.server.address() as AddressInfo
  const refusalAt = (step: string) => (server.refuses?.step === step ? replyError(server.refuses.reply) : null)
  const credentials =
    login === undefined ? '' : `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`
  const server: MailServer = {
    url: `${tls === 'tls' ? 'smtps' : 'smtp'}://${credentials}127.0.0.1:${port}`,
    port,
    mails: [],
    refuses: null,
    cuts: false,
    waits: null,
    handedOver: 0,
    logins: [],
    connections: 0,
    async close() {
      cutAll()
      await new Promise<void>((resolve) => smtp.close(() => resolve()))
    },
  }
  return server
}

function replyError(reply: string): Error {
  const [, code, text] = /^(\d{3}) (.*)$/.exec(reply)!
  return Object.assign(new Error(text), { responseCode: Number(code) })
}

function arrived(raw: string, { envelope: { mailFrom, rcptTo }, secure, user }: SMTPServerSession): ArrivedMail {
  const text = textOf(raw).replace(/\r\n/g, '\n')
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    user: typeof user === 'string' ? user : null,
    secure,
    raw,
    header: partOf(raw).header,
    text,
    html:
      partsOf(raw)
        .find(({ header }) => /^text\/html\b/i.test(header('content-type') ?? ''))
        ?.decoded() ?? null,
    links: text.match(/https?:\/\/\S+/g) ?? [],
  }
}

/** Head and body of a message, or of one of its parts. */
function partOf(raw: string): { header(name: string): string | null; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  return {
    header(name) {
      const line = lines.find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      return line === undefined ? null : decodeWords(line.slice(name.length + 1).trim())
    },
    body: raw.slice(end + 4),
  }
}

/** The plain text part, which is the first one. */
function textOf(raw: string): string {
  return partsOf(raw)[0]!.decoded()
}

interface LeafPart {
  header(name: string): string | null
  decoded(): string
}

/** The parts that hold contents, in their order. */
function partsOf(raw: string): LeafPart[] {
  const { header, body } = partOf(raw)
  const boundary = /^multipart\/.*boundary="?([^";]+)/i.exec(header('content-type') ?? '')?.[1]
  if (boundary !== undefined) {
    const between = body.split(`--${boundary}\r\n`).slice(1)
    return between.flatMap((part) => partsOf(part.split(`\r\n--${boundary}`)[0]!))
  }
  const decoded = () => {
    const encoding = header('content-transfer-encoding')
    if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
    return encoding === 'quoted-printable' ? decodeQuoted(body.replace(/=\r\n/g, '')) : body
  }
  return [{ header, decoded }]
}

function decodeQuoted(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  return Buffer.from(
    bytes.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
}

/** Encoded words, whose blanks in between do not count. */
function decodeWords(text: string): string {
  return text
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuoted(word.replaceAll('_', ' ')),
    )
}

/** For localhost, 127.0.0.1 and ::1, until 2126. Known to everybody, and trusted by nobody but tests. */
export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBwDCCAWegAwIBAgIUA+AdMaDO0FlcrMOF7hFE/xPOE3swCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE5MDEzM1oYDzIxMjYxMDI4
MTkwMTMzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATn+kdOHdDBAfkTYyGktjPBNPY8CfeR+wRaZZFRDHhHslUquhLWg+i0
2pWI6Oj+7YMp6F8vcIzIq/ZONw4CM0P0o4GUMIGRMB0GA1UdDgQWBBRqR9MBVETl
0FScZ2/nVrrrMMibLDAfBgNVHSMEGDAWgBRqR9MBVETl0FScZ2/nVrrrMMibLDAP
BgNVHRMBAf8EBTADAQH/MD4GA1UdEQQ3MDWCCWxvY2FsaG9zdIcEfwAAAYcQAAAA
AAAAAAAAAAAAAAAAAYcQAAAAAAAAAAAAAP//fwAAATAKBggqhkjOPQQDAgNHADBE
AiBVPM+J9yZ+qVkouhPu7aYVivqEFPPdRR59EXW1RACSeQIgXk9qfwTS1WP+C0/b
eJGEkzSP6jDFWCv3rxY//wWmTLU=
-----END CERTIFICATE-----
`
const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgg5cfaVb81MB4Oywd
n0eLQ0LTM9FZeVnvG3jyM4XRGfKhRANCAATn+kdOHdDBAfkTYyGktjPBNPY8CfeR
+wRaZZFRDHhHslUquhLWg+i02pWI6Oj+7YMp6F8vcIzIq/ZONw4CM0P0
-----END PRIVATE KEY-----
`
