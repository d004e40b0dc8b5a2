import { afterEach, describe, expect, test } from 'vitest'
import { useFreshResource } from '../../../test/use-world.ts'
import { systemClock } from '../../kernel/clock.ts'
import { AT, LIMIT_MS, senderConformance } from '../conformance.suite.ts'
import type { SendResult } from '../contract.ts'
import { type LocalReceiver, type Situation, startLocalReceiver } from '../local-receiver.suite.ts'
import { createTelegramClient, type TelegramClient } from './client.ts'
import { createTelegramSender } from './sender.ts'

const TOKEN = '110201543:a-secret_Token'
const CHAT = '-1001234567890123'

function fixtureFor(receiver: LocalReceiver) {
  const client = createTelegramClient({ token: TOKEN, apiUrl: `http://127.0.0.1:${receiver.port}/telegram` })
  return {
    sender: createTelegramSender({ client, clock: systemClock, publicUrl: 'https://earshot.test', limitMs: LIMIT_MS }),
    stored: { chatId: CHAT, chatType: 'supergroup', chatName: 'Team' },
    secrets: [TOKEN, 'a-secret_Token'],
    close: () => client.close(),
    client,
  }
}

senderConformance('telegram', fixtureFor, (response) => response.end('{"ok":true,"result":{"message_id":1}}'))

describe('what Telegram answers', () => {
  let client: TelegramClient
  const receiver = useFreshResource(startLocalReceiver)
  afterEach(() => client.close())

  async function sent(situation: Situation): Promise<SendResult> {
    receiver.play(situation)
    const fixture = fixtureFor(receiver)
    client = fixture.client
    const request = fixture.sender.render(
      { id: 'dlv_1', kind: 'test', event: 'test', alerts: [], data: { message: 'Hello' } },
      { chatId: CHAT },
      AT,
    )
    const result = await fixture.sender.send(request, new AbortController().signal)
    expect(JSON.stringify(result)).not.toContain(TOKEN)
    return result
  }
  const refused = (status: number, description: string, parameters?: object): Situation => ({
    kind: 'answers',
    status,
    body: JSON.stringify({ ok: false, error_code: status, description, ...(parameters && { parameters }) }),
  })

  test('is asked for by the name of the bot, with the chat as text', async () => {
    await sent({ kind: 'answers', status: 200, body: '{"ok":true,"result":{}}' })
    expect(receiver.received[0]).toMatchObject({ method: 'POST', path: `/telegram/bot${TOKEN}/sendMessage` })
    expect(JSON.parse(receiver.received[0]!.body.toString())).toMatchObject({
      chat_id: CHAT,
      text: 'Hello',
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    })
  })

  test.each([
    [
      'a chat that shut the bot out',
      refused(403, 'Forbidden: bot was blocked by the user'),
      { outcome: 'permanent', status: 403, learned: { kind: 'gone', chatId: CHAT } },
    ],
    [
      'a group that moved',
      refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: -1009876543210987,
      }),
      {
        outcome: 'temporary',
        status: 400,
        retryAfterSeconds: null,
        learned: { kind: 'moved', chatId: CHAT, to: '-1009876543210987' },
      },
    ],
    [
      'too many messages',
      refused(429, 'Too Many Requests: retry after 35', { retry_after: 35 }),
      {
        outcome: 'temporary',
        status: 429,
        retryAfterSeconds: 35,
        learned: { kind: 'busy', chatId: CHAT, forSeconds: 35 },
      },
    ],
    [
      'an endless wait, which is cut to an hour',
      refused(429, 'Too Many Requests', { retry_after: 1e12 }),
      { outcome: 'temporary', retryAfterSeconds: 3600 },
    ],
    [
      'a chat that it does not know',
      refused(400, 'Bad Request: chat not found'),
      { outcome: 'permanent', status: 400, reason: 'Telegram does not know the chat' },
    ],
    [
      'a right that is missing',
      refused(400, 'Bad Request: not enough rights to send text messages to the chat'),
      { outcome: 'permanent', reason: 'the bot may not write in the chat' },
    ],
    [
      'a token that is wrong',
      refused(401, 'Unauthorized'),
      { outcome: 'permanent', status: 401, reason: "Telegram refused the bot's token" },
    ],
    [
      'a token that was taken back',
      refused(404, 'Not Found'),
      { outcome: 'permanent', status: 404, reason: "Telegram refused the bot's token" },
    ],
    ['an outage', refused(502, 'Bad Gateway'), { outcome: 'temporary', status: 502 }],
    [
      'a description of no kind',
      refused(400, `Bad Request: ${CHAT} <b>x`),
      { outcome: 'permanent', reason: 'Telegram refused the message' },
    ],
    [
      'a page of somebody else',
      { kind: 'answers', status: 200, body: '<html>Please sign in' },
      { outcome: 'temporary', status: 200, reason: 'the reply is not from Telegram' },
    ],
    [
      'a long answer that is cut off',
      { kind: 'answers', status: 200, body: `{"ok":true,"result":{"text":"${'x'.repeat(9000)}"}}` },
      { outcome: 'delivered', status: 200 },
    ],
  ] as [string, Situation, object][])('%s is told apart', async (_, situation, outcome) => {
    expect(await sent(situation)).toMatchObject(outcome)
  })

  test.each([
    ['a proxy that shuts us out', { kind: 'answers', status: 403, body: 'Forbidden' }],
    ['a proxy that speaks JSON', { kind: 'answers', status: 403, body: '{"error":"forbidden"}' }],
    ['an id that is none', refused(400, 'Bad Request', { migrate_to_chat_id: 'elsewhere' })],
    [
      'an id that cannot be counted',
      { kind: 'answers', status: 400, body: '{"ok":false,"parameters":{"migrate_to_chat_id":1e30}}' },
    ],
  ] as [string, Situation][])('%s says nothing of the chat', async (_, situation) => {
    const result = await sent(situation)
    expect(result).toMatchObject({ outcome: 'permanent' })
    expect(result.learned).toBeUndefined()
  })
})
