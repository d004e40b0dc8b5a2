import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { eventually, type Pipeline, startPipeline, whileTimePasses } from '../../../test/stand-ins/pipeline.ts'
import { BOT_NAME, BOT_SECRET, BOT_TOKEN, createTelegramStandIn } from '../../../test/stand-ins/telegram.ts'
import { useFreshWorkspace, useResource, useWorld } from '../../../test/use-world.ts'
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { DatabaseUnavailable, sql } from '../../store/database.ts'

const telegram = useResource(createTelegramStandIn)
const world = useWorld(() => ({ telegram: telegram.telegram }))
let person = 42
let ann: Person
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(() => {
  person += 1
  ann = personOf(person)
  telegram.said.length = 0
  telegram.faults.length = 0
})

interface Person {
  chatId: string
  chat: object
}

/** Somebody with a private chat of their own. */
function personOf(id: number): Person {
  telegram.chats.set(String(id), { state: 'open' })
  return { chatId: String(id), chat: { id, type: 'private', first_name: 'Ann', last_name: `No ${id}` } }
}

function groupOf(id: number, type = 'group'): Person {
  telegram.chats.set(String(id), { state: 'open' })
  return { chatId: String(id), chat: { id, type, title: 'War <room>' } }
}

async function post(
  body: string,
  secret: string | null = BOT_SECRET,
): Promise<{ status: number; code: string | undefined }> {
  const headers = {
    'content-type': 'application/json',
    ...(secret === null ? {} : { 'x-telegram-bot-api-secret-token': secret }),
  }
  const reply = await fetch(`${world.origin}/hooks/telegram`, { method: 'POST', body, headers })
  const answer = (await reply.json()) as { error?: { code: string } }
  return { status: reply.status, code: answer.error?.code }
}

async function tell(content: object): Promise<void> {
  expect(await post(JSON.stringify(telegram.update(content)))).toEqual({ status: 200, code: undefined })
}

const write = ({ chat }: Person, text: string) =>
  tell({ message: { message_id: 1, from: { id: 1, is_bot: false }, chat, date: 1, text } })
const tokenIn = (url: string) => new URL(url).searchParams.get('start')!

async function created(input: object = {}): Promise<{ id: string; token: string }> {
  const { status, body } = await acme.api('POST', '/v1/channels', { kind: 'telegram', ...input })
  expect([status, body]).toEqual([201, expect.anything()])
  return { id: body.id, token: tokenIn(body.config.connectUrl) }
}

const channelOf = async (id: string) => (await acme.api('GET', `/v1/channels/${id}`)).body

async function connected(who: Person, input: object = {}): Promise<string> {
  const { id, token } = await created(input)
  await write(who, `/start ${token}`)
  expect((await channelOf(id)).config.chatId).toBe(who.chatId)
  telegram.said.length = 0
  return id
}

