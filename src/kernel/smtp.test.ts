import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../test/clock.ts'
import {
  createMailServer,
  type MailServer,
  type MailServerOptions,
  TEST_CERTIFICATE,
} from '../../test/stand-ins/mail-server.ts'
import { until } from '../../test/until.ts'
import { MINUTE_MS, systemClock } from './clock.ts'
import type { Mail } from './mail.ts'
import { type SmtpOptions, SmtpTransport } from './smtp.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const clock = createTestClock(new Date('2026-11-20T09:30:00.000Z'))
const MAIL: Mail = { to: 'ann@receiver.example', subject: 'Hello', text: 'A line.\n', id: 'mail-1' }

async function serverWith(options?: MailServerOptions): Promise<MailServer> {
  const server = await createMailServer(options)
  closers.push(() => server.close())
  return server
}

function transportTo(smtpUrl: string, options: Partial<SmtpOptions> = {}): SmtpTransport {
  const transport = new SmtpTransport({ smtpUrl, from: 'Earshot <no-reply@earshot.example>', clock, ...options })
  closers.push(() => transport.close())
  return transport
}

/** A server that does what a test says with every connection. */
async function rawServer(serve: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    serve(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closers.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a mail', () => {
  test('arrives as it was written, from the sender of the installation to its one recipient', async () => {
    const server = await serverWith()
    const text =
      'Grüße, open this:\n\nhttps://earshot.example/sign-in/link/lnk_0123456789012345678901234567890123456789012345678901234567890123456789=x\n\n.\nEnd.\n'
    const transport = transportTo(server.url)
    expect(await transport.send({ ...MAIL, subject: 'Ein Gruß für dich', text })).toEqual({ outcome: 'sent' })
    const [mail] = server.mails
    expect(mail).toMatchObject({ from: 'no-reply@earshot.example', to: ['ann@receiver.example'], text, secure: true })
    expect(mail!.header('From')).toBe('Earshot <no-reply@earshot.example>')
    expect(mail!.header('To')).toBe('ann@receiver.example')
    expect(mail!.header('Subject')).toBe('Ein Gruß für dich')
    expect(mail!.header('Message-ID')).toBe('<mail-1@earshot.example>')
    expect(mail!.header('Date')).toBe('Fri, 20 Nov 2026 09:30:00 +0000')
    expect(mail!.header('Auto-Submitted')).toBe('auto-generated')
    for (const line of mail!.raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78)
  })

  test('with markup says the same as plain text first, and carries the headers it was given', async () => {
    const server = await serverWith()
    const headers = {
      'List-Unsubscribe': '<https://earshot.example/u>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }
    await transportTo(server.url).send({ ...MAIL, html: '<p>A line.</p>', headers })
    const [mail] = server.mails
    expect(mail!.header('Content-Type')).toMatch(/^multipart\/alternative/)
    expect(mail!.text.trim()).toBe('A line.')
    expect(mail!.raw.indexOf('text/plain')).toBeLessThan(mail!.raw.indexOf('text/html'))
    expect(mail!.header('List-Unsubscribe')).toBe('<https://earshot.example/u>')
    expect(mail!.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
  })

  test('after another goes over the same connection', async () => {
    const server = await serverWith()
    const transport = transportTo(server.url)
    for (const id of ['one', 'two', 'three']) expect(await transport.send({ ...MAIL, id })).toEqual({ outcome: 'sent' })
    expect([server.mails.length, server.connections]).toEqual([3, 1])
  })

  test('whose connection has ended since the one before goes over a new one', async () => {
    const sockets: Socket[] = []
    const server = await serverWith({ tls: 'none' })
    const relay = await rawServer((socket) => {
      sockets.push(socket)
      const target = connect(server.port, '127.0.0.1').on('error', () => undefined)
      socket.pipe(target).pipe(socket)
      socket.on('close', () => target.destroy())
    })
    const transport = transportTo(relay)
    expect(await transport.send(MAIL)).toEqual({ outcome: 'sent' })
    sockets[0]!.destroy()
    expect(await transport.send({ ...MAIL, id: 'mail-2' })).toEqual({ outcome: 'sent' })
    expect(server.mails.map((mail) => mail.header('Message-ID'))).toEqual([
      '<mail-1@earshot.example>',
      '<mail-2@earshot.example>',
    ])
  })
})

describe('what a text says', () => {
  test.each([
    ['two addresses', 'ann@receiver.example, eve@evil.example'],
    ['a name', 'Ann <ann@receiver.example>'],
    ['a line feed', 'ann@receiver.example\r\nRCPT TO:<eve@evil.example>'],
    ['a group', 'all: ann@receiver.example;'],
    ['a comment', 'ann@receiver.example(eve@evil.example)'],
    ['a quoted local part', '"ann@evil.example,"@receiver.example'],
    ['two at signs', 'ann@evil.example@receiver.example'],
    ['a NUL', 'ann@receiver.example\0.evil.example'],
    ['no domain', 'ann'],
    ['nothing', ''],
  ])('as recipient never names another one: %s is refused for good without asking the server', async (_what, to) => {
    const server = await serverWith()
    expect(await transportTo(server.url).send({ ...MAIL, to })).toEqual({
      outcome: 'permanent',
      reason: 'the recipient is not one mail address',
    })
    expect(server.connections).toBe(0)
  })

  test('never becomes a header, a recipient or another mail, whatever it is', async () => {
    const server = await serverWith()
    const transport = transportTo(server.url)
    const hostile = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\r\n', '\n', '\r', '\0', '.', ':', '<', '>', ',', '=?utf-8?q?', '?=', 'Bcc: eve@evil.example'),
        fc.string(),
      ),
    })
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, hostile, async (subject, text, id, value) => {
        const before = server.mails.length
        expect(await transport.send({ ...MAIL, subject, text, id, headers: { 'List-Id': value } })).toEqual({
          outcome: 'sent',
        })
        expect(server.mails).toHaveLength(before + 1)
        const mail = server.mails.at(-1)!
        expect(mail.to).toEqual(['ann@receiver.example'])
        const names = mail.raw
          .slice(0, mail.raw.indexOf('\r\n\r\n'))
          .split(/\r\n(?![ \t])/)
          .map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
        const known = [
          'auto-submitted',
          'content-transfer-encoding',
          'content-type',
          'date',
          'from',
          'list-id',
          'message-id',
          'mime-version',
          'subject',
          'to',
        ]
        expect(known).toEqual(expect.arrayContaining(names))
        expect(new Set(names).size).toBe(names.length)
      }),
      { numRuns: 150 },
    )
  })

  test('never makes the library read a file or ask an address', async () => {
    const server = await serverWith()
    const mail = { ...MAIL, text: { path: '/etc/hostname' } as unknown as string }
    expect((await transportTo(server.url).send(mail)).outcome).toBe('temporary')
    expect(server.mails).toEqual([])
  })
})

