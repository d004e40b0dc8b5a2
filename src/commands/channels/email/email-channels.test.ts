import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword, mention, score } from '../../../../test/mentions.ts'
import { createMetrics } from '../../../../test/metrics.ts'
import { createPerson } from '../../../../test/people.ts'
import { changeChannel, empty } from '../../../../test/rows.ts'
import { NO_INSPECTIONS } from '../../../../test/stand-ins/inspections.ts'
import { createMailServer, type MailServer } from '../../../../test/stand-ins/mail-server.ts'
import { eventually, whileTimePasses } from '../../../../test/stand-ins/pipeline.ts'
import { useWorld } from '../../../../test/use-world.ts'
import { stored, type TestWorkspace } from '../../../../test/world.ts'
import { createChannels } from '../../../channels/registry.ts'
import { isRefusal } from '../../../domain/refusal/refusal.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS, systemClock } from '../../../kernel/clock.ts'
import { createEgress } from '../../../kernel/egress.ts'
import { newUuid, toId, type Uuid } from '../../../kernel/ids.ts'
import { silentLog } from '../../../kernel/log.ts'
import type { Mail, MailOutcome, MailTransport } from '../../../kernel/mail.ts'
import { SmtpTransport } from '../../../kernel/smtp.ts'
import { DeliverStage } from '../../../pipeline/deliver/deliver.ts'
import { releaseAllMails } from '../../../store/channel/email-channels.ts'
import { suppress } from '../../../store/channel/suppressions.ts'
import { sql } from '../../../store/database.ts'
import { sendDigests } from '../../alerts/send-digests.ts'
import { sendNextMail } from '../../mail/send-mails.ts'
import { addMember } from '../../members/join-workspace.ts'
import { removeMember } from '../../members/remove-member.ts'
import { testChannel } from '../test-channel.ts'
import { updateChannel } from '../update-channel.ts'
import { createAroundEmail } from './around-email.ts'
import { coverHeldMails } from './cover-held-mails.ts'
import { createConfirmation } from './create-confirmation.ts'
import { forgetMails } from './forget-mails.ts'
import { MAIL_LEASE_MS, MAILS_OF_ADDRESS_PER_HOUR } from './limits.ts'
import { releaseMails } from './release-mails.ts'
import { unsuppress } from './unsuppress.ts'

let server: MailServer
let smtp: MailTransport
let acme: TestWorkspace
/** What becomes of a mail; the mail server decides when this answers null. */
let script: (mail: Mail) => Promise<MailOutcome> | MailOutcome | null
/** What was handed to the mail server of a channel's mails, as address and id. */
let handed: Mail[]
const world = useWorld(async () => {
  server = await createMailServer()
  smtp = new SmtpTransport({ smtpUrl: server.url, from: 'Earshot <alerts@earshot.test>', clock: systemClock })
  const mail: MailTransport = {
    async send(item) {
      handed.push(item)
      return (await script(item)) ?? smtp.send(item)
    },
    close: async () => undefined,
  }
  handed = []
  return { mail }
})
afterAll(async () => {
  await smtp.close()
  await server.close()
})
/**
 * A daily rule of this hour has its run within a day from now, and by then not so long ago that it would be too late.
 */
const hourBefore = () => plus(world.clock.now(), -HOUR_MS).getUTCHours()
let names = 0
beforeEach(async () => {
  await world.clock.advance(2 * DAY_MS)
  names += 1
  acme = await world.workspace(`Acme ${names}`)
  script = () => null
  handed = []
  server.mails = []
  await empty(world, 'account_mail', 'delivery_queue')
})

/** Addresses of one test only. */
const address = (name: string) => `${name}-${names}@example.com`

async function member(): Promise<string> {
  return (await createPerson(acme, acme.workspaceId, 'member')).email
}

async function create(emails: readonly string[], more: object = {}, workspace = acme) {
  return workspace.api('POST', '/v1/channels', { kind: 'email', emails, ...more })
}

/** A channel whose recipients have confirmed, without asking them. */
async function confirmed(emails: readonly string[], more: object = {}): Promise<string> {
  const { body } = await create(emails, more)
  await world.db.query(sql`
    update channel set config = jsonb_set(config, '{recipients}',
      (select jsonb_agg(r || ${JSON.stringify({ confirmedAt: world.clock.now().toISOString() })}::jsonb)
      from jsonb_array_elements(config -> 'recipients') r)) where workspace_id = ${acme.workspaceId}
        and id = ${stored('dest', body.id)}`)
  return body.id
}

/** The links that were mailed to ask for a confirmation, in order, without sending them. */
async function asked(): Promise<{ to: string; link: string }[]> {
  const rows = await world.db.query<{ id: Uuid; sealed: string }>(sql`select id, sealed from account_mail order by id`)
  return rows.map(({ id, sealed }) => {
    const { to, text } = JSON.parse(world.services.sealer.open(sealed, `account mail ${id}`)!) as {
      to: string
      text: string
    }
    return { to, link: /https:\S+/.exec(text)![0].replace('https://earshot.test', world.origin) }
  })
}

const visit = (link: string, method: 'GET' | 'POST' = 'GET') => fetch(link, { method })
const recipientsOf = async (id: string) =>
  (await acme.api('GET', `/v1/channels/${id}`)).body.config.recipients as {
    email: string
    confirmedAt: string | null
  }[]
const log = async (id: string) =>
  (await acme.api('GET', `/v1/channels/${id}/deliveries`)).body.data as {
    id: string
    status: string
    error: string | null
    attempts: number
  }[]
const mailed = () => handed.map(({ to }) => to).sort()

/** A rule that sends everything through a channel, and a keyword that it is about. */
async function ruled(channelId: string) {
  await acme.api('POST', '/v1/alerts', { name: 'Everything', channelIds: [channelId] })
  return makeKeyword(acme)
}

