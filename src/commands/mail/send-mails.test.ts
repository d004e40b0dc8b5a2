import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { empty } from '../../../test/rows.ts'
import { createMailServer } from '../../../test/stand-ins/mail-server.ts'
import { until } from '../../../test/until.ts'
import { useFreshResource, useWorld } from '../../../test/use-world.ts'
import { HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { createLog } from '../../kernel/log.ts'
import { MAIL_LIMIT_MS, type Mail, type MailOutcome, type MailTransport } from '../../kernel/mail.ts'
import { createSealer } from '../../kernel/sealing.ts'
import { SmtpTransport } from '../../kernel/smtp.ts'
import { sql } from '../../store/database.ts'
import { queueMail } from './queue-mail.ts'
import { sendMails } from './send-all.suite.ts'
import {
  countWaitingMails,
  nextMailDue,
  releaseMails,
  retryAfterMs,
  type SendingMails,
  sendNextMail,
} from './send-mails.ts'

let mail: MailTransport
let lines: string[]
const world = useWorld()
const server = useFreshResource(createMailServer)
beforeEach(() => {
  mail = new SmtpTransport({ smtpUrl: server.url, from: 'no-reply@earshot.test', clock: world.clock })
  lines = []
})
afterEach(async () => {
  await mail.close()
  await empty(world, 'account_mail')
})

const sending = (transport: MailTransport | null = mail): SendingMails => ({
  ...world.services,
  mail: transport,
  log: createLog('debug', { write: (line: string) => void lines.push(line) }),
})

/** Leaves a mail with the secret of a link in it, to be sent within an hour or another time. */
async function leave(to = 'ann@receiver.example', lastsMs = 60 * MINUTE_MS): Promise<void> {
  const text = 'Open this:\n\nhttps://earshot.test/reset/lnk_secret\n'
  await world.db.transaction((tx) =>
    queueMail(tx, world.services, { to, subject: 'A link', text, expiresAt: plus(world.clock.now(), lastsMs) }),
  )
}

const waiting = () => countWaitingMails(world.db, world.clock.now())

/** A transport that does what a test says instead of sending. */
function scripted(send: (mail: Mail) => Promise<MailOutcome>): MailTransport {
  return { send, close: async () => undefined }
}

describe('a mail about an account', () => {
  test('is sent once, with its link, and is gone then', async () => {
    await leave()
    expect(await sendMails(sending())).toBe(1)
    expect(await sendMails(sending())).toBe(0)
    expect(server.mails.map(({ to, links }) => [to, links])).toEqual([
      [['ann@receiver.example'], ['https://earshot.test/reset/lnk_secret']],
    ])
    expect(await world.db.query(sql`select 1 from account_mail`)).toEqual([])
  })

  test('is nowhere when the transaction that left it is not committed', async () => {
    const failing = world.db.transaction(async (tx) => {
      await queueMail(tx, world.services, {
        to: 'a@b.example',
        subject: 's',
        text: 't',
        expiresAt: plus(world.clock.now(), MINUTE_MS),
      })
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await sendMails(sending())).toBe(0)
  })

  test('cannot be read in the database, nor in the log, whatever becomes of it', async () => {
    await leave()
    const [row] = await world.db.query<{ row: string }>(sql`select account_mail::text as row from account_mail`)
    expect(row!.row).not.toMatch(/ann|lnk_|link/i)
    server.refuses = { step: 'RCPT TO', reply: '450 ann@receiver.example is greylisted, lnk_secret' }
    await sendMails(sending())
    await world.clock.advance(30 * SECOND_MS)
    server.refuses = { step: 'RCPT TO', reply: '550 ann@receiver.example is unknown' }
    await sendMails(sending())
    expect(lines).toHaveLength(2)
    expect(lines.join('')).not.toMatch(/ann@|lnk_/)
  })

  test('does not open in the place of another', async () => {
    await leave('ann@receiver.example')
    await leave('eve@evil.example')
    await world.db.query(
      sql`update account_mail set sealed = (select sealed from account_mail order by created_at, id limit 1)
          where id = (select max(id::text)::uuid from account_mail)`,
    )
    await sendMails(sending())
    expect(server.mails.map(({ to }) => to)).toEqual([['ann@receiver.example']])
    expect(lines.some((line) => line.includes('sealed with another key'))).toBe(true)
  })

  test('that was sealed with another key is left until it expires, which is said once, and goes when the key comes back', async () => {
    await leave('ann@receiver.example', 3 * HOUR_MS)
    const otherKey = { ...sending(), sealer: createSealer('1'.repeat(64)) }
    const looks = []
    for (let at = 0; at < 60; at += 1) {
      looks.push(await sendMails(otherKey))
      await world.clock.advance(MINUTE_MS)
    }
    expect(looks.reduce((sum, count) => sum + count)).toBe(2)
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(['mail.unreadable'])
    expect([await waiting(), server.mails.length]).toEqual([1, 0])
    expect(await sendMails(sending())).toBe(1)
    expect([await waiting(), server.mails.length]).toEqual([0, 1])
  })

  test('that the server refuses for good is given up', async () => {
    await leave()
    server.refuses = { step: 'RCPT TO', reply: '550 5.1.1 unknown' }
    expect(await sendMails(sending())).toBe(1)
    expect(await waiting()).toBe(0)
  })

  test('that the server does not take now is tried again after 30 seconds, then after ever longer', async () => {
    await leave()
    server.refuses = { step: 'DATA', reply: '451 4.3.0 later' }
    const begin = world.clock.now().getTime()
    const tries: number[] = []
    for (let at = 0; at < 10 * MINUTE_MS; at += SECOND_MS) {
      if ((await sendMails(sending())) === 1) tries.push((world.clock.now().getTime() - begin) / SECOND_MS)
      await world.clock.advance(SECOND_MS)
    }
    expect(tries).toEqual([0, 30, 90, 210, 450])
    server.refuses = null
    await world.clock.advance(8 * MINUTE_MS)
    await sendMails(sending())
    expect(server.mails).toHaveLength(1)
  })

  test('that may have arrived is repeated twice at most, and then given up', async () => {
    await leave('ann@receiver.example', 10 * HOUR_MS)
    let sends = 0
    const transport = scripted(async () => {
      sends += 1
      return sends === 2 ? { outcome: 'temporary', reason: 'busy' } : { outcome: 'unanswered', reason: 'silence' }
    })
    const outcomes = []
    for (let at = 0; at < 60; at += 1) {
      outcomes.push(await sendNextMail(sending(transport)))
      await world.clock.advance(MINUTE_MS)
    }
    expect(outcomes.filter((outcome) => outcome !== null)).toEqual(['retry', 'retry', 'retry', 'given_up'])
    expect([sends, await waiting()]).toEqual([4, 0])
    expect(lines.at(-1)).toContain('"sequel":"given_up"')
  })

  test('that would be wanted by nobody at its next attempt is given up at once, and that is said', async () => {
    await leave('ann@receiver.example', 30 * SECOND_MS)
    server.refuses = { step: 'RCPT TO', reply: '450 later' }
    expect(await sendNextMail(sending())).toBe('given_up')
    expect([await waiting(), lines.length]).toEqual([0, 1])
    expect(lines[0]).toContain('"sequel":"given_up"')
  })

  test('that nobody wants any more is not sent', async () => {
    await leave('ann@receiver.example', MINUTE_MS)
    await world.clock.advance(MINUTE_MS)
    expect(await nextMailDue(world.db, world.clock.now())).toBeNull()
    expect(await sendMails(sending())).toBe(0)
  })

  test('stays where it is on an installation without a mail server', async () => {
    await leave()
    expect(await sendMails(sending(null))).toBe(0)
    expect(await waiting()).toBe(1)
  })
})

describe('of several processes', () => {
  test('each mail is sent by one', async () => {
    for (let at = 0; at < 20; at += 1) await leave(`p${at}@receiver.example`)
    const counts = await Promise.all([sendMails(sending()), sendMails(sending()), sendMails(sending())])
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20)
    expect(new Set(server.mails.map(({ to }) => to[0])).size).toBe(20)
    expect(server.mails).toHaveLength(20)
  })

  test('one that dies while it sends leaves the mail to another, under the same name', async () => {
    await leave()
    const dying = new Error('the process is gone')
    const ids: string[] = []
    const transport = scripted(async ({ id }) => {
      ids.push(id)
      throw dying
    })
    await expect(sendNextMail(sending(transport))).rejects.toBe(dying)
    await world.clock.advance(MAIL_LIMIT_MS)
    expect(await sendNextMail(sending())).toBeNull()
    await world.clock.advance(MINUTE_MS)
    expect(await sendNextMail(sending())).toBe('sent')
    expect(server.mails[0]!.header('Message-ID')).toBe(`<${ids[0]}@earshot.test>`)
  })

  test('none takes a mail that another is still sending', async () => {
    await leave()
    let takes = 0
    const transport = scripted(async () => {
      takes += 1
      await world.clock.wait(MAIL_LIMIT_MS)
      return { outcome: 'sent' }
    })
    const first = sendNextMail(sending(transport))
    await expect.poll(() => takes).toBe(1)
    await world.clock.advance(MAIL_LIMIT_MS - 1)
    expect(await sendNextMail(sending(transport))).toBeNull()
    await world.clock.advance(1)
    await first
    expect([takes, await waiting()]).toEqual([1, 0])
  })

  test('one that has the installation to itself takes up at once what its predecessor held when it died', async () => {
    await leave()
    await expect(
      sendNextMail(sending(scripted(() => Promise.reject(new Error('the process is gone'))))),
    ).rejects.toThrow('gone')
    expect(await sendNextMail(sending())).toBeNull()
    await releaseMails(world.db, world.clock.now())
    expect(await sendNextMail(sending())).toBe('sent')
  })
})

describe('a database that is away when a mail was sent', () => {
  /** A transport that sends and takes the table away with it. */
  const breaking = scripted(async () => {
    await world.db.query(sql`alter table account_mail rename to away`)
    return { outcome: 'sent' }
  })
  const mend = () => world.db.query(sql`alter table away rename to account_mail`)
  const messages = () => lines.map((line) => (JSON.parse(line) as { event: string }).event)

  test('does not make it be sent twice: what was not noted is noted as soon as that can be done', async () => {
    await leave()
    const first = sendNextMail(sending(breaking))
    for (let at = 0; at < 5; at += 1) {
      await until(() => world.clock.waits === 1)
      await world.clock.advance(SECOND_MS)
    }
    await until(() => world.clock.waits === 1)
    await mend()
    await world.clock.advance(SECOND_MS)
    expect(await first).toBe('sent')
    expect(await waiting()).toBe(0)
    expect(messages()).toEqual(['mail.attempted', 'mail.result_not_recorded'])
  })

  test('for too long is said, and so it is when the process ends meanwhile', async () => {
    await leave()
    const cut = new AbortController()
    const first = sendNextMail(sending(breaking), cut.signal)
    await until(() => world.clock.waits === 1)
    cut.abort()
    await first
    await mend()
    expect(messages().at(-1)).toBe('mail.result_lost')
    expect(world.clock.waits).toBe(0)
    await world.clock.advance(MAIL_LIMIT_MS + MINUTE_MS)
    const second = sendNextMail(sending(breaking))
    await until(() => world.clock.waits === 1)
    await world.clock.advance(MAIL_LIMIT_MS + MINUTE_MS)
    await second
    await mend()
    expect(messages().at(-1)).toBe('mail.result_lost')
  })
})

test('the wait between attempts doubles, and is never longer than half an hour', () => {
  expect([1, 2, 3, 7, 8, 1000].map((attempt) => retryAfterMs(attempt) / SECOND_MS)).toEqual([
    30, 60, 120, 1800, 1800, 1800,
  ])
})
