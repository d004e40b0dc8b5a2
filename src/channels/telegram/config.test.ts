import { expect, test } from 'vitest'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { createTelegramSetup } from './config.ts'

const setup = createTelegramSetup()
const created = (input: Parameters<typeof setup.create>[0] = {}) => {
  const settings = setup.create(input)
  if (isRefusal(settings)) throw new Error(settings.message)
  return settings
}
const CHAT = { chatId: '-1001234567890123', chatType: 'supergroup', chatName: 'Team' }

test('a channel begins without a chat, and without a secret', () => {
  expect(created()).toEqual({ label: 'Telegram', config: { chatId: null, chatType: null, chatName: null }, events: [] })
  expect(setup.newSecret()).toBeNull()
})

test('the default label of a channel with a chat is the name of the chat, and the chat stays', () => {
  expect(created(CHAT)).toEqual({ label: 'Team', config: CHAT, events: [] })
})

test('it takes the events that call for attention and no others', () => {
  expect(created({ events: ['mention.spike', 'channel.failing', 'mention.spike'] }).events).toEqual([
    'mention.spike',
    'channel.failing',
  ])
  expect(setup.create({ events: ['wallet.low'] })).toMatchObject({
    code: 'validation_error',
    message: expect.stringMatching(/^events: "wallet.low" is none of mention\.spike, /),
  })
})

test('label and events change, the chat does not, and nothing waiting is cancelled', () => {
  const current = created(CHAT)
  expect(setup.change(current, { label: 'Ours', events: ['keyword.noisy'] })).toEqual({
    settings: { label: 'Ours', config: CHAT, events: ['keyword.noisy'] },
    cancelsUnsent: false,
  })
})

test.each([{ url: 'https://example.org/' }, { headers: {} }])(
  '%j is refused, because there is no such thing here',
  (input) => {
    expect(setup.change(created(), input)).toMatchObject({
      message: expect.stringMatching(/^(url|headers): is not a field of a Telegram channel$/),
    })
  },
)