/** Sends what is due, by a process of its own, while time passes, until a check passes. */
async function sendUntil(check: () => unknown | Promise<unknown>): Promise<void> {
  const stop = new AbortController()
  const stage = new DeliverStage({ ...world.services, log: silentLog, metrics: createMetrics() })
  const running = stage.run(stop.signal)
  try {
    await eventually(check, { clock: world.clock, stepMs: 500, withinMs: 20_000 })
  } finally {
    stop.abort()
    await whileTimePasses(world.clock, running)
  }
}

const until = (id: string, status: string) =>
  sendUntil(async () => expect((await log(id)).map((item) => item.status)).toEqual([status]))

describe('who gets mail', () => {
  test('members are confirmed at once, others when they press the button behind the link, and opening the link changes nothing', async () => {
    const [colleague, stranger] = [await member(), address('stranger')]
    const { status, body } = await create([colleague.toUpperCase(), stranger, stranger.toUpperCase()], {
      events: ['mention.spike'],
    })
    expect([status, body.label]).toEqual([201, `${colleague.toUpperCase()} and 1 more`])
    expect(body.config).toEqual({
      recipients: [
        { email: colleague.toUpperCase(), confirmedAt: world.clock.now().toISOString() },
        { email: stranger, confirmedAt: null },
      ],
      events: ['mention.spike'],
    })
    const [mail, ...others] = await asked()
    expect([mail!.to, others]).toEqual([stranger, []])
    for (const _ of [1, 2]) expect((await visit(mail!.link)).status).toBe(200)
    expect((await recipientsOf(body.id))[1]!.confirmedAt).toBeNull()
    await world.clock.advance(HOUR_MS)
    for (const _ of [1, 2]) expect((await visit(mail!.link, 'POST')).status).toBe(200)
    expect((await recipientsOf(body.id))[1]!.confirmedAt).toBe(world.clock.now().toISOString())
  })

  test('who leaves the team has to confirm like anybody from outside before mail comes again, in this workspace alone', async () => {
    const [owner, leaving, staying] = [
      await createPerson(acme, acme.workspaceId, 'owner'),
      await createPerson(acme, acme.workspaceId, 'member'),
      await member(),
    ]
    const elsewhere = await world.workspace('Elsewhere')
    const db = world.services.db
    await db.transaction((tx) =>
      addMember(
        tx,
        world.services,
        { workspaceId: elsewhere.workspaceId, role: 'member' },
        leaving.userId,
        world.clock.now(),
      ),
    )
    const ids = [
      (await create([leaving.email, staying])).body.id,
      (await create([staying])).body.id,
      (await create([leaving.email.toUpperCase()])).body.id,
    ]
    const other = (await create([leaving.email], {}, elsewhere)).body
    const [{ id }] = (await db.query<{ id: Uuid }>(
      sql`select id from membership where workspace_id = ${acme.workspaceId} and user_id = ${leaving.userId}`,
    )) as [{ id: Uuid }]
    expect(await removeMember(acme, owner.userId, id)).toBeUndefined()
    const at = world.clock.now().toISOString()
    const known = (await Promise.all(ids.map(recipientsOf))).map((recipients) =>
      recipients.map(({ confirmedAt }) => confirmedAt),
    )
    expect(known).toEqual([[null, at], [at], [null]])
    expect((await elsewhere.api('GET', `/v1/channels/${other.id}`)).body.config.recipients).toEqual([
      { email: leaving.email, confirmedAt: at },
    ])
    await createConfirmation(acme, stored('dest', ids[0]), leaving.email)
    await visit((await asked()).at(-1)!.link, 'POST')
    expect((await recipientsOf(ids[0]))[0]).toEqual({ email: leaving.email, confirmedAt: at })
  })

  test('a link to confirm is worth nothing when it is altered, older than a week, or meant for something else', async () => {
    const { body } = await create([address('a')])
    const { link } = (await asked())[0]!
    const token = new URL(link).searchParams.get('token')!
    const altered = [
      `${link}x`,
      link.replace(token, token.slice(0, -2)),
      link.replace(token, ''),
      link.split('?')[0]!,
      link.replace('confirm', 'unsubscribe'),
    ]
    for (const method of ['GET', 'POST'] as const)
      for (const text of altered) expect([(await visit(text, method)).status, text]).toEqual([400, text])
    await world.clock.advance(7 * DAY_MS)
    expect((await visit(link, 'POST')).status).toBe(400)
    expect((await recipientsOf(body.id))[0]!.confirmedAt).toBeNull()
  })

  test('a link to confirm is worth nothing when the channel, or its recipient, is gone', async () => {
    const { body } = await create([address('a'), address('b')])
    const [a, b] = await asked()
    await acme.api('PATCH', `/v1/channels/${body.id}`, { emails: [address('b')] })
    expect((await visit(a!.link, 'POST')).status).toBe(400)
    await acme.api('DELETE', `/v1/channels/${body.id}`)
    expect((await visit(b!.link, 'POST')).status).toBe(400)
  })

  test('recipients who come later are asked, those who stay are not asked again, and who goes gets nothing any more', async () => {
    const id = await confirmed([address('a'), address('b')])
    await empty(world, 'account_mail')
    const { status, body } = await acme.api('PATCH', `/v1/channels/${id}`, {
      emails: [address('b'), address('c')],
      label: null,
    })
    expect([status, body.label]).toEqual([200, `${address('b')} and 1 more`])
    expect(body.config.recipients).toEqual([
      { email: address('b'), confirmedAt: expect.any(String) },
      { email: address('c'), confirmedAt: null },
    ])
    expect((await asked()).map(({ to }) => to)).toEqual([address('c')])
    const keyword = await ruled(id)
    await score(world, [await mention(world, keyword)])
    await until(id, 'delivered')
    expect(mailed()).toEqual([address('b')])
  })

  test.each([
    [{ url: 'https://a.example' }, /^url: /],
    [{ headers: {} }, /^headers: /],
    [{ emails: [] }, /^emails: /],
    [{ emails: ['nonsense'] }, /^emails\.0: /],
    [{ events: ['wallet.low'] }, /^events: /],
  ])('an e-mail channel is not changed by %j', async (change, message) => {
    const id = await confirmed([address('a')])
    const { status, body } = await acme.api('PATCH', `/v1/channels/${id}`, change)
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
    expect(body.error.message).toMatch(message)
  })

  test('other channels have no addresses', async () => {
    const { body } = await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' })
    const refused = await acme.api('PATCH', `/v1/channels/${body.id}`, { emails: [address('a')] })
    expect(refused.body.error.message).toBe('emails: is a field of e-mail channels only')
  })

  test('a mailbox is asked three times a day, whatever workspace asks and however the address is written', async () => {
    const other = await world.workspace('Other')
    const mailbox = `box-${names}`
    const asks = [
      await create([`${mailbox}@example.com`]),
      await create([`${mailbox}+a@example.com`], {}, other),
      await create([`${mailbox}+b@EXAMPLE.com`]),
    ]
    expect(asks.map(({ status }) => status)).toEqual([201, 201, 201])
    const { status, body, headers } = await create([`${mailbox}+c@example.com`, address('innocent')], {}, other)
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([
      429,
      'confirmation_rate_limited',
      String(DAY_MS / SECOND_MS),
    ])
    expect((await asked()).length).toBe(3)
    expect((await other.api('GET', '/v1/channels')).body.data).toHaveLength(1)
    await world.clock.advance(DAY_MS)
    expect((await create([`${mailbox}@example.com`])).status).toBe(201)
  })

  test('a mailbox at Gmail is one however its address is dotted', async () => {
    const dotted = [
      `v.ictim${names}@gmail.com`,
      `vi.ctim${names}@gmail.com`,
      `vic.tim+x.y${names}@googlemail.com`,
      `victim${names}@gmail.com`,
    ]
    const statuses: number[] = []
    for (const email of dotted) statuses.push((await create([email.replace(`+x.y${names}`, `${names}+x.y`)])).status)
    expect(statuses).toEqual([201, 201, 201, 429])
  })

  test('many at once cannot ask a mailbox more often', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await create([address('flooded')])).status),
    )
    expect(statuses.filter((status) => status === 201)).toHaveLength(3)
    expect(await asked()).toHaveLength(3)
  })

  test('a workspace asks a hundred addresses a day', async () => {
    for (let round = 0; round < 5; round += 1)
      expect((await create(Array.from({ length: 20 }, (_, at) => address(`many-${round}-${at}`)))).status).toBe(201)
    expect((await create([address('one-more')])).body.error.code).toBe('confirmation_rate_limited')
    expect((await create([await member()])).status).toBe(201)
  })
})

