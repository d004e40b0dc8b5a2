import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../test/stand-ins/pipeline.ts'
import { BOT_SECRET, BOT_TOKEN, createTelegramStandIn } from '../../test/stand-ins/telegram.ts'
import { useResource, useWorkspace, useWorld } from '../../test/use-world.ts'
import { MINUTE_MS, plus, SECOND_MS, systemClock } from '../kernel/clock.ts'
import { sql } from '../store/database.ts'
import { receiveTelegram, telegramOf } from './telegram.ts'

const telegram = useResource(createTelegramStandIn)
const world = useWorld(() => ({ telegram: telegram.telegram }))
const acme = useWorkspace(world, 'Acme')
let ending: AbortController
let running: Promise<unknown>[]
beforeEach(() => {
  ending = new AbortController()
  running = []
  telegram.hook = null
  telegram.waiting = []
  telegram.said.length = 0
  telegram.calls.length = 0
  telegram.chats.set('42', { state: 'open' })
})
afterEach(async () => {
  ending.abort()
  await Promise.all(running)
})

const start = (text: string) =>
  telegram.update({ message: { chat: { id: 42, type: 'private', first_name: 'Ann' }, text } })
/** As on a machine that Telegram cannot reach. */
const pollUntil = (signal: AbortSignal) =>
  receiveTelegram({ ...world.services, publicUrl: 'http://localhost:4400' }, signal)
const poll = () => running.push(pollUntil(ending.signal))
const soon = (check: () => unknown) => eventually(check, { clock: world.clock, stepMs: SECOND_MS })

test('an installation without a token has no bot', () => {
  expect(telegramOf({ telegram: null, publicUrl: 'https://earshot.test' }, systemClock)).toBeNull()
})

test('Telegram is told where to call, with the secret and only what matters, and is asked again until it agrees', async () => {
  telegram.faults.push({
    method: 'setWebhook',
    status: 400,
    body: { ok: false, error_code: 400, description: 'Bad Request: bad webhook: Failed to resolve host' },
  })
  running.push(receiveTelegram(world.services, ending.signal))
  await eventually(() =>
    expect(world.logged.some(({ problem }) => String(problem).includes('Failed to resolve host'))).toBe(true),
  )
  expect(telegram.hook).toBeNull()
  await eventually(() => expect(telegram.hook).not.toBeNull(), { clock: world.clock, stepMs: MINUTE_MS })
  expect(telegram.hook).toEqual({
    url: 'https://earshot.test/hooks/telegram',
    secret_token: BOT_SECRET,
    allowed_updates: ['message', 'my_chat_member'],
  })
  await Promise.all(running)
})

test('where Telegram cannot call, what is said to the bot is asked for, and confirmed by the next question', async () => {
  const { id, config } = (await acme.api('POST', '/v1/channels', { kind: 'telegram' })).body
  telegram.waiting = [start(`/start ${new URL(config.connectUrl).searchParams.get('start')}`), start('/start')]
  poll()
  await soon(() => expect(telegram.said).toHaveLength(2))
  expect((await acme.api('GET', `/v1/channels/${id}`)).body.config.chatId).toBe('42')
  await soon(() => expect(telegram.waiting).toEqual([]))
})

test('what was not confirmed is told again and does nothing twice', async () => {
  telegram.waiting = [start('/start')]
  const [same] = telegram.waiting
  poll()
  await soon(() => expect(telegram.waiting).toEqual([]))
  telegram.waiting = [same!]
  ending.abort()
  await Promise.all(running)
  ending = new AbortController()
  poll()
  await soon(() => expect(telegram.waiting).toEqual([]))
  expect(telegram.said).toHaveLength(1)
})

test('a server that tells the same again and again, whatever was confirmed, is asked once a second', async () => {
  const same = { method: 'getUpdates', status: 200, body: { ok: true, result: [{ update_id: 7 }, { update_id: 5 }] } }
  telegram.faults.push(...Array.from({ length: 1000 }, () => same))
  poll()
  const asked = () => telegram.calls.filter((name) => name === 'getUpdates').length
  await eventually(() => expect(asked()).toBe(2))
  // The time of the world stands still, and so does whoever waits for the next second.
  await acme.api('GET', '/v1/channels')
  await acme.api('GET', '/v1/channels')
  expect(asked()).toBe(2)
  await soon(() => expect(asked()).toBeGreaterThan(3))
  telegram.faults.length = 0
})

test('of several processes one asks, and another one as soon as it has ended', async () => {
  const first = new AbortController()
  const item = pollUntil(first.signal)
  await soon(() => expect(telegram.calls).toContain('getUpdates'))
  const holders = () => world.db.query<{ holder: string }>(sql`select holder from telegram_poller`)
  const [holder] = await holders()
  poll()
  // Longer than a lease lasts, while the first one has the time to renew its own.
  const until = plus(world.clock.now(), 70 * SECOND_MS)
  while (world.clock.now() < until) {
    const asked = telegram.calls.length
    await eventually(() => expect(telegram.calls.length).toBeGreaterThan(asked), { clock: world.clock, stepMs: 100 })
  }
  expect(await holders()).toEqual([holder])
  first.abort()
  await item
  await soon(async () =>
    expect((await holders()).map((row) => row.holder)).toEqual([expect.not.stringMatching(holder!.holder)]),
  )
})

test('a bot whose updates go elsewhere is complained of once, without its token', async () => {
  telegram.hook = { url: 'https://elsewhere.example/', secret_token: 'x', allowed_updates: [] }
  poll()
  const complaints = () => world.logged.filter(({ problem }) => String(problem).includes('409'))
  await soon(() => expect(telegram.calls.filter((name) => name === 'getUpdates').length).toBeGreaterThan(2))
  expect(complaints()).toHaveLength(1)
  expect(telegram.hook).not.toBeNull()
  expect(JSON.stringify(world.logged)).not.toContain(BOT_TOKEN)
})