describe('a reply of the server', () => {
  test.each([
    ['RCPT TO', '550 5.1.1 ann@receiver.example is unknown', 'permanent', '550 5.1.1 to RCPT TO'],
    ['RCPT TO', '550 5.1.10 the domain takes no mail', 'permanent', '550 5.1.10 to RCPT TO'],
    ['RCPT TO', '552 5.2.2 mailbox full', 'permanent', '552 5.2.2 to RCPT TO'],
    ['DATA', '550 5.2.1 mailbox disabled', 'permanent', '550 5.2.1 to DATA'],
    ['RCPT TO', '550 no such user', 'permanent', '550 to RCPT TO'],
    ['RCPT TO', '551 not here', 'permanent', '551 to RCPT TO'],
    ['RCPT TO', '553 no', 'permanent', '553 to RCPT TO'],
    ['DATA', '550 no', 'temporary', '550 to DATA'],
    ['DATA', '554 5.7.1 Hello is spam', 'temporary', '554 5.7.1 to DATA'],
    ['DATA', '554 5.6.0 what is this', 'temporary', '554 5.6.0 to DATA'],
    ['DATA', '552 too large', 'temporary', '552 to DATA'],
    ['RCPT TO', '554 5.7.1 relay access denied', 'temporary', '554 5.7.1 to RCPT TO'],
    ['RCPT TO', '554 relay access denied', 'temporary', '554 to RCPT TO'],
    ['RCPT TO', '550 5.7.1 sign in first', 'temporary', '550 5.7.1 to RCPT TO'],
    ['RCPT TO', '550 5.7.23 SPF says no', 'temporary', '550 5.7.23 to RCPT TO'],
    ['RCPT TO', '550 5.3.0 not today', 'temporary', '550 5.3.0 to RCPT TO'],
    ['RCPT TO', '550 5.4.4 no route', 'temporary', '550 5.4.4 to RCPT TO'],
    ['RCPT TO', '553 5.5.4 no', 'temporary', '553 5.5.4 to RCPT TO'],
    ['RCPT TO', '553 5.1.7 the sender is no address', 'temporary', '553 5.1.7 to RCPT TO'],
    ['RCPT TO', '553 5.1.8 the sender has no domain', 'temporary', '553 5.1.8 to RCPT TO'],
    ['RCPT TO', '450 4.2.0 greylisted', 'temporary', '450 4.2.0 to RCPT TO'],
    ['RCPT TO', '450 5.1.1 in two minds', 'temporary', '450 5.1.1 to RCPT TO'],
    ['DATA', '452 4.3.1 full', 'temporary', '452 4.3.1 to DATA'],
    ['RCPT TO', '421 4.7.0 too many', 'temporary', '421 4.7.0'],
    ['RCPT TO', '530 5.7.0 sign in first', 'temporary', '530 5.7.0 to RCPT TO'],
    ['MAIL FROM', '550 5.7.1 not your sender', 'temporary', '550 5.7.1 to MAIL FROM'],
    ['MAIL FROM', '550 5.1.0 no', 'temporary', '550 5.1.0 to MAIL FROM'],
    ['connect', '554 5.7.1 go away', 'temporary', '554 5.7.1'],
  ] as const)(
    'to %s, %s, is %s: only what is about the address itself is final',
    async (step, reply, outcome, said) => {
      const server = await serverWith()
      server.refuses = { step, reply }
      const transport = transportTo(server.url)
      expect(await transport.send(MAIL)).toMatchObject({ outcome, reason: `the mail server answered ${said}` })
      server.refuses = null
      expect(await transport.send(MAIL)).toEqual({ outcome: 'sent' })
    },
  )

  test.each([
    ['RCPT TO', '550 5.1.1 ann@receiver.example is unknown', true],
    ['RCPT TO', '550 5.1.10 the domain takes no mail', true],
    ['DATA', '550 5.2.1 mailbox disabled', true],
    ['RCPT TO', '550 no such user', true],
    ['RCPT TO', '553 no', true],
    ['RCPT TO', '552 5.2.2 mailbox full', false],
    ['RCPT TO', '550 relay not permitted', false],
    ['RCPT TO', '550 Relaying denied', false],
    ['RCPT TO', '553 sorry, that domain is not in my list of allowed rcpthosts', false],
    ['RCPT TO', '551 blocked, see our list', false],
    ['RCPT TO', '550 rejected for POLICY reasons', false],
    ['RCPT TO', '550 authentication required', false],
    ['RCPT TO', '550 this looks like spam', false],
  ] as const)('to %s, %s, says of the mailbox that it is gone: %s', async (step, reply, isGone) => {
    const server = await serverWith()
    server.refuses = { step, reply }
    const outcome = await transportTo(server.url).send(MAIL)
    expect([outcome.outcome, 'isGone' in outcome]).toEqual(['permanent', isGone])
  })

  test('that refuses the password is temporary, because somebody may mend it', async () => {
    const server = await serverWith({ login: { user: 'earshot', password: 'right' } })
    const transport = transportTo(server.url.replace('right', 'wrong'))
    expect(await transport.send(MAIL)).toEqual({
      outcome: 'temporary',
      reason: 'the mail server answered 535 5.7.8 to AUTH PLAIN',
    })
    expect(await transport.check()).toBe('the mail server answered 535 5.7.8 to AUTH PLAIN')
  })
})