describe('unsubscribing', () => {
  async function subscribed(emails: readonly string[]): Promise<{ id: string; linkOf(email: string): string }> {
    const id = await confirmed(emails)
    const keyword = await ruled(id)
    await score(world, [await mention(world, keyword)])
    await until(id, 'delivered')
    const linkOf = (email: string) =>
      handed
        .find(({ to }) => to === email)!
        .headers!['List-Unsubscribe']!.slice(1, -1)
        .replace('https://earshot.test', world.origin)
    return { id, linkOf }
  }

  test('takes one click of a mail program, without cookies, for this reader alone', async () => {
    const { id, linkOf } = await subscribed([address('a'), address('b')])
    for (const _ of [1, 2]) expect((await visit(linkOf(address('a')))).status).toBe(200)
    expect((await recipientsOf(id)).every(({ confirmedAt }) => confirmedAt !== null)).toBe(true)
    for (const _ of [1, 2]) {
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
      const answer = await fetch(linkOf(address('a')), {
        method: 'POST',
        body,
        headers: { origin: 'https://mail.example' },
      })
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
    }
    expect(await recipientsOf(id)).toEqual([
      { email: address('a'), confirmedAt: null },
      { email: address('b'), confirmedAt: expect.any(String) },
    ])
  })

  test('may come as the parts of a form, too', async () => {
    const { id, linkOf } = await subscribed([address('a')])
    const body = new FormData()
    body.set('List-Unsubscribe', 'One-Click')
    expect((await fetch(linkOf(address('a')), { method: 'POST', body })).status).toBe(200)
    expect((await recipientsOf(id))[0]!.confirmedAt).toBeNull()
  })

  test('binds the workspace: also a member has to confirm before mail comes again, in whichever channel, and by a new link', async () => {
    const colleague = await member()
    await create([address('other')])
    const { body: channel } = await create([colleague])
    const before = await asked()
    expect(before.map(({ to }) => to)).toEqual([address('other')])
    const { linkOf } = await subscribed([colleague])
    expect((await visit(linkOf(colleague), 'POST')).status).toBe(200)
    // What the member had joined besides goes on.
    expect((await recipientsOf(channel.id))[0]!.confirmedAt).not.toBeNull()
    await world.clock.advance(MINUTE_MS)
    const again = (await create([colleague])).body
    expect(again.config.recipients).toEqual([{ email: colleague, confirmedAt: null }])
    const link = (await asked()).at(-1)!.link
    expect((await visit(link, 'POST')).status).toBe(200)
    expect((await create([colleague])).body.config.recipients[0].confirmedAt).not.toBeNull()
  })

  test('makes links to confirm from before worthless', async () => {
    const { body } = await create([address('a')])
    const { link } = (await asked())[0]!
    await visit(link, 'POST')
    const keyword = await ruled(body.id)
    await score(world, [await mention(world, keyword)])
    await until(body.id, 'delivered')
    const end = handed[0]!.headers!['List-Unsubscribe']!.slice(1, -1).replace('https://earshot.test', world.origin)
    expect((await visit(end, 'POST')).status).toBe(200)
    expect((await visit(link, 'POST')).status).toBe(400)
    expect((await recipientsOf(body.id))[0]!.confirmedAt).toBeNull()
  })

  test('leaves links from before worthless also when the address confirms anew', async () => {
    const { body } = await create([address('a')])
    const old = (await asked())[0]!.link
    await visit(old, 'POST')
    const keyword = await ruled(body.id)
    await score(world, [await mention(world, keyword)])
    await until(body.id, 'delivered')
    const end = handed[0]!.headers!['List-Unsubscribe']!.slice(1, -1).replace('https://earshot.test', world.origin)
    await visit(end, 'POST')
    await world.clock.advance(HOUR_MS)
    await create([address('a')])
    expect((await visit((await asked()).at(-1)!.link, 'POST')).status).toBe(200)
    expect((await visit(old, 'POST')).status).toBe(400)
    expect((await recipientsOf(body.id))[0]!.confirmedAt).toBeNull()
  })

  test('takes whatever a mail program posts, in any charset and length', async () => {
    const { id, linkOf } = await subscribed([address('a')])
    for (const type of [
      'application/x-www-form-urlencoded; charset=ISO-8859-1',
      'application/x-www-form-urlencoded; charset=us-ascii',
      'text/x-nonsense',
    ])
      expect([
        (
          await fetch(linkOf(address('a')), {
            method: 'POST',
            body: 'List-Unsubscribe=One-Click',
            headers: { 'content-type': type },
          })
        ).status,
        type,
      ]).toEqual([200, type])
    expect((await fetch(linkOf(address('a')), { method: 'POST', body: 'x'.repeat(2 << 20) })).status).toBe(200)
    expect((await recipientsOf(id))[0]!.confirmedAt).toBeNull()
  })

  test('works years later, and when the channel is gone', async () => {
    const { id, linkOf } = await subscribed([address('a')])
    await acme.api('DELETE', `/v1/channels/${id}`)
    await world.clock.advance(1000 * DAY_MS)
    expect((await visit(linkOf(address('a')), 'POST')).status).toBe(200)
  })

  test('takes no token but its own', async () => {
    const { id, linkOf } = await subscribed([address('a')])
    const link = linkOf(address('a'))
    for (const bad of [
      `${link}A`,
      link.replace('unsubscribe', 'confirm'),
      `${link.split('?')[0]}?token=v1.${'A'.repeat(80)}`,
      `${link}&token=x`,
    ])
      expect([(await visit(bad, 'POST')).status, bad]).toEqual([400, bad])
    expect((await recipientsOf(id))[0]!.confirmedAt).not.toBeNull()
  })
})

