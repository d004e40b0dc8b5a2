import { z } from 'zod'
import { MAX_RETRY_AFTER_SECONDS } from '../../domain/delivery/lifecycle.ts'
import { refuseField } from '../../domain/refusal/refusal.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Sender, SendOutcome, SendResult, TelegramLearned } from '../contract.ts'
import { attemptHttp, type HttpAttemptOptions } from '../http-attempt.ts'
import { beginsWell, readAnswer } from './answer.ts'
import type { TelegramClient } from './client.ts'
import { messageOf } from './render.ts'

export interface TelegramConfig {
  /** Null until a chat is connected. */
  chatId: string | null
}

export interface TelegramRequest {
  chatId: string | null
  /** JSON without the address, which holds the token. */
  body: Buffer
}

export interface TelegramSenderOptions {
  client: TelegramClient
  clock: Clock
  publicUrl: string
  /** In milliseconds, 10,000 by default. */
  limitMs?: number
}

const REPLY_LIMIT_MS = 10 * SECOND_MS
const HEADERS = ['Content-Type', 'application/json']

const storedConfig = z.object({ chatId: z.string().nullable() })

export function createTelegramSender({
  client,
  clock,
  publicUrl,
  limitMs = REPLY_LIMIT_MS,
}: TelegramSenderOptions): Sender<TelegramConfig, TelegramRequest> {
  const attempt: HttpAttemptOptions = { dispatcher: client.dispatcher, clock, limitMs, bodyDecides: true }
  return {
    readConfig(stored) {
      const parsed = storedConfig.safeParse(stored)
      return parsed.success ? parsed.data : refuseField('config', 'cannot be read')
    },
    render(outgoing, { chatId }) {
      const { text, buttons } = messageOf(outgoing, publicUrl)
      const message = {
        chat_id: chatId,
        text,
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        ...(buttons.length === 0 ? {} : { reply_markup: { inline_keyboard: [buttons] } }),
      }
      return { chatId, body: Buffer.from(JSON.stringify(message)) }
    },
    shown: ({ body }) => ({ headers: { 'Content-Type': 'application/json' }, body: body.toString('utf8') }),
    async send({ chatId, body }, signal) {
      const result = await attemptHttp(
        { origin: client.origin, path: client.pathOf('sendMessage'), headers: HEADERS, body },
        attempt,
        signal,
      )
      return { ...result, ...judged(result, chatId) }
    },
  }
}

/** Only Telegram's own reply tells something about the chat. */
function judged(
  { status, replyExcerpt, ...result }: SendResult,
  chatId: string | null,
): (SendOutcome & { learned?: TelegramLearned }) | null {
  if (status === null) return null
  const reply = replyExcerpt ?? ''
  const answer = readAnswer(reply)
  if (result.outcome === 'delivered')
    return answer?.ok || beginsWell(reply)
      ? null
      : { outcome: 'temporary', reason: 'the reply is not from Telegram', retryAfterSeconds: null, status }
  if (answer === null || answer.ok || chatId === null) return null
  const { description = '', parameters } = answer
  const to = parameters?.migrate_to_chat_id
  if (status === 429 && parameters?.retry_after !== undefined) {
    const retryAfterSeconds = Math.min(Math.ceil(parameters.retry_after), MAX_RETRY_AFTER_SECONDS)
    const learned = { kind: 'busy', chatId, forSeconds: retryAfterSeconds } as const
    return {
      outcome: 'temporary',
      reason: 'Telegram asks for more time between messages',
      retryAfterSeconds,
      status,
      learned,
    }
  }
  if (status === 400 && to !== undefined)
    return {
      outcome: 'temporary',
      reason: 'the group has a new id',
      retryAfterSeconds: null,
      status,
      learned: { kind: 'moved', chatId, to: String(to) },
    }
  if (status === 403)
    return {
      outcome: 'permanent',
      reason: 'the bot was blocked or removed from the chat',
      status,
      learned: { kind: 'gone', chatId },
    }
  const reason = reasonOf(status, description)
  return reason === null ? null : { outcome: 'permanent', reason, status }
}

/** A description may repeat what was sent. */
function reasonOf(status: number, description: string): string | null {
  if (status === 401 || status === 404) return "Telegram refused the bot's token"
  if (status !== 400) return null
  if (/chat not found/i.test(description)) return 'Telegram does not know the chat'
  if (/rights|can't write|TOPIC_CLOSED|CHAT_WRITE_FORBIDDEN/i.test(description))
    return 'the bot may not write in the chat'
  return 'Telegram refused the message'
}
