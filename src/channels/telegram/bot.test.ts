import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock, type TestClock } from '../../../test/clock.ts'
import { createTelegramStandIn } from '../../../test/stand-ins/telegram.ts'
import { useResource } from '../../../test/use-world.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import type { TelegramBot } from '../contract.ts'

let clock: TestClock
let bot: TelegramBot
const standIn = useResource(createTelegramStandIn)
beforeAll(() => {
  clock = createTestClock()
  bot = standIn.telegram(clock).bot
})
afterAll(() => bot.close())

test('however many want to know who the bot is, Telegram is asked once, and not at once again when it did not say', async () => {
  standIn.faults.push({ method: 'getMe', status: 500 })
  const asked = () => standIn.calls.filter((name) => name === 'getMe').length
  expect(await Promise.all([bot.name(), bot.name(), bot.name()])).toEqual([null, null, null])
  expect([await bot.name(), asked()]).toEqual([null, 1])
  await clock.advance(5 * SECOND_MS)
  expect(await Promise.all([bot.name(), bot.name()])).toEqual([expect.any(String), expect.any(String)])
  expect([await bot.name(), asked()]).toEqual([expect.any(String), 2])
})