describe('a delivery by mail', () => {
  test('reaches everybody who has confirmed, each in a mail of their own, through a real mail server', async () => {
    const id = await confirmed([address('a'), address('b')])
    await acme.api('PATCH', `/v1/channels/${id}`, { emails: [address('a'), address('b'), address('c')] })
    const keyword = await ruled(id)
    await score(world, [await mention(world, keyword, { text: 'Hello <b>there</b>' })])
    await until(id, 'delivered')
    expect(server.mails.map(({ to }) => to[0]).sort()).toEqual([address('a'), address('b')])
    for (const mail of server.mails) {
      expect(mail.header('subject')).toBe(`${keyword.shown.term} on Bluesky: Hello <b>there</b>`)
      expect(mail.text).toContain('> Hello <b>there</b>')
      expect(mail.html).toContain('Hello &lt;b&gt;there&lt;/b&gt;')
      expect(mail.text).toContain(`recipient of alerts from “Acme ${names}”`)
    }
  })

  test('is tried again only for whom the mail server did not take it, and is delivered when nobody is left', async () => {
    const id = await confirmed([address('a'), address('b')])
    const keyword = await ruled(id)
    let tries = 0
    script = ({ to }) => {
      if (to !== address('b')) return null
      tries += 1
      return tries < 3 ? { outcome: 'temporary', reason: 'the mail server answered 451' } : null
    }
    await score(world, [await mention(world, keyword)])
    await sendUntil(async () =>
      expect((await log(id))[0]).toMatchObject({
        status: 'pending',
        error: '1 of 2 recipients: the mail server answered 451',
      }),
    )
    await until(id, 'delivered')
    expect(server.mails.map(({ to }) => to[0])).toEqual([address('a'), address('b')])
    expect(new Set(handed.filter(({ to }) => to === address('b')).map((mail) => mail.id)).size).toBe(1)
  })

  test('ends at an address that bounces, which no channel writes to any more', async () => {
    const id = await confirmed([address('a'), address('gone')])
    const keyword = await ruled(id)
    script = ({ to }) =>
      to === address('gone')
        ? { outcome: 'permanent', reason: 'the mail server answered 550 5.1.1 to RCPT TO', isGone: true }
        : null
    await score(world, [await mention(world, keyword)])
    await until(id, 'delivered')
    expect((await recipientsOf(id)).map(({ confirmedAt }) => confirmedAt === null)).toEqual([false, true])
    handed = []
    await score(world, [await mention(world, keyword)])
    await sendUntil(async () => expect((await log(id)).map(({ status }) => status)).toEqual(['delivered', 'delivered']))
    expect(mailed()).toEqual([address('a')])
    const refused = await create([address('new'), address('GONE')])
    expect([refused.status, refused.body.error.code]).toEqual([409, 'recipient_suppressed'])
    expect(
      (await acme.api('POST', `/v1/channels/${id}/confirmations`, { email: address('gone') })).body.error.code,
    ).toBe('recipient_suppressed')
  })

  test.each(['550 relay not permitted', '552 5.2.2 mailbox full'])(
    'that the mail server refuses with %s fails, and the address is written to again',
    async (reply) => {
      const id = await confirmed([address('a')])
      const keyword = await ruled(id)
      server.refuses = { step: 'RCPT TO', reply }
      await score(world, [await mention(world, keyword)])
      await until(id, 'failed')
      server.refuses = null
      await score(world, [await mention(world, keyword)])
      await sendUntil(async () => expect((await log(id)).map(({ status }) => status)).toEqual(['delivered', 'failed']))
      expect((await create([address('a')])).status).toBe(201)
    },
  )

  test('goes again to an address that the operator lets be written to', async () => {
    const id = await confirmed([address('a')])
    await world.db.transaction((tx) => suppress(tx, [address('a')], 'bounce', world.clock.now()))
    expect((await create([address('a')])).body.error.code).toBe('recipient_suppressed')
    expect(await unsuppress(world.services, address('A'))).toBeUndefined()
    expect(await unsuppress(world.services, address('a'))).toMatchObject({ code: 'not_found' })
    expect(await unsuppress(world.services, 'nonsense')).toMatchObject({ code: 'validation_error' })
    const keyword = await ruled(id)
    await score(world, [await mention(world, keyword)])
    await until(id, 'delivered')
  })

  test('to whom the mail server has no mailbox when they are asked to confirm never comes: the address is suppressed', async () => {
    const { body } = await create([address('nobody'), address('full')])
    const sending = { ...world.services, mail: smtp, log: silentLog }
    server.refuses = { step: 'RCPT TO', reply: '550 5.1.1 no such user' }
    expect(await sendNextMail(sending)).toBe('given_up')
    server.refuses = { step: 'RCPT TO', reply: '550 relaying denied' }
    expect(await sendNextMail(sending)).toBe('given_up')
    server.refuses = null
    const ask = async (email: string) =>
      (await acme.api('POST', `/v1/channels/${body.id}/confirmations`, { email })).status
    const statuses = [await ask(address('nobody')), await ask(address('full'))]
    expect(statuses.sort()).toEqual([202, 409])
  })

  test('is cancelled when its channel is switched off while it is about to go', async () => {
    const id = await confirmed([address('a')])
    const sending = {
      workspaceId: acme.workspaceId,
      channelId: stored('dest', id),
      kind: 'mention',
      deliveryId: newUuid(world.clock.now()),
      mentionId: null,
    } as const
    await changeChannel(world, stored('dest', id), { enabled: false })
    expect(await world.services.around.email!.before!(sending)).toEqual({
      kind: 'cancel',
      reason: 'the channel is disabled',
    })
  })

  test('that waits for other mails of this process is put off, and counts no attempt', async () => {
    const id = stored('dest', await confirmed(Array.from({ length: 20 }, (_, at) => address(`r${at}`))))
    const around = createAroundEmail(world.services)
    const sending = () =>
      ({
        workspaceId: acme.workspaceId,
        channelId: id,
        kind: 'event',
        deliveryId: newUuid(world.clock.now()),
        mentionId: null,
      }) as const
    const granted = [await around.before!(sending()), await around.before!(sending()), await around.before!(sending())]
    expect(granted.map(({ kind }) => kind)).toEqual(['go', 'go', 'go'])
    const fourth = around.before!(sending())
    await world.clock.advance(4 * SECOND_MS)
    expect(await fourth).toEqual({ kind: 'defer', until: expect.any(Date), reason: 'other mails go first' })
    const fifth = around.before!(sending())
    const [first] = granted
    if (first?.kind !== 'go') throw new Error('it did not go')
    const { addressees, note } = first.settings as {
      addressees: { email: string }[]
      note(email: string, outcome: MailOutcome): Promise<void>
    }
    for (const { email } of addressees) await note(email, { outcome: 'sent' })
    expect((await fifth).kind).toBe('go')
  })

  test('whose end cannot be written down holds up the end of its process for no more than a moment', async () => {
    const id = stored('dest', await confirmed([address('a'), address('b')]))
    let isAway = false
    const transaction: typeof world.db.transaction = (work) =>
      isAway ? Promise.reject(new Error('the database is away')) : world.db.transaction(work)
    const lines: string[] = []
    const log = { ...silentLog, error: (_fields: unknown, line: string) => void lines.push(line) } as typeof silentLog
    const around = createAroundEmail({ ...world.services, db: { ...world.db, transaction }, clock: systemClock, log })
    const before = await around.before!({
      workspaceId: acme.workspaceId,
      channelId: id,
      kind: 'event',
      deliveryId: newUuid(systemClock.now()),
      mentionId: null,
    })
    if (before.kind !== 'go') throw new Error(before.reason)
    const note = before.settings.note as (email: string, outcome: MailOutcome) => Promise<void>
    isAway = true
    const early = note(address('a'), { outcome: 'sent' })
    await around.close!()
    await Promise.all([early, note(address('b'), { outcome: 'sent' })])
    await around.close!()
    expect(lines).toEqual(
      Array.from({ length: 2 }, () => 'The result of a mail could not be recorded; it may be sent again'),
    )
  })

  test('that was in hand of a process that died is free when the only process starts', async () => {
    const id = stored('dest', await confirmed([address('a')]))
    const sending = {
      workspaceId: acme.workspaceId,
      channelId: id,
      kind: 'event',
      deliveryId: newUuid(world.clock.now()),
      mentionId: null,
    } as const
    const around = world.services.around.email!
    expect([(await around.before!(sending)).kind, (await around.before!(sending)).kind]).toEqual(['go', 'defer'])
    await world.db.transaction(releaseAllMails)
    expect((await around.before!(sending)).kind).toBe('go')
  })

  test('goes after a long absence to nobody who has it already', async () => {
    const id = await confirmed([address('a'), address('b')])
    const keyword = await ruled(id)
    script = ({ to }) => (to === address('b') ? { outcome: 'temporary', reason: 'the mail server answered 451' } : null)
    await score(world, [await mention(world, keyword)])
    await sendUntil(async () => expect((await log(id))[0]).toMatchObject({ status: 'pending', attempts: 1 }))
    await world.clock.advance(37 * HOUR_MS)
    await forgetMails(world.services)
    script = () => null
    await until(id, 'delivered')
    expect(server.mails.map(({ to }) => to[0])).toEqual([address('a'), address('b')])
  })

  test('fails when nobody has confirmed, or everybody bounces, and can be retried then', async () => {
    const { body } = await create([address('a')])
    const keyword = await ruled(body.id)
    await score(world, [await mention(world, keyword)])
    await until(body.id, 'failed')
    const [failed] = await log(body.id)
    expect(failed).toMatchObject({ error: 'no recipient of the channel has confirmed' })
    expect(handed).toEqual([])
    await visit((await asked())[0]!.link, 'POST')
    const retried = await acme.api('POST', `/v1/deliveries/${failed!.id}/retry`, {
      requestId: '0f0a2b1c-1111-4222-8333-444455556666',
    })
    expect(retried.status).toBe(202)
    await until(body.id, 'delivered')
    expect(mailed()).toEqual([address('a')])
  })

  test('is not sent twice to anybody when its process dies between two recipients, and the rest follows', async () => {
    const id = await confirmed([address('a'), address('b')])
    const keyword = await ruled(id)
    script = ({ to }) => (to === address('b') ? new Promise(() => undefined) : null)
    const [made] = await score(world, [await mention(world, keyword)])
    const sending = { ...made!, kind: 'mention' as const }
    const channel = world.services.channels.get('email')!
    // The dying process: it has claimed both, one is taken, of the other nothing is heard ever again.
    const before = await world.services.around.email!.before!(sending)
    if (before.kind !== 'go') throw new Error(before.reason)
    const request = channel.sender.render(
      { kind: 'test', id: 'dlv_1', event: 'test', alerts: [], data: { message: 'x' } },
      { ...(channel.sender.readConfig({ recipients: [{ email: 'x' }] }) as object), ...before.settings },
      world.clock.now(),
    )
    void channel.sender.send(request, new AbortController().signal)
    await expect
      .poll(
        async () =>
          (
            await world.db.query(
              sql`select 1 from email_receipt where delivery_id = ${made!.deliveryId} and state = 'accepted'`,
            )
          ).length,
      )
      .toBe(1)
    script = () => null
    const diedAt = world.clock.now()
    await sendUntil(async () =>
      expect((await log(id))[0]).toMatchObject({
        status: 'pending',
        attempts: 0,
        error: 'the mail server has not answered yet',
      }),
    )
    expect(mailed()).toEqual([address('a'), address('b')])
    world.clock.set(plus(diedAt, MAIL_LEASE_MS))
    await until(id, 'delivered')
    expect(mailed()).toEqual([address('a'), address('b'), address('b')])
    expect(server.mails.map(({ to }) => to[0])).toEqual([address('a'), address('b')])
  })

  test('that two processes hold at once is sent by one of them', async () => {
    const id = await confirmed(Array.from({ length: 10 }, (_, at) => address(`r${at}`)))
    const keyword = await ruled(id)
    const [made] = await score(world, [await mention(world, keyword)])
    const arounds = [1, 2].map(() => createAroundEmail(world.services))
    const befores = await Promise.all(
      arounds.flatMap((around) => [
        around.before!({ ...made!, kind: 'mention' }),
        around.before!({ ...made!, kind: 'mention' }),
      ]),
    )
    const claimed = befores.flatMap((before) =>
      before.kind === 'go' ? (before.settings.addressees as { email: string }[]).map(({ email }) => email) : [],
    )
    expect(claimed.sort()).toEqual(Array.from({ length: 10 }, (_, at) => address(`r${at}`)).sort())
    expect(befores.map(({ kind }) => kind).sort()).toEqual(['defer', 'defer', 'defer', 'go'])
  })
})

