import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMailServer } from '../../../test/stand-ins/mail-server.ts'
import { useFreshResource } from '../../../test/use-world.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { MailOutcome, MailTransport } from '../../kernel/mail.ts'
import { SmtpTransport } from '../../kernel/smtp.ts'
import { AT, LIMIT_MS } from '../conformance.suite.ts'
import { STOPPED } from '../contract.ts'
import {
  DIGEST_MENTION_URLS,
  digestOutgoing,
  harmIn,
  MENTION_URL,
  mentionOutgoing,
  POST_URL,
  PUBLIC_URL,
} from './letter.suite.ts'
import {
  ANSWER_LIMIT_MS,
  createEmailSender,
  type EmailConfig,
  type EmailRequest,
  outcomeOf,
  type RecipientTally,
} from './sender.ts'

const NONE: RecipientTally = { accepted: 0, refused: 0, underway: 0 }
const unsubscribeUrl = (name: string) =>
  `https://earshot.test/email/unsubscribe?token=v1.token-of-${name}-${'x'.repeat(400)}`

let transport: MailTransport
let noted: [email: string, outcome: MailOutcome['outcome']][]
const server = useFreshResource(createMailServer)
beforeEach(() => {
  transport = new SmtpTransport({ smtpUrl: server.url, from: 'Earshot <alerts@earshot.test>', clock: systemClock })
  noted = []
})
afterEach(() => transport.close())

function prepare(
  names: readonly string[] = ['jane'],
  { tally = NONE, outgoing = mentionOutgoing(), limitMs = ANSWER_LIMIT_MS } = {},
) {
  const sender = createEmailSender({ transport, clock: systemClock, publicUrl: PUBLIC_URL, limitMs })
  const config = sender.readConfig({ recipients: [{ email: 'jane@example.com', confirmedAt: null }] })
  if (isRefusal(config)) throw new Error(config.message)
  const before: EmailConfig = {
    ...config,
    addressees: names.map((name) => ({ email: `${name}@example.com`, unsubscribeUrl: unsubscribeUrl(name) })),
    tally,
    workspace: '“Acme”',
    listId: 'dest-01k.earshot.test',
    note: async (email, { outcome }) => void noted.push([email, outcome]),
  }
  return { sender, request: sender.render(outgoing, before, AT) }
}

const send = (request: EmailRequest, sender = prepare().sender) => sender.send(request, new AbortController().signal)

describe('the contract of senders', () => {
  test('a server that accepts gets one mail for each recipient, to that one alone', async () => {
    const { request } = prepare(['jane', 'joe'])
    expect(await send(request)).toMatchObject({ outcome: 'delivered', replyExcerpt: null })
    expect(server.mails.map(({ to }) => to).sort()).toEqual([['jane@example.com'], ['joe@example.com']])
    expect(noted.sort()).toEqual([
      ['jane@example.com', 'sent'],
      ['joe@example.com', 'sent'],
    ])
    for (const mail of server.mails) expect(mail.raw).not.toContain(mail.to[0] === 'jane@example.com' ? 'joe' : 'jane')
  })

  test('the same delivery is the same request, and each mail has an id of its own that stays', () => {
    const [item, again] = [prepare(['jane', 'joe']), prepare(['jane', 'joe'])]
    expect(item.sender.shown(item.request)).toEqual(again.sender.shown(again.request))
    expect(item.request.mails.map(({ id }) => id)).toEqual(again.request.mails.map(({ id }) => id))
    expect(new Set(item.request.mails.map(({ id }) => id)).size).toBe(2)
  })

  test('what is shown of a request holds no link that acts for its reader', () => {
    const { sender, request } = prepare(['jane', 'joe'])
    const shown = sender.shown(request)
    expect(JSON.stringify(shown)).not.toContain('token-of')
    expect(shown.headers).toMatchObject({ To: 'jane@example.com, joe@example.com', 'List-Unsubscribe': '<(hidden)>' })
    expect(shown.body).toContain('Unsubscribe: (hidden)')
  })

  test('settings that cannot be read are refused, not thrown', () => {
    for (const stored of [null, undefined, 1, 'text', [], {}, { recipients: [] }, { recipients: [1] }])
      expect(isRefusal(prepare().sender.readConfig(stored))).toBe(true)
  })

  test('nobody to write to sends nothing, and is what came before', async () => {
    expect(await send(prepare([], { tally: { ...NONE, accepted: 1, refused: 1 } }).request)).toMatchObject({
      outcome: 'delivered',
    })
    expect(await send(prepare([], { tally: { ...NONE, refused: 1 } }).request)).toMatchObject({ outcome: 'permanent' })
    expect(server.connections).toBe(0)
  })

  test.each(['421 4.3.2 later', '450 4.2.1 busy', '554 5.7.1 spam'])('"%s" is temporary', async (reply) => {
    server.refuses = { step: 'DATA', reply }
    expect(await send(prepare().request)).toMatchObject({
      outcome: 'temporary',
      reason: expect.stringContaining(reply.slice(0, 3)),
    })
    expect(noted).toEqual([['jane@example.com', 'temporary']])
  })

  test('an address that there is not is permanent, and the reason tells no address', async () => {
    server.refuses = { step: 'RCPT TO', reply: '550 5.1.1 jane@example.com is unknown' }
    const result = await send(prepare().request)
    expect(result).toMatchObject({ outcome: 'permanent', reason: 'the mail server answered 550 5.1.1 to RCPT TO' })
    expect(noted).toEqual([['jane@example.com', 'permanent']])
  })

  test('a server that nobody runs is a temporary failure', async () => {
    await server.close()
    expect(await send(prepare().request)).toMatchObject({ outcome: 'temporary' })
  })

  test('a server that judges for long is waited for no longer than the limit, and what becomes of the mail is noted later', async () => {
    const verdict = opening()
    server.waits = verdict.promise
    const { sender, request } = prepare(['jane'], { limitMs: LIMIT_MS })
    const result = await send(request, sender)
    expect(result).toMatchObject({ outcome: 'temporary', reason: 'the mail server has not answered yet' })
    expect(result.durationMs).toBeGreaterThanOrEqual(LIMIT_MS - 5)
    expect(result.durationMs).toBeLessThan(ANSWER_LIMIT_MS)
    expect(noted).toEqual([])
    verdict.resolve()
    await expect.poll(() => noted, PATIENCE).toEqual([['jane@example.com', 'sent']])
  })

  test('an abort ends the attempt at once, and what becomes of the mail is noted later', async () => {
    const verdict = opening()
    server.waits = verdict.promise
    const stop = new AbortController()
    const { sender, request } = prepare()
    const sending = sender.send(request, stop.signal)
    await expect.poll(() => server.handedOver, PATIENCE).toBe(1)
    stop.abort()
    expect(await sending).toMatchObject({ outcome: 'temporary', reason: STOPPED })
    verdict.resolve()
    await expect.poll(() => noted, PATIENCE).toEqual([['jane@example.com', 'sent']])
  })

  test('an attempt that was aborted before sends nothing, and leaves its mails to the next one', async () => {
    const { sender, request } = prepare()
    expect(await sender.send(request, AbortSignal.abort())).toMatchObject({ outcome: 'temporary', reason: STOPPED })
    expect(noted).toEqual([['jane@example.com', 'temporary']])
    expect(server.connections).toBe(0)
  })
})