describe('a chat is connected', () => {
  test('by the link of a new channel, which says of the chat what it knows', async () => {
    const { status, body } = await acme.api('POST', '/v1/channels', { kind: 'telegram', events: ['mention.spike'] })
    expect(status).toBe(201)
    expect(body).toMatchObject({ kind: 'telegram', label: 'Telegram', enabled: true })
    expect(body.config).toEqual({
      chatId: null,
      chatType: null,
      events: ['mention.spike'],
      connectUrl: expect.stringMatching(`^https://t.me/${BOT_NAME}\\?start=[A-Za-z0-9_-]{1,64}$`),
    })
    expect((await channelOf(body.id)).config).toEqual({ chatId: null, chatType: null, events: ['mention.spike'] })

    await write(ann, `/start ${tokenIn(body.config.connectUrl)}`)
    const channel = await channelOf(body.id)
    expect([channel.label, channel.config]).toEqual([
      `Ann No ${person}`,
      { chatId: ann.chatId, chatType: 'private', events: ['mention.spike'] },
    ])
    expect(telegram.said).toEqual([
      expect.objectContaining({ chatId: ann.chatId, shown: expect.stringContaining('connected') }),
    ])
  })

  test('in a group, whose id may be larger than 32 bits and is negative', async () => {
    const group = groupOf(-1001234567890123, 'supergroup')
    const { id, token } = await created()
    await write(group, `/start@${BOT_NAME.toUpperCase()} ${token}`)
    const channel = await channelOf(id)
    expect([channel.label, channel.config]).toEqual([
      'War <room>',
      { chatId: '-1001234567890123', chatType: 'supergroup', events: [] },
    ])
  })

  test('once: the same link works for nobody else, and tells no more than one that never was', async () => {
    const { id, token } = await created()
    await write(ann, `/start ${token}`)
    const eve = personOf(9000)
    await write(eve, `/start ${token}`)
    await write(eve, `/start lnk_${'x'.repeat(43)}`)
    await write(eve, '/start nonsense')
    expect((await channelOf(id)).config.chatId).toBe(ann.chatId)
    const [, ...told] = telegram.said
    expect(told).toHaveLength(3)
    expect(new Set(told.map(({ chatId, shown }) => `${chatId} ${shown}`)).size).toBe(1)
  })

  test('within fifteen minutes', async () => {
    const { id, token } = await created()
    await world.clock.advance(15 * MINUTE_MS)
    await write(ann, `/start ${token}`)
    expect((await channelOf(id)).config.chatId).toBeNull()
  })

  test('by a fresh link, with which the one before is worth nothing', async () => {
    const { id, token } = await created()
    const { body } = await acme.api('POST', `/v1/channels/${id}/connect`)
    await write(ann, `/start ${token}`)
    expect((await channelOf(id)).config.chatId).toBeNull()
    await write(ann, `/start ${tokenIn(body.config.connectUrl)}`)
    expect((await channelOf(id)).config.chatId).toBe(ann.chatId)
  })

  test('to one channel only, although another workspace has one too', async () => {
    const other = await world.workspace('Other')
    const theirs = (await other.api('POST', '/v1/channels', { kind: 'telegram' })).body
    const id = await connected(ann)
    expect((await other.api('GET', `/v1/channels/${theirs.id}`)).body.config.chatId).toBeNull()
    expect((await channelOf(id)).config.chatId).toBe(ann.chatId)
  })

  test('not any more when its channel was removed', async () => {
    const { id, token } = await created()
    await acme.api('DELETE', `/v1/channels/${id}`)
    await write(ann, `/start ${token}`)
    expect(telegram.said[0]!.shown).toContain('older than 15 minutes')
    expect(await world.db.query(sql`select 1 from telegram_link where workspace_id = ${acme.workspaceId}`)).toEqual([])
  })

  test('and only the hash of its link is kept', async () => {
    const { token } = await created()
    const [row] = await world.db.query<{ text: string }>(
      sql`select to_jsonb(l)::text as text from telegram_link l where workspace_id = ${acme.workspaceId}`,
    )
    expect(row!.text).not.toContain(token.slice(4))
  })

  test('and moves: the label of the chat goes with it, a label of one’s own stays, and the channel is on again', async () => {
    const id = await connected(ann)
    const ben = personOf(9001)
    await acme.api('PATCH', `/v1/channels/${id}`, { enabled: false })
    await write(ben, `/start ${tokenIn((await acme.api('POST', `/v1/channels/${id}/connect`)).body.config.connectUrl)}`)
    expect(await channelOf(id)).toMatchObject({ label: 'Ann No 9001', enabled: true, config: { chatId: '9001' } })
    await acme.api('PATCH', `/v1/channels/${id}`, { label: 'Ours' })
    await write(ann, `/start ${tokenIn((await acme.api('POST', `/v1/channels/${id}/connect`)).body.config.connectUrl)}`)
    expect(await channelOf(id)).toMatchObject({ label: 'Ours', config: { chatId: ann.chatId } })
    expect((await acme.api('PATCH', `/v1/channels/${id}`, { label: null })).body).toMatchObject({
      label: `Ann No ${person}`,
      config: { chatId: ann.chatId },
    })
  })
})