describe('the limits of an hour', () => {
  const mentionOf = (channelId: Uuid, kind: 'mention' | 'digest' | 'event' | 'test' = 'mention') => ({
    workspaceId: acme.workspaceId,
    channelId,
    kind,
    deliveryId: newUuid(world.clock.now()),
    mentionId: null,
  })
  const kindsOf = (befores: readonly { kind: string }[]) => befores.map(({ kind }) => kind)

  test('twenty mentions go, the others are held, however many processes send at once; digests and events are not counted', async () => {
    const id = stored('dest', await confirmed([address('a'), address('b')]))
    const arounds = [1, 2, 3].map(() => createAroundEmail(world.services))
    const sendings = Array.from({ length: 30 }, () => mentionOf(id))
    const befores = await Promise.all(sendings.map((sending, at) => arounds[at % 3]!.before!(sending)))
    expect(kindsOf(befores).filter((kind) => kind === 'go')).toHaveLength(20)
    expect(befores.filter(({ kind }) => kind === 'hold')).toEqual(
      Array.from({ length: 10 }, () => ({ kind: 'hold', reason: 'email_hourly_limit' })),
    )
    expect(
      kindsOf([await arounds[0]!.before!(mentionOf(id, 'digest')), await arounds[0]!.before!(mentionOf(id, 'event'))]),
    ).toEqual(['go', 'go'])
    await world.clock.advance(HOUR_MS - 1)
    expect((await arounds[0]!.before!(mentionOf(id))).kind).toBe('hold')
    await world.clock.advance(1)
    expect((await arounds[0]!.before!(mentionOf(id))).kind).toBe('go')
  })

  test('another attempt at the same mention does not count again', async () => {
    const id = stored('dest', await confirmed([address('a')]))
    const around = world.services.around.email!
    const first = mentionOf(id)
    for (let tries = 0; tries < 25; tries += 1) {
      const before = await around.before!(first)
      if (before.kind !== 'go') throw new Error(before.reason)
      await (before.settings.note as (email: string, outcome: MailOutcome) => Promise<void>)(address('a'), {
        outcome: 'temporary',
        reason: 'later',
      })
    }
    for (let more = 0; more < 19; more += 1) expect((await around.before!(mentionOf(id))).kind).toBe('go')
    expect((await around.before!(mentionOf(id))).kind).toBe('hold')
  })

  test('what is held goes by itself as the hour gives room, the oldest first, and before whatever comes meanwhile', async () => {
    const channelId = await confirmed([address('a')])
    const id = stored('dest', channelId)
    for (let sent = 0; sent < 19; sent += 1) await world.services.around.email!.before!(mentionOf(id))
    await world.clock.advance(HOUR_MS / 2)
    await world.services.around.email!.before!(mentionOf(id))
    const keyword = await ruled(channelId)
    for (const text of ['The oldest', 'The next', 'The last']) {
      await score(world, [await mention(world, keyword, { text })])
      await world.clock.advance(SECOND_MS)
    }
    await sendUntil(async () =>
      expect((await log(channelId)).map(({ status }) => status)).toEqual(['held', 'held', 'held']),
    )
    expect(await releaseMails(world.services)).toBe(0)
    await world.clock.advance(HOUR_MS / 2)
    await world.db.query(sql`update email_sent set sent_at = ${world.clock.now()}
        where channel_id = ${id} and delivery_id in (
      select delivery_id from email_sent where channel_id = ${id} order by delivery_id desc limit 18)`)
    await score(world, [await mention(world, keyword, { text: 'Comes meanwhile' })])
    await sendUntil(async () => expect((await log(channelId))[0]!.status).toBe('held'))
    expect(await releaseMails(world.services)).toBe(2)
    await sendUntil(async () =>
      expect((await log(channelId)).map(({ status }) => status)).toEqual(['held', 'held', 'delivered', 'delivered']),
    )
    expect(
      server.mails.map(({ text }) => /The oldest|The next|The last|Comes meanwhile/.exec(text)![0]).sort(),
    ).toEqual(['The next', 'The oldest'])
    await world.clock.advance(HOUR_MS)
    expect(await releaseMails(world.services)).toBe(2)
    await sendUntil(async () =>
      expect((await log(channelId)).map(({ status }) => status)).toEqual(Array(4).fill('delivered')),
    )
    expect(await world.db.query(sql`select 1 from delivery_held where workspace_id = ${acme.workspaceId}`)).toEqual([])
  })

  test('an address gets so many mails of a workspace an hour, through whichever channels', async () => {
    const [flooded, other] = [await member(), await member()]
    const [item, both, elsewhere] = [
      await create([flooded]),
      await create([flooded, other]),
      await create([other]),
    ].map(({ body }) => stored('dest', body.id))
    const goes = async (id: Uuid, kind?: 'event') =>
      (await world.services.around.email!.before!(mentionOf(id, kind))).kind
    const had = (count: number) =>
      world.db.query(sql`
        insert into email_receipt (workspace_id, delivery_id, email, state, created_at)
        select ${acme.workspaceId}, gen_random_uuid(), ${flooded}, 'accepted', ${world.clock.now()}
          from generate_series(1, ${count})`)
    await had(MAILS_OF_ADDRESS_PER_HOUR - 1)
    expect(await goes(item!)).toBe('go')
    expect([await goes(item!), await goes(both!), await goes(elsewhere!), await goes(item!, 'event')]).toEqual([
      'hold',
      'hold',
      'go',
      'go',
    ])
    await world.clock.advance(HOUR_MS)
    expect([await goes(item!), await goes(both!)]).toEqual(['go', 'go'])
  })

  test('what is held cannot be retried, and is cancelled with the daily digest that covers it', async () => {
    const channelId = await confirmed([address('a')])
    const id = stored('dest', channelId)
    for (let sent = 0; sent < 20; sent += 1) await world.services.around.email!.before!(mentionOf(id))
    const keyword = await ruled(channelId)
    const [made] = await score(world, [await mention(world, keyword)])
    await until(channelId, 'held')
    const [held] = await log(channelId)
    expect(held).toMatchObject({ error: 'email_hourly_limit', attempts: 0 })
    expect(handed).toEqual([])
    await world.clock.advance(2 * HOUR_MS)
    const retried = await acme.api('POST', `/v1/deliveries/${held!.id}/retry`, {
      requestId: '0f0a2b1c-1111-4222-8333-444455556666',
    })
    expect([retried.status, retried.body.error.code]).toEqual([409, 'email_hourly_limit'])
    const cover = (counted: Uuid[]) =>
      world.db.transaction((tx) => coverHeldMails(tx, { workspaceId: acme.workspaceId, channelId: id, counted }))
    expect(await cover([newUuid(world.clock.now())])).toBe(0)
    expect(await cover([made!.mentionId!])).toBe(1)
    expect(await cover([made!.mentionId!])).toBe(0)
    expect((await log(channelId))[0]).toMatchObject({
      status: 'cancelled',
      error: 'the mention is covered by the daily digest of the channel',
    })
    expect(await world.db.query(sql`select 1 from delivery_held where workspace_id = ${acme.workspaceId}`)).toEqual([])
  })

  test('the daily digest of the channel takes over what is held, and comes by mail itself', async () => {
    const channelId = await confirmed([address('a')])
    for (let sent = 0; sent < 20; sent += 1)
      await world.services.around.email!.before!(mentionOf(stored('dest', channelId)))
    const keyword = await ruled(channelId)
    const schedule = { hour: hourBefore(), minute: 0, timezone: 'UTC' }
    expect(
      (await acme.api('POST', '/v1/alerts', { name: 'Morning', mode: 'daily', schedule, channelIds: [channelId] }))
        .status,
    ).toBe(201)
    await score(world, [await mention(world, keyword, { text: 'Held back' })])
    await until(channelId, 'held')
    await world.clock.advance(DAY_MS)
    await sendDigests(world.services)
    await sendUntil(async () =>
      expect((await log(channelId)).map(({ status }) => status)).toEqual(['delivered', 'cancelled']),
    )
    expect(server.mails.map((mail) => mail.header('subject'))).toEqual(['Morning: 1 mention'])
    expect(server.mails[0]!.text).toContain('> Held back')
  })

  const morning = (channelId: string, more: object = {}) =>
    acme.api('POST', '/v1/alerts', {
      name: 'Morning',
      mode: 'daily',
      schedule: { hour: hourBefore(), minute: 0, timezone: 'UTC', skipEmpty: false },
      channelIds: [channelId],
      ...more,
    })

  test('a daily digest about something else leaves what it does not count held', async () => {
    const channelId = await confirmed([address('a')])
    for (let sent = 0; sent < 20; sent += 1)
      await world.services.around.email!.before!(mentionOf(stored('dest', channelId)))
    const keyword = await ruled(channelId)
    const other = await makeKeyword(acme)
    expect((await morning(channelId, { filter: { keywordIds: [other.shown.id] } })).status).toBe(201)
    await score(world, [await mention(world, keyword, { text: 'Held back' })])
    await until(channelId, 'held')
    await score(world, [await mention(world, other, { text: 'Quite different' })])
    await sendUntil(async () => expect((await log(channelId)).map(({ status }) => status)).toEqual(['held', 'held']))
    await world.clock.advance(DAY_MS)
    await sendDigests(world.services)
    await sendUntil(async () =>
      expect((await log(channelId)).map(({ status }) => status)).toEqual(['delivered', 'cancelled', 'held']),
    )
    expect(handed.filter(({ to, text }) => to === address('a') && text.includes('Held back'))).toEqual([])
  })

  test('a daily digest of yesterday leaves what is held since a week held', async () => {
    const channelId = await confirmed([address('a')])
    for (let sent = 0; sent < 20; sent += 1)
      await world.services.around.email!.before!(mentionOf(stored('dest', channelId)))
    const keyword = await ruled(channelId)
    await score(world, [await mention(world, keyword, { text: 'Held back' })])
    await until(channelId, 'held')
    await world.clock.advance(7 * DAY_MS)
    await morning(channelId)
    await world.clock.advance(DAY_MS)
    await sendDigests(world.services)
    await sendUntil(async () =>
      expect((await log(channelId)).map(({ status }) => status)).toEqual(['delivered', 'held']),
    )
  })

  test('replays of a digest count as mentions do: the twenty-first is held, and may be retried when the hour is over', async () => {
    const channelId = await confirmed([address('a')])
    await morning(channelId)
    await world.clock.advance(DAY_MS)
    await sendDigests(world.services)
    await until(channelId, 'delivered')
    const [digest] = await log(channelId)
    const request = (at: number) => ({ requestId: `0f0a2b1c-1111-4222-8333-4444555566${10 + at}` })
    const replay = (at: number) =>
      acme.api('POST', `/v1/deliveries/${encodeURIComponent(digest!.id)}/replay`, request(at))
    for (let at = 0; at < 20; at += 1) expect((await replay(at)).status).toBe(202)
    const rows = () =>
      world.db.query<{ id: Uuid; status: string }>(
        sql`select id, status from delivery where workspace_id = ${acme.workspaceId}
            and channel_id = ${stored('dest', channelId)} and replay_of is not null order by status`,
      )
    const statuses = async () => (await rows()).map(({ status }) => status)
    await sendUntil(async () => expect(await statuses()).toEqual(Array.from({ length: 20 }, () => 'delivered')))
    expect((await replay(20)).status).toBe(202)
    await sendUntil(async () =>
      expect(await statuses()).toEqual([...Array.from({ length: 20 }, () => 'delivered'), 'held']),
    )
    // Rules of other tests send their digests too.
    expect(mailed().filter((to) => to === address('a'))).toHaveLength(21)
    await world.clock.advance(HOUR_MS)
    const held = (await rows()).at(-1)!
    expect((await acme.api('POST', `/v1/deliveries/${toId('dlv', held.id)}/retry`, request(30))).status).toBe(202)
    await sendUntil(async () => expect(await statuses()).toEqual(Array.from({ length: 21 }, () => 'delivered')))
  })

  test('five tests go, and the sixth is answered as one that failed', async () => {
    const id = await confirmed([address('a')])
    for (let sent = 0; sent < 5; sent += 1)
      expect((await acme.api('POST', `/v1/channels/${id}/test`)).body.outcomes).toEqual([
        { channelId: id, ok: true, error: null },
      ])
    const { status, body } = await acme.api('POST', `/v1/channels/${id}/test`)
    expect([status, body.outcomes]).toEqual([200, [{ channelId: id, ok: false, error: 'email_test_rate_limited' }]])
    expect(server.mails.map((mail) => mail.header('subject'))).toEqual(
      Array.from({ length: 5 }, () => 'A test from Earshot'),
    )
    await world.clock.advance(HOUR_MS)
    expect((await acme.api('POST', `/v1/channels/${id}/test`)).body.outcomes[0].ok).toBe(true)
  })

  test('a channel nobody of which has confirmed is not tested', async () => {
    const { body } = await create([address('a')])
    const { status, body: answer } = await acme.api('POST', `/v1/channels/${body.id}/test`)
    expect([status, answer.error.code]).toEqual([409, 'no_recipients'])
  })
})