test('a mail can be ended with one click, is known again, and answers nobody', async () => {
  await send(prepare().request)
  const [mail] = server.mails
  expect(mail!.header('List-Unsubscribe')).toBe(`<${unsubscribeUrl('jane')}>`)
  expect(mail!.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
  expect(mail!.header('List-Id')).toBe('<dest-01k.earshot.test>')
  expect(mail!.header('Message-ID')).toMatch(/^<dlv_01ksample\.[0-9a-f]{16}@earshot\.test>$/)
  expect(mail!.header('Auto-Submitted')).toBe('auto-generated')
  expect(mail!.header('Date')).not.toBeNull()
  for (const line of mail!.raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
  const body = mail!.raw.slice(mail!.raw.indexOf('\r\n\r\n'))
  for (const line of body.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76)
})

test.each([
  ['a mention', mentionOutgoing()],
  ['a digest', digestOutgoing()],
])('%s arrives as text and as a page that loads and runs nothing', async (_, outgoing) => {
  const { request } = prepare(['jane'], { outgoing })
  await send(request)
  const [mail] = server.mails
  expect(mail!.text.trimEnd()).toBe(request.mails[0]!.text.trimEnd())
  expect(mail!.html!.replace(/\r\n/g, '\n').trimEnd()).toBe(request.mails[0]!.html!.trimEnd())
  expect(harmIn(mail!.html!, [POST_URL, MENTION_URL, ...DIGEST_MENTION_URLS, unsubscribeUrl('jane')])).toEqual([])
})

test.each<[string, (MailOutcome | null)[], RecipientTally, string]>([
  ['one was taken and none is left', [sent(), gone()], NONE, 'delivered'],
  ['one was taken and one may be later', [sent(), later()], NONE, 'temporary'],
  ['one was taken and one was not answered', [sent(), null], NONE, 'temporary'],
  ['all were taken, and one is underway since before', [sent()], { ...NONE, underway: 1 }, 'temporary'],
  ['none will ever be taken', [gone(), gone()], NONE, 'permanent'],
  ['none is taken now, and one was before', [gone()], { ...NONE, accepted: 1 }, 'delivered'],
])('when %s', (_, outcomes, tally, expected) => {
  expect(outcomeOf(outcomes, tally).outcome).toBe(expected)
})

/** The machine may have much else to do. */
const PATIENCE = { timeout: 10_000 }

function opening(): { promise: Promise<void>; resolve(): void } {
  let resolve: (() => void) | undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve?.() }
}

function sent(): MailOutcome {
  return { outcome: 'sent' }
}
function later(): MailOutcome {
  return { outcome: 'temporary', reason: 'later' }
}
function gone(): MailOutcome {
  return { outcome: 'permanent', reason: 'gone' }
}