describe('the bot', () => {
  test('greets who starts it without a link, and in a group only when it is called by its name', async () => {
    const group = groupOf(-700)
    await write(ann, '/start')
    await write(group, '/start')
    await write(group, '/start nonsense')
    await write(group, '/start@somebody_else_bot')
    await write(group, `/start@${BOT_NAME} nonsense`)
    await write(group, `/start@${BOT_NAME}`)
    expect(telegram.said.map(({ chatId }) => chatId)).toEqual([ann.chatId, group.chatId, group.chatId])
  })

  test('says nothing to anything else', async () => {
    for (const text of ['hello', '/stop', 'please /start', '/starting', '']) await write(ann, text)
    expect(telegram.said).toEqual([])
  })

  test('goes on when it cannot answer', async () => {
    const { id, token } = await created()
    telegram.faults.push({ method: 'sendMessage', status: 500 })
    await write(ann, `/start ${token}`)
    expect((await channelOf(id)).config.chatId).toBe(ann.chatId)
    expect(JSON.stringify(world.logged)).not.toContain(BOT_TOKEN)
  })
})

describe('what Telegram tells', () => {
  test('is done once, however often it is told, even at the same time', async () => {
    const update = JSON.stringify(telegram.update({ message: { chat: ann.chat, text: '/start' } }))
    await Promise.all([post(update), post(update), post(update)])
    await post(update)
    expect(telegram.said).toHaveLength(1)
  })

  test.each([
    ['kicked', false],
    ['left', false],
    ['member', true],
    ['administrator', true],
  ])('switches the channels of a chat off when the bot is %s: still on is %s', async (status, enabled) => {
    const [id, other] = [await connected(ann), await connected(personOf(9100))]
    await tell({
      my_chat_member: { chat: ann.chat, from: { id: 1 }, date: 1, new_chat_member: { status, user: { id: 2 } } },
    })
    expect([(await channelOf(id)).enabled, (await channelOf(other)).enabled]).toEqual([enabled, true])
  })

  test('gives the channels of a group its new id', async () => {
    const group = groupOf(-701)
    const id = await connected(group)
    await tell({ message: { chat: group.chat, date: 1, migrate_to_chat_id: -1009876543210987 } })
    expect((await channelOf(id)).config).toMatchObject({ chatId: '-1009876543210987', chatType: 'supergroup' })
  })

  test.each([
    ['an update of a kind that is not known', { poll: { id: '1' } }],
    ['a post of a broadcast channel', { channel_post: { chat: { id: -5, type: 'channel' }, text: '/start x' } }],
    ['a chat of a kind that is not known', { message: { chat: { id: 5, type: 'hologram' }, text: '/start' } }],
    ['an id that cannot be counted', { message: { chat: { id: 1e300, type: 'private' }, text: '/start' } }],
    ['a text that is none', { message: { chat: { id: 5, type: 'private' }, text: { toString: 'x' } } }],
    ['a prototype', JSON.parse('{"message":{"__proto__":{"chat":{"id":5,"type":"private"}},"text":"/start"}}')],
    ['nothing', {}],
  ])('is taken and passed over when it is %s', async (_, content) => {
    await tell(content)
    expect(telegram.said).toEqual([])
  })

  test.each(['', 'nonsense', '{"update_id":', '[]x'])('is refused when it is no JSON: %j', async (body) => {
    expect([400, 415]).toContain((await post(body)).status)
  })

  test.each([
    '[]',
    'null',
    '1',
    '"text"',
    `{"update_id":${'9'.repeat(400)}}`,
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
  ])('never fails: %.20j', async (body) => {
    expect(await post(body)).toEqual({ status: 200, code: undefined })
  })

  test('is refused without the secret that was agreed on, and does nothing', async () => {
    const { id, token } = await created()
    const update = JSON.stringify(telegram.update({ message: { chat: ann.chat, text: `/start ${token}` } }))
    for (const secret of [null, '', 'x', `${BOT_SECRET}x`, BOT_SECRET.slice(1)])
      expect(await post(update, secret)).toEqual({ status: 401, code: 'invalid_signature' })
    expect((await channelOf(id)).config.chatId).toBeNull()
    expect(telegram.said).toEqual([])
  })

  test('is not answered as taken when it cannot be stored, and counts when it comes again', async () => {
    const { id, token } = await created()
    const update = JSON.stringify(telegram.update({ message: { chat: ann.chat, text: `/start ${token}` } }))
    const { db } = world.services
    world.services.db = { ...db, transaction: () => Promise.reject(new DatabaseUnavailable(new Error('gone'))) }
    expect((await post(update)).status).toBe(503)
    world.services.db = db
    expect((await post(update)).status).toBe(200)
    expect((await channelOf(id)).config.chatId).toBe(ann.chatId)
  })

  test('is of no use without a bot', async () => {
    const bot = world.services.telegram
    world.services.telegram = null
    expect(await post('{}')).toEqual({ status: 503, code: 'telegram_not_configured' })
    world.services.telegram = bot
  })
})

