import { beforeEach, describe, expect, test } from 'vitest'
import {
  createMailgunStandIn,
  createSendgridStandIn,
  createSnsStandIn,
  type SentReport,
} from '../../../test/stand-ins/mail-providers.ts'
import { useWorld } from '../../../test/use-world.ts'
import { createWorld } from '../../../test/world.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { registerMetrics } from '../../kernel/metrics.ts'
import { suppress, unsuppress } from '../../store/channel/suppressions.ts'
import { sql } from '../../store/database.ts'
import { REQUEST_METRICS } from '../rest/request-metrics.ts'
import { REFUSED_PER_MINUTE } from './limit-refused.ts'
import type { SnsMessage } from './mail/sns.ts'
import { MAIL_REPORT_METRICS } from './metrics.ts'

const SECRET = 'a-secret-of-the-provider'
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:mail'
const mailgun = createMailgunStandIn('mailgun-key')
const sendgrid = createSendgridStandIn()
const sns = createSnsStandIn(TOPIC)
const metrics = registerMetrics({ ...REQUEST_METRICS, ...MAIL_REPORT_METRICS })
const world = useWorld(() => ({
  mailReports: { secret: SECRET, sesTopics: [TOPIC], mailgunKey: 'mailgun-key', sendgridKey: sendgrid.key },
  fetchDocument: sns.fetchDocument,
  metrics,
}))
beforeEach(async () => {
  await world.db.query(sql`delete from email_suppression`)
  await world.db.query(sql`delete from mail_report`)
  await world.clock.advance(MINUTE_MS)
  sns.asked.length = 0
  sns.failing.clear()
})

async function post(provider: string, { body, headers }: SentReport, at = world) {
  const type = { 'content-type': 'application/json' }
  const reply = await fetch(`${at.origin}/hooks/email/${provider}`, {
    method: 'POST',
    body,
    headers: { ...type, ...headers },
  })
  return { status: reply.status, body: JSON.parse(await reply.text()) }
}

const now = () => world.clock.now()
const suppressed = async () =>
  (
    await world.db.query<{ email: string; reason: string }>(
      sql`select email, reason from email_suppression order by email`,
    )
  ).map(({ email, reason }) => `${email} ${reason}`)

async function taken(provider: string, sent: SentReport) {
  expect(await post(provider, sent)).toEqual({ status: 200, body: { received: true } })
  return suppressed()
}

async function refused(provider: string, sent: SentReport) {
  const { status, body } = await post(provider, sent)
  return [status, body.error.code, await suppressed()]
}

const FORGED = [401, 'invalid_signature', []]
const MALFORMED = [400, 'validation_error', []]

const bounce = (bounceType: string, ...emails: string[]) => ({
  notificationType: 'Bounce',
  bounce: { bounceType, bouncedRecipients: emails.map((emailAddress) => ({ emailAddress, status: '5.1.1' })) },
  mail: { messageId: '1' },
})
const complaint = (complaintFeedbackType?: string) => ({
  eventType: 'Complaint',
  complaint: { complainedRecipients: [{ emailAddress: 'a@example.com' }], complaintFeedbackType },
})