describe('a server that cannot be used', () => {
  const limits = { connectMs: 60, greetingMs: 60, handingOverMs: 200, answerMs: 200 }

  test('because nothing listens is a temporary trouble', async () => {
    const server = await serverWith()
    await server.close()
    const transport = transportTo(server.url)
    expect(await transport.send(MAIL)).toEqual({
      outcome: 'temporary',
      reason: 'the mail server refused the connection',
    })
    expect(await transport.check()).toBe('the mail server refused the connection')
  })

  test('because it closes without a greeting is a temporary trouble', async () => {
    const url = await rawServer((socket) => socket.end())
    expect(await transportTo(url).send(MAIL)).toEqual({
      outcome: 'temporary',
      reason: 'the mail server cut the connection',
    })
  })

  test('because it never greets is given up in time', async () => {
    const url = await rawServer(() => undefined)
    const transport = transportTo(url, { limits })
    expect(await transport.send(MAIL)).toEqual({
      outcome: 'temporary',
      reason: 'the mail server did not answer in time',
    })
    expect(await transport.check()).toBe('the mail server did not answer in time')
  })

  test('because it drips is given up in time, however much it says', async () => {
    const timers: NodeJS.Timeout[] = []
    const url = await rawServer((socket) => {
      socket.write('220 hello\r\n')
      timers.push(setInterval(() => socket.write('250-more\r\n'), 5))
    })
    const transport = transportTo(url, { limits: { ...limits, connectMs: 5000, greetingMs: 5000 }, clock: systemClock })
    expect(await transport.send(MAIL)).toEqual({
      outcome: 'temporary',
      reason: 'the mail server did not answer in time',
    })
    expect(await transport.check()).toBe('the mail server did not answer in time')
    for (const timer of timers) clearInterval(timer)
  })

  test('because all connections are taken by slow ones lets no mail wait longer than its limit', async () => {
    const url = await rawServer(() => undefined)
    const transport = transportTo(url, { limits: { ...limits, connectMs: 5000, greetingMs: 5000 }, clock: systemClock })
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, at) => transport.send({ ...MAIL, id: `mail-${at}` })),
    )
    expect(outcomes).toEqual(
      outcomes.map(() => ({ outcome: 'temporary', reason: 'the mail server did not answer in time' })),
    )
  })
})