describe('a mention', () => {
  let pipeline: Pipeline
  let keyword: TestKeyword
  beforeEach(async () => {
    pipeline = await startPipeline(world)
    keyword = await makeKeyword(acme)
  })
  afterEach(async () => {
    await whileTimePasses(world.clock, pipeline.stop())
  })

  /** Lets a rule send everything to a channel. */
  const rule = async (id: string) =>
    (await acme.api('POST', '/v1/alerts', { name: 'Everything', channelIds: [id] })).body
  const happens = async (text: string) => {
    const made = await mention(world, keyword, { text })
    await score(world, [made])
    pipeline.deliver.wake()
  }
  const log = async (id: string): Promise<{ status: string; attempts: number; error: string | null }[]> =>
    (await acme.api('GET', `/v1/channels/${id}/deliveries`)).body.data.map(
      ({ status, attempts, error }: { status: string; attempts: number; error: string | null }) => ({
        status,
        attempts,
        error,
      }),
    )
  const soon = (check: () => unknown) => eventually(check, { clock: world.clock, stepMs: 100 })

  test('arrives in the chat, with buttons to the post and the mention', async () => {
    const id = await connected(ann)
    await rule(id)
    await happens('Something <b>bold</b> & 1 < 2')
    await soon(() => expect(telegram.said).toHaveLength(1))
    expect(telegram.said[0]).toMatchObject({
      chatId: ann.chatId,
      shown: expect.stringContaining('Something <b>bold</b> & 1 < 2'),
      buttons: [
        { url: expect.stringContaining('https://bsky.app/') },
        { url: expect.stringMatching(/^https:\/\/earshot\.test\/mentions\/mtn_/) },
      ],
    })
    await soon(async () => expect(await log(id)).toEqual([{ status: 'delivered', attempts: 1, error: null }]))
  })

  test('is held while no chat is connected, and goes when it is asked for again', async () => {
    const { id, token } = await created()
    await rule(id)
    await happens('Waiting')
    await soon(async () =>
      expect(await log(id)).toEqual([
        { status: 'held', attempts: 0, error: 'no chat is connected to the channel yet' },
      ]),
    )
    expect((await acme.api('POST', `/v1/channels/${id}/test`)).body.outcomes).toEqual([
      { channelId: id, ok: false, error: 'no chat is connected to the channel yet' },
    ])
    await write(ann, `/start ${token}`)
    expect((await acme.api('POST', `/v1/channels/${id}/test`)).body.outcomes).toEqual([
      { channelId: id, ok: true, error: null },
    ])
    telegram.said.length = 0
    const [held] = (await acme.api('GET', `/v1/channels/${id}/deliveries`)).body.data
    expect((await acme.api('POST', `/v1/deliveries/${held.id}/retry`, { requestId: randomUUID() })).status).toBe(202)
    pipeline.deliver.wake()
    await soon(() =>
      expect(telegram.said).toMatchObject([{ chatId: ann.chatId, shown: expect.stringContaining('Waiting') }]),
    )
  })

  test('that meets a chat which has shut the bot out switches the channel off and cancels what waits', async () => {
    const id = await connected(ann)
    await rule(id)
    telegram.chats.set(ann.chatId, { state: 'blocked' })
    await happens('One')
    await happens('Two')
    await soon(async () => expect((await channelOf(id)).enabled).toBe(false))
    await soon(async () => {
      for (const item of await log(id))
        expect(item).toMatchObject({ status: 'cancelled', error: 'the bot was blocked or removed from the chat' })
    })
    expect(telegram.said).toEqual([])
  })

  test('follows a group to its new id', async () => {
    const group = groupOf(-702)
    const id = await connected(group)
    await rule(id)
    telegram.chats.set(group.chatId, { state: { movedTo: -1005550001112223 } })
    telegram.chats.set('-1005550001112223', { state: 'open' })
    await happens('After the move')
    await soon(async () => expect((await channelOf(id)).config.chatId).toBe('-1005550001112223'))
    await eventually(() => expect(telegram.said.map(({ chatId }) => chatId)).toEqual(['-1005550001112223']), {
      clock: world.clock,
      stepMs: SECOND_MS,
    })
  })

  test('waits as long as Telegram asks, and those behind it wait too without using up an attempt', async () => {
    const id = await connected(ann)
    await rule(id)
    telegram.faults.push({
      method: 'sendMessage',
      status: 429,
      body: { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 60 } },
    })
    await happens('First')
    await soon(async () => expect(await log(id)).toMatchObject([{ status: 'pending', attempts: 1 }]))
    const began = world.clock.now().getTime()
    await happens('Second')
    await eventually(() => expect(telegram.said).toHaveLength(2), { clock: world.clock, stepMs: SECOND_MS })
    expect(world.clock.now().getTime() - began).toBeGreaterThanOrEqual(55 * SECOND_MS)
    await soon(async () => expect((await log(id)).map(({ attempts }) => attempts).sort()).toEqual([1, 2]))
  })

  test('among many goes at the pace of the chat, each in a single attempt', async () => {
    const id = await connected(ann)
    await rule(id)
    const began = world.clock.now().getTime()
    for (const text of ['One', 'Two', 'Three', 'Four']) await happens(text)
    await soon(() => expect(telegram.said).toHaveLength(4))
    expect(world.clock.now().getTime() - began).toBeGreaterThanOrEqual(3 * SECOND_MS)
    await soon(async () =>
      expect(await log(id)).toEqual(
        Array.from({ length: 4 }, () => ({ status: 'delivered', attempts: 1, error: null })),
      ),
    )
  })
})