describe('of Amazon SES', () => {
  test.each(['1', '2'] as const)('a notification with a signature of version %s is taken', async (SignatureVersion) => {
    const sent = sns.tell(bounce('Permanent', 'A@example.com', 'b@example.com'), now(), {
      SignatureVersion,
      Subject: 'Amazon SES Email Event Notification',
    })
    expect(await taken('ses', sent)).toEqual(['a@example.com bounce', 'b@example.com bounce'])
  })

  test.each([
    [bounce('Transient', 'a@example.com'), []],
    [bounce('Undetermined', 'a@example.com'), []],
    [complaint(), ['a@example.com complaint']],
    [complaint('abuse'), ['a@example.com complaint']],
    [complaint('not-spam'), []],
    [{ eventType: 'Delivery', bounce: bounce('Permanent', 'a@example.com').bounce }, []],
    [{ of: 'nothing' }, []],
  ])('%j is understood', async (event, expected) => {
    expect(await taken('ses', sns.tell(event, now()))).toEqual(expected)
  })

  test('a line of text and the end of a subscription change nothing', async () => {
    expect(await taken('ses', sns.message({}, now()))).toEqual([])
    const ended = { Type: 'UnsubscribeConfirmation', Token: 'abc', SubscribeURL: sns.confirmUrl } as const
    expect(await taken('ses', sns.message(ended, now()))).toEqual([])
    expect(sns.asked).not.toContain(sns.confirmUrl)
  })

  test('a certificate is read once', async () => {
    const read = await createWorldWith(sns.fetchDocument)
    try {
      for (const _ of [1, 2]) expect((await post('ses', sns.message({}, read.clock.now()), read)).status).toBe(200)
      expect(sns.asked).toEqual([sns.certificateUrl])
    } finally {
      await read.close()
    }
  })

  test('a subscription is confirmed by visiting its address', async () => {
    const asking = { Type: 'SubscriptionConfirmation', Token: 'abc', SubscribeURL: sns.confirmUrl } as const
    expect(await taken('ses', sns.message(asking, now()))).toEqual([])
    expect(sns.asked).toContain(sns.confirmUrl)
    sns.failing.add(sns.confirmUrl)
    expect(await refused('ses', sns.message(asking, now()))).toEqual([502, 'upstream_unavailable', []])
  })

  test.each([
    'https://sns.eu-west-1.amazonaws.com/?Action=Publish&TopicArn=arn:aws:sns:eu-west-1:123456789012:mail',
    'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:eu-west-1:123456789012:other',
    'https://sns.eu-west-1.amazonaws.com/x?Action=ConfirmSubscription&TopicArn=arn:aws:sns:eu-west-1:123456789012:mail',
    'https://evil.example/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:eu-west-1:123456789012:mail',
    'nonsense',
  ])('the address %s is not visited', async (SubscribeURL) => {
    const asking = { Type: 'SubscriptionConfirmation', Token: 'abc', SubscribeURL } as const
    expect(await refused('ses', sns.message(asking, now()))).toEqual(MALFORMED)
    expect(sns.asked).not.toContain(SubscribeURL)
  })

  test.each([
    'http://sns.eu-west-1.amazonaws.com/a.pem',
    'https://sns.eu-west-1.amazonaws.com:8443/a.pem',
    'https://sns.eu-west-1.amazonaws.com.evil.example/a.pem',
    'https://sns.eu-west-1.amazonaws.com@evil.example/a.pem',
    'https://u@sns.eu-west-1.amazonaws.com/a.pem',
    // A bucket named "sns" of somebody at another service, and a region that is not the topic's.
    'https://sns.s3-us-west-2.amazonaws.com/a.pem',
    'https://sns.us-east-1.amazonaws.com/a.pem',
    'https://sns.eu-west-1.amazonaws.com/a.pem?Action=x',
    'https://sns.eu-west-1.amazonaws.com/a',
    'file:///etc/a.pem',
    'nonsense',
  ])('a certificate at %s is not even read', async (SigningCertURL) => {
    expect(await refused('ses', sns.tell(bounce('Permanent', 'a@example.com'), now(), { SigningCertURL }))).toEqual(
      FORGED,
    )
    expect(sns.asked).toEqual([])
  })

  test.each<[string, Partial<SnsMessage>]>([
    ['of another topic', { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:mail' }],
    ['without a signature', { Signature: '' }],
    ['with the signature of another', { Signature: Buffer.alloc(256, 1).toString('base64') }],
  ])('a message %s is refused', async (_, fields) => {
    expect(await refused('ses', sns.tell(bounce('Permanent', 'a@example.com'), now(), fields))).toEqual(FORGED)
  })

  test('an altered message is refused, and so is one of another version than it says', async () => {
    const { body, headers } = sns.tell(bounce('Permanent', 'a@example.com'), now())
    expect(await refused('ses', { body: body.replace('a@example.com', 'b@example.com'), headers })).toEqual(FORGED)
    const version = body.replace('"SignatureVersion":"2"', '"SignatureVersion":"1"')
    expect(await refused('ses', { body: version, headers })).toEqual(FORGED)
  })

  test('without its certificate a message is asked for again', async () => {
    const SigningCertURL = sns.certificateUrl.replace('abcdef', 'fedcba')
    sns.failing.add(SigningCertURL)
    const sent = sns.tell(bounce('Permanent', 'a@example.com'), now(), { SigningCertURL })
    expect(await refused('ses', sent)).toEqual([502, 'upstream_unavailable', []])
    sns.failing.clear()
    expect(await taken('ses', sent)).toEqual(['a@example.com bounce'])
  })

  test('messages whose certificate cannot be read are counted as refused, so that nobody has others asked for long', async () => {
    await world.clock.advance(MINUTE_MS)
    const forged = (at: number) => {
      const SigningCertURL = sns.certificateUrl.replace('abcdef', `made-up-${at}`)
      sns.failing.add(SigningCertURL)
      return sns.tell(bounce('Permanent', 'a@example.com'), now(), { SigningCertURL })
    }
    for (let at = 0; at < REFUSED_PER_MINUTE; at += 1) expect((await post('ses', forged(at))).status).toBe(502)
    expect((await post('ses', forged(REFUSED_PER_MINUTE))).status).toBe(429)
    expect(sns.asked).toHaveLength(REFUSED_PER_MINUTE)
    await world.clock.advance(MINUTE_MS)
  })

  test('what is no certificate proves nothing', async () => {
    const page = { status: 200, contentType: null, cacheControl: null, ageSeconds: null, text: '<html>' }
    const fooled = await createWorldWith(async () => page)
    try {
      const { status, body } = await post('ses', sns.message({}, fooled.clock.now()), fooled)
      expect([status, body.error.code]).toEqual([401, 'invalid_signature'])
    } finally {
      await fooled.close()
    }
  })
})

function createWorldWith(fetchDocument: typeof sns.fetchDocument) {
  return createWorld({ mailReports: { sesTopics: [TOPIC] }, fetchDocument })
}

const failed = { event: 'failed', severity: 'permanent', reason: 'bounce', recipient: 'a@example.com' }

describe('of Mailgun', () => {
  test.each([
    [failed, ['a@example.com bounce']],
    [{ ...failed, reason: 'suppress-bounce' }, ['a@example.com bounce']],
    [{ ...failed, reason: 'suppress-complaint' }, ['a@example.com complaint']],
    [{ ...failed, reason: 'suppress-unsubscribe' }, []],
    [{ ...failed, reason: 'espblock' }, []],
    [{ ...failed, severity: 'temporary' }, []],
    [{ event: 'complained', recipient: 'a@example.com' }, ['a@example.com complaint']],
    [{ event: 'delivered', recipient: 'a@example.com' }, []],
    [{ event: 'complained' }, []],
  ])('%j is understood', async (event, expected) => {
    expect(await taken('mailgun', mailgun(event, { at: now() }))).toEqual(expected)
  })

  test('the key of the account signs for its subaccounts', async () => {
    expect(await taken('mailgun', mailgun(failed, { at: now(), by: 'parent-signature' }))).toEqual([
      'a@example.com bounce',
    ])
  })

  test('a token counts once, and for one message: its signature does not cover the event', async () => {
    const first = mailgun({ event: 'delivered', recipient: 'a@example.com' }, { at: now() })
    expect(await taken('mailgun', first)).toEqual([])
    expect(await refused('mailgun', mailgun(failed, { at: now() }))).toEqual(FORGED)
    expect(await taken('mailgun', first)).toEqual([])
    expect(await taken('mailgun', mailgun(failed, { at: now(), token: 'c'.repeat(50) }))).toHaveLength(1)
  })

  test.each([
    ['signed with another key', () => createMailgunStandIn('other')(failed, { at: now() })],
    ['from too long ago', () => mailgun(failed, { at: plus(now(), -26 * HOUR_MS) })],
    ['of the future', () => mailgun(failed, { at: plus(now(), 10 * MINUTE_MS) })],
  ])('a message %s is refused', async (_, sent) => {
    expect(await refused('mailgun', sent())).toEqual(FORGED)
  })
})

test.each([
  [{ RecordType: 'Bounce', Type: 'HardBounce', Email: 'a@example.com' }, ['a@example.com bounce']],
  [{ RecordType: 'Bounce', Type: 'Transient', Email: 'a@example.com', Inactive: false }, []],
  [{ RecordType: 'SpamComplaint', Email: 'a@example.com' }, ['a@example.com complaint']],
  [{ RecordType: 'SubscriptionChange', SuppressSending: true, Recipient: 'a@example.com' }, []],
])('of Postmark, which signs in by a password, %j is understood', async (event, expected) => {
  const body = JSON.stringify(event)
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`postmark:${password}`).toString('base64')}`,
  })
  expect(await refused('postmark', { body, headers: {} })).toEqual(FORGED)
  expect(await refused('postmark', { body, headers: basic(`${SECRET}x`) })).toEqual(FORGED)
  expect(await taken('postmark', { body, headers: basic(SECRET) })).toEqual(expected)
})

describe('of SendGrid', () => {
  test('every event of a message is understood', async () => {
    const events = [
      { event: 'bounce', type: 'bounce', email: 'hard@example.com', reason: '550 no such user' },
      { event: 'bounce', type: 'blocked', email: 'blocked@example.com' },
      { event: 'bounce', email: 'unknown@example.com' },
      { event: 'deferred', email: 'later@example.com' },
      { event: 'dropped', email: 'known@example.com', reason: 'Bounced Address' },
      { event: 'dropped', email: 'left@example.com', reason: 'Unsubscribed Address' },
      { event: 'dropped', email: 'odd@example.com', reason: 'constructor' },
      { event: 'spamreport', email: 'angry@example.com' },
      { event: 'open', email: 'happy@example.com' },
      { event: 'spamreport' },
      { event: 'bounce', type: 7, email: 'custom@example.com' },
      'nothing',
    ]
    expect(await taken('sendgrid', sendgrid.report(events, now()))).toEqual([
      'angry@example.com complaint',
      'hard@example.com bounce',
      'known@example.com bounce',
    ])
  })

  const events = [{ event: 'spamreport', email: 'a@example.com' }]
  const header = 'x-twilio-email-event-webhook-'
  test.each<[string, (sent: SentReport) => SentReport]>([
    ['unsigned', ({ body }) => ({ body, headers: {} })],
    ['altered', ({ body, headers }) => ({ body: body.replace('a@', 'b@'), headers })],
    ['dated anew', ({ body, headers }) => ({ body, headers: { ...headers, [`${header}timestamp`]: '1' } })],
    ['signed with another key', () => createSendgridStandIn().report(events, now())],
    ['from too long ago', () => sendgrid.report(events, plus(now(), -26 * HOUR_MS))],
    [
      'with a signature that is none',
      ({ body, headers }) => ({ body, headers: { ...headers, [`${header}signature`]: '%' } }),
    ],
  ])('a message that is %s is refused', async (_, change) => {
    expect(await refused('sendgrid', change(sendgrid.report(events, now())))).toEqual(FORGED)
  })
})

describe.each([
  ['ses', () => sns.tell(bounce('Permanent', 'a@example.com'), now())],
  ['mailgun', () => mailgun(failed, { at: now() })],
  ['sendgrid', () => sendgrid.report([{ event: 'bounce', type: 'bounce', email: 'a@example.com' }], now())],
] as const)('a message of %s', (provider, report) => {
  test('counts once, also after somebody allowed mail again', async () => {
    const sent = report()
    expect(await taken(provider, sent)).toEqual(['a@example.com bounce'])
    await world.db.transaction((tx) => unsuppress(tx, 'a@example.com'))
    expect(await taken(provider, sent)).toEqual([])
  })

  test('is taken when it is sent again because it could not be stored', async () => {
    const sent = report()
    const { db } = world.services
    world.services.db = { ...db, transaction: () => Promise.reject(new Error('gone')) }
    expect((await post(provider, sent)).status).toBe(500)
    world.services.db = db
    expect(await taken(provider, sent)).toEqual(['a@example.com bounce'])
  })

  test('is refused where the provider is not set up', async () => {
    const closed = await createWorld()
    try {
      const { status, body } = await post(provider, report(), closed)
      expect([status, body.error.code]).toEqual([503, 'email_not_configured'])
    } finally {
      await closed.close()
    }
  })

  test.each(['', 'null', '[]', '{}', '"x"', '[1]'])('is not %j', async (body) => {
    const { status, body: answer } = await post(provider, { body, headers: {} })
    expect([400, 401, 415], JSON.stringify(answer)).toContain(status)
    expect(await suppressed()).toEqual([])
  })

  test('has at most 1 MiB', async () => {
    expect((await post(provider, { body: ' '.repeat(1024 * 1024 + 1), headers: {} })).status).toBe(413)
  })
})

test('a complaint outweighs a bounce, and no later bounce takes its place', async () => {
  await world.db.transaction((tx) => suppress(tx, ['a@example.com'], 'bounce', now()))
  const complained = mailgun({ event: 'complained', recipient: 'a@example.com' }, { at: now() })
  expect(await taken('mailgun', complained)).toEqual(['a@example.com complaint'])
  expect(await taken('mailgun', mailgun(failed, { at: now(), token: 'c'.repeat(50) }))).toEqual([
    'a@example.com complaint',
  ])
})

test('an unknown provider is not found', async () => {
  for (const name of ['sparkpost', 'SES', 'constructor']) {
    const { status, body } = await post(name, { body: '{}', headers: {} })
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  }
})

test('messages are forgotten after two days, when another comes', async () => {
  await taken('mailgun', mailgun(failed, { at: now() }))
  await world.clock.advance(2 * DAY_MS + MINUTE_MS)
  await taken('mailgun', mailgun(failed, { at: now(), token: 'c'.repeat(50) }))
  expect(await world.db.query(sql`select 1 from mail_report`)).toHaveLength(1)
})

test('what was reported is counted by provider and reason, and no address is logged', async () => {
  const counted = async () =>
    (await metrics.mailReports.get()).values.find(
      ({ labels }) => labels.provider === 'mailgun' && labels.reason === 'complaint',
    )?.value ?? 0
  const before = await counted()
  await taken('mailgun', mailgun({ event: 'complained', recipient: 'private@example.com' }, { at: now() }))
  expect(await counted()).toBe(before + 1)
  expect(JSON.stringify(world.logged)).not.toMatch(/private@example/)
})
