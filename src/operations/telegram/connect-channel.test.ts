import { expect, test } from 'vitest'
import { BOT_NAME, createTelegramStandIn } from '../../../test/stand-ins/telegram.ts'
import { useFreshWorkspace, useResource, useWorld } from '../../../test/use-world.ts'
import { SECOND_MS } from '../../kernel/clock.ts'

const telegram = useResource(createTelegramStandIn)
const world = useWorld(() => ({ telegram: telegram.telegram }))
const acme = useFreshWorkspace(world, 'Acme')

test('each link is another one, in this answer only, and the channel stays as it is', async () => {
  // Before anybody knows the name of the bot, Telegram may be away for a moment.
  telegram.faults.push({ method: 'getMe', status: 502 })
  const refused = await acme.api('POST', '/v1/channels', { kind: 'telegram' })
  expect([refused.status, refused.body.error.code]).toEqual([502, 'upstream_unavailable'])
  expect((await acme.api('GET', '/v1/channels')).body.data).toEqual([])

  // It is left alone for some seconds then.
  await world.clock.advance(5 * SECOND_MS)
  const { id, config } = (await acme.api('POST', '/v1/channels', { kind: 'telegram' })).body
  const links = [config.connectUrl]
  for (let times = 0; times < 3; times += 1) {
    const { status, body } = await acme.api('POST', `/v1/channels/${id}/connect`)
    expect([status, body]).toMatchObject([
      200,
      { id, label: 'Telegram', enabled: true, config: { chatId: null, chatType: null, events: [] } },
    ])
    links.push(body.config.connectUrl)
  }
  expect(new Set(links).size).toBe(4)
  for (const link of links)
    expect(link).toMatch(new RegExp(`^https://t\\.me/${BOT_NAME}\\?start=[A-Za-z0-9_-]{40,64}$`))
  expect(JSON.stringify((await acme.api('GET', '/v1/channels')).body)).not.toContain('connectUrl')
  // Who the bot is does not change.
  expect(telegram.calls).toEqual(['getMe', 'getMe'])
})

test('a channel of another kind has no chat', async () => {
  const { id } = (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://receiver.example/' })).body
  const { status, body } = await acme.api('POST', `/v1/channels/${id}/connect`)
  expect([status, body.error.code]).toEqual([409, 'conflict'])
})

test('without a bot there is nobody to speak to', async () => {
  const { id } = (await acme.api('POST', '/v1/channels', { kind: 'telegram' })).body
  const bot = world.services.telegram
  world.services.telegram = null
  const { status, body } = await acme.api('POST', `/v1/channels/${id}/connect`)
  world.services.telegram = bot
  expect([status, body.error.code]).toEqual([503, 'telegram_not_configured'])
})

test('while Telegram is asked who the bot is, no connection to the database is held', async () => {
  const bot = world.services.telegram!
  const busy: number[] = []
  const name = async () => {
    busy.push(world.db.connections().busy)
    return bot.name()
  }
  world.services.telegram = { ...bot, name }
  expect((await acme.api('POST', '/v1/channels', { kind: 'telegram' })).status).toBe(201)
  world.services.telegram = bot
  expect(busy).toEqual([0])
})
