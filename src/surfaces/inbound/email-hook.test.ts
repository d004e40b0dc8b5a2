import { beforeEach, describe, expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { createWorld } from '../../../test/world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { REFUSED_PER_MINUTE } from './limit-refused.ts'

const SECRET = 'a-secret-of-the-provider'
const world = useWorld(() => ({ mailReports: { secret: SECRET } }))
beforeEach(() => world.db.query(sql`delete from email_suppression`))

async function post(body: string | object, authorization: string | null = `Bearer ${SECRET}`, at = world) {
  const reply = await fetch(`${at.origin}/hooks/email`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) },
  })
  return { status: reply.status, body: JSON.parse(await reply.text()) }
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const suppressed = async () =>
  (
    await world.db.query<{ email: string; reason: string }>(
      sql`select email, reason from email_suppression order by email`,
    )
  ).map(({ email, reason }) => [email, reason])

test('bounces for good and complaints are taken, once, and what may pass is not', async () => {
  const events = [
    { type: 'bounce', permanent: true, email: 'Gone@Example.com' },
    { type: 'bounce', permanent: false, email: 'full@example.com' },
    { type: 'bounce', email: 'unknown@example.com' },
    { type: 'complaint', email: 'angry@example.com' },
    { type: 'delivered', email: 'happy@example.com', permanent: true },
    { type: 'complaint', email: 'no address' },
    { type: 'bounce', permanent: true, email: 'gone@example.com' },
  ]
  for (const _ of [1, 2]) {
    const { status, body } = await post({ events })
    expect([status, body]).toEqual([200, { received: true }])
    expect(await suppressed()).toEqual([
      ['angry@example.com', 'complaint'],
      ['gone@example.com', 'bounce'],
    ])
  }
})

test.each([
  [{ RecordType: 'Bounce', Type: 'HardBounce', Email: 'a@example.com', Inactive: true }, [['a@example.com', 'bounce']]],
  [{ RecordType: 'Bounce', Type: 'SoftBounce', Email: 'a@example.com', Inactive: false }, []],
  [{ RecordType: 'SpamComplaint', Type: 'SpamComplaint', Email: 'a@example.com' }, [['a@example.com', 'complaint']]],
  [{ RecordType: 'Open', Recipient: 'a@example.com' }, []],
])('of Postmark %j is understood', async (message, expected) => {
  expect((await post(message)).status).toBe(200)
  expect(await suppressed()).toEqual(expected)
})

test('the secret may be the password of an address', async () => {
  expect((await post({ events: [] }, basic(`anybody:${SECRET}`))).status).toBe(200)
})

describe('refused, without a trace, is', () => {
  const events = [{ type: 'complaint', email: 'victim@example.com' }]
  test.each([
    null,
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${SECRET}x`,
    `Bearer ${SECRET.slice(1)}`,
    `bearer wrong`,
    SECRET,
    basic(SECRET.slice(0, 5)),
    basic(`${SECRET}:x`),
    basic('x:'),
    'Basic %%%',
    `Digest ${SECRET}`,
  ])('a message with the credential %j', async (authorization) => {
    const { status, body } = await post({ events }, authorization)
    expect([status, body.error.code]).toEqual([401, 'invalid_signature'])
    expect(await suppressed()).toEqual([])
  })

  test.each([
    '',
    'nonsense',
    '[]',
    'null',
    '1',
    '{}',
    '{"events":{}}',
    '{"events":[1]}',
    '{"events":[{"type":"complaint"}]}',
    `{"events":[{"type":"complaint","email":"${'x'.repeat(400)}"}]}`,
  ])('the body %j', async (body) => {
    const answer = await post(body)
    // Whatever is no body at all is refused before it is looked at.
    expect([400, 415]).toContain(answer.status)
    expect(await suppressed()).toEqual([])
  })

  test('any message where no secret is set', async () => {
    const closed = await createWorld()
    try {
      for (const authorization of [null, 'Bearer ', 'Bearer null', basic('x:')]) {
        const { status, body } = await post({ events }, authorization, closed)
        expect([status, body.error.code]).toEqual([503, 'email_not_configured'])
      }
    } finally {
      await closed.close()
    }
  })
})

test('nothing of addresses or the secret is logged', async () => {
  await post({ events: [{ type: 'complaint', email: 'private@example.com' }] })
  expect(JSON.stringify(world.logged)).not.toMatch(/private@example|a-secret-of/)
})

test('so many messages of a network that are refused are read in a minute, and what is taken is not counted', async () => {
  await world.clock.advance(MINUTE_MS)
  for (let at = 0; at < 20; at += 1) expect((await post({ events: [] })).status).toBe(200)
  for (let at = 0; at < REFUSED_PER_MINUTE; at += 1)
    expect((await post({ events: [] }, 'Bearer wrong')).status).toBe(401)
  const over = await post({ events: [] })
  expect([over.status, over.body.error.code, over.body.error.retryAfterSeconds > 0]).toEqual([
    429,
    'rate_limited',
    true,
  ])
  await world.clock.advance(MINUTE_MS)
  expect((await post({ events: [] })).status).toBe(200)
})