describe('a channel', () => {
  test('takes only the events that call for attention', async () => {
    const { status, body } = await acme.api('POST', '/v1/channels', { kind: 'telegram', events: ['wallet.low'] })
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
    const { id } = await created()
    const changed = await acme.api('PATCH', `/v1/channels/${id}`, { events: ['wallet.low'] })
    expect([changed.status, changed.body.error.code]).toEqual([400, 'validation_error'])
  })

  test('has neither an address nor a secret', async () => {
    const { id } = await created()
    for (const change of [{ url: 'https://example.org/' }, { headers: { 'x-a': 'b' } }])
      expect((await acme.api('PATCH', `/v1/channels/${id}`, change)).body.error.code).toBe('validation_error')
    expect((await acme.api('POST', `/v1/channels/${id}/rotate-secret`)).status).toBe(409)
  })

  test('cannot be made without a bot', async () => {
    const { channels } = world.services
    world.services.channels = Object.assign(new Map([...channels].filter(([kind]) => kind !== 'telegram')), {
      setupOf: channels.setupOf,
      inspections: channels.inspections,
    })
    const { status, body } = await acme.api('POST', '/v1/channels', { kind: 'telegram' })
    world.services.channels = channels
    expect([status, body.error.code]).toEqual([503, 'telegram_not_configured'])
  })
})