describe('a server that has the whole message', () => {
  const handedOver = async (server: MailServer, count = 1) => await until(() => server.handedOver === count)

  test('may take minutes to say what becomes of it, ten at the most', async () => {
    const server = await serverWith()
    for (const [tookMs, outcome] of [
      [10 * MINUTE_MS - 1, { outcome: 'sent' }],
      [10 * MINUTE_MS, { outcome: 'unanswered', reason: 'the mail server did not answer in time' }],
    ] as const) {
      let answer: () => void = () => undefined
      server.waits = new Promise<void>((resolve) => {
        answer = resolve
      })
      const time = createTestClock()
      const sending = transportTo(server.url, { clock: time }).send(MAIL)
      await handedOver(server)
      await until(() => time.waits === 1)
      await time.advance(tookMs)
      answer()
      expect(await sending).toEqual(outcome)
      expect(time.waits).toBe(0)
      server.handedOver = 0
    }
  })

  test('and says no to it says so: that is an answer', async () => {
    const server = await serverWith()
    server.refuses = { step: 'DATA', reply: '421 4.3.2 going down' }
    expect(await transportTo(server.url).send(MAIL)).toMatchObject({ outcome: 'temporary' })
  })

  test('is not sent it again over another connection, whatever becomes of this one, and the outcome is not known', async () => {
    const server = await serverWith()
    const transport = transportTo(server.url)
    // Only a connection that was used before would be replaced.
    expect(await transport.send(MAIL)).toEqual({ outcome: 'sent' })
    server.cuts = true
    expect(await transport.send(MAIL)).toEqual({ outcome: 'unanswered', reason: 'the mail server cut the connection' })
    expect([server.connections, server.handedOver]).toEqual([1, 2])
  })

  test('keeps it when the process ends: the outcome is not known', async () => {
    const server = await serverWith()
    server.waits = new Promise(() => undefined)
    const transport = transportTo(server.url)
    const sending = transport.send(MAIL)
    await handedOver(server)
    await transport.close()
    expect(await sending).toMatchObject({ outcome: 'unanswered' })
    expect(server.connections).toBe(1)
  })

  test('has it only with the last line: what is cut off before has not arrived', async () => {
    const commands: string[] = []
    let connections = 0
    const url = await rawServer((socket) => {
      connections += 1
      socket.write('220 hello\r\n')
      socket.on('data', (chunk) => {
        const text = chunk.toString()
        commands.push(text)
        if (text.startsWith('DATA') || text.includes('\r\nDATA')) socket.write('354 go on\r\n', () => socket.destroy())
        else socket.write('250 yes\r\n')
      })
    })
    const large = { ...MAIL, text: 'A line of a mail that does not fit into one packet.\n'.repeat(200_000) }
    expect(await transportTo(url).send(large)).toMatchObject({ outcome: 'temporary' })
    expect(connections).toBe(1)
  })
})