test('without a mail server channels that are there say so', async () => {
  const id = stored('dest', await confirmed([address('a')]))
  const mailless = {
    ...acme,
    mail: null,
    channels: createChannels({
      egress: createEgress({ allow: [] }),
      inspections: NO_INSPECTIONS,
      clock: world.clock,
      userAgent: 'Earshot test',
      publicUrl: world.services.publicUrl,
      mail: null,
      slack: null,
      telegram: null,
    }),
  }
  for (const answer of [
    await testChannel(mailless, id),
    await updateChannel(mailless, id, { emails: [address('b')] }),
    await createConfirmation(mailless, id, address('a')),
  ])
    expect(isRefusal(answer) && answer.code).toBe('email_transport_unavailable')
  // All the same they can be changed.
  expect(await updateChannel(mailless, id, { label: 'New', enabled: false, events: ['mention.spike'] })).toMatchObject({
    label: 'New',
    enabled: false,
    config: { recipients: [{ confirmedAt: expect.any(String) }], events: ['mention.spike'] },
  })
})

test('what is kept of mails for a while only goes, and nothing before its time', async () => {
  const id = stored('dest', await confirmed([address('a')]))
  await world.services.around.email!.before!({
    workspaceId: acme.workspaceId,
    channelId: id,
    kind: 'mention',
    deliveryId: newUuid(world.clock.now()),
    mentionId: null,
  })
  const left = async () =>
    (
      await world.db.query<{ left: number[] }>(sql`
        select array[(select count(*) from email_receipt where workspace_id = ${acme.workspaceId}), (select count(*)
          from email_sent where workspace_id = ${acme.workspaceId}),
          (select count(*) from confirmation_mail where workspace_id = ${acme.workspaceId})]::int[] as left`)
    )[0]!.left
  await forgetMails(world.services)
  expect(await left()).toEqual([1, 1, 1])
  await world.clock.advance(HOUR_MS)
  await forgetMails(world.services)
  expect(await left()).toEqual([1, 0, 1])
  await world.clock.advance(23 * HOUR_MS)
  await forgetMails(world.services)
  expect(await left()).toEqual([1, 0, 0])
  await world.clock.advance(DAY_MS)
  await forgetMails(world.services)
  expect(await left()).toEqual([0, 0, 0])
})