test('closing ends what is on the way, and nothing is sent afterwards', async () => {
  let connected = 0
  const url = await rawServer(() => {
    connected += 1
  })
  const transport = transportTo(url)
  const sending = transport.send(MAIL)
  await until(() => connected === 1)
  await transport.close()
  expect(await sending).toMatchObject({ outcome: 'temporary' })
  expect(await transport.send(MAIL)).toMatchObject({ outcome: 'temporary' })
})

describe('a password', () => {
  const login = { user: 'ear@shot:x', password: 'p%/ä:@' }

  test('goes over TLS, to a server whose certificate is trusted', async () => {
    const server = await serverWith({ tls: 'tls', login })
    const transport = transportTo(server.url.replace('127.0.0.1', 'localhost'), { trusted: TEST_CERTIFICATE })
    expect(await transport.check()).toBeNull()
    expect(await transport.send(MAIL)).toEqual({ outcome: 'sent' })
    expect(server.mails[0]).toMatchObject({ user: login.user, secure: true })
  })

  test('goes over STARTTLS to another machine', async () => {
    const server = await serverWith({ login })
    const transport = transportTo(elsewhere(server.url), { trusted: TEST_CERTIFICATE })
    expect(await transport.send(MAIL)).toEqual({ outcome: 'sent' })
    expect(server.logins).toEqual([{ ...login, secure: true }])
  })

  test('never goes to another machine without TLS', async () => {
    const server = await serverWith({ tls: 'none', login })
    const transport = transportTo(elsewhere(server.url))
    expect(await transport.send(MAIL)).toMatchObject({ outcome: 'temporary' })
    expect(await transport.check()).not.toBeNull()
    expect([server.logins, server.mails]).toEqual([[], []])
  })

  test.each(['tls', 'starttls'] as const)(
    'never goes to a server with a certificate of its own making (%s)',
    async (tls) => {
      const server = await serverWith({ tls, login })
      const transport = transportTo(elsewhere(server.url))
      const reason = 'the mail server offers no TLS that can be trusted (DEPTH_ZERO_SELF_SIGNED_CERT)'
      expect(await transport.send(MAIL)).toEqual({ outcome: 'temporary', reason })
      expect([server.logins, server.mails]).toEqual([[], []])
    },
  )

  test('may go without TLS to this machine, where nobody is in between', async () => {
    const server = await serverWith({ tls: 'none', login })
    expect(await transportTo(server.url).send(MAIL)).toEqual({ outcome: 'sent' })
    expect(server.logins).toEqual([{ ...login, secure: false }])
  })

  test('is not left out where the server asks for none: somebody expects it to be used', async () => {
    const server = await serverWith()
    const transport = transportTo(server.url.replace('smtp://', 'smtp://earshot:right@'))
    expect(await transport.send(MAIL)).toMatchObject({ outcome: 'temporary' })
    expect(await transport.check()).toMatch(/^the mail server answered 5\d\d .*to AUTH PLAIN$/)
    expect(server.mails).toEqual([])
  })

  test('that cannot be read from SMTP_URL is told at the start', () => {
    expect(() => transportTo('smtp://user:100%@mail.example')).toThrow(/^SMTP_URL: .*%25/)
  })
})

test('mail without a password goes to another machine as it can, but not past a certificate that is not trusted', async () => {
  const [plain, untrusted] = await Promise.all([serverWith({ tls: 'none' }), serverWith()])
  expect(await transportTo(elsewhere(plain.url)).send(MAIL)).toEqual({ outcome: 'sent' })
  expect(await transportTo(elsewhere(untrusted.url)).send(MAIL)).toMatchObject({ outcome: 'temporary' })
  expect(untrusted.mails).toEqual([])
})

test('a sender may be an address alone', async () => {
  const server = await serverWith()
  await transportTo(server.url, { from: 'ears@earshot.example' }).send(MAIL)
  expect(server.mails[0]!.header('Message-ID')).toBe('<mail-1@earshot.example>')
  expect(server.mails[0]!.header('From')).toBe('ears@earshot.example')
})

/** The same server under a spelling of its address that does not count as this machine. */
function elsewhere(url: string): string {
  return url.replace('127.0.0.1', '[::ffff:127.0.0.1]')
}
