import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'
import type { TelegramBot } from '../contract.ts'
import { readAnswer } from './answer.ts'
import type { TelegramAccount, TelegramDoor } from './door.ts'

export interface TelegramBotOptions extends TelegramAccount {
  door: TelegramDoor
  /** Sent along with every update; null for one derived from the token. */
  webhookSecret: string | null
  clock: Clock
}

/** What the service is told of. */
const UPDATES = ['message', 'my_chat_member']
/** Somebody waits for what is asked. */
const CALL_LIMIT_MS = 5 * SECOND_MS
/** How long nobody asks again who the bot is when Telegram did not say. */
const NAMELESS_MS = 5 * SECOND_MS
const POLL_SECONDS = 25
const POLL_LIMIT_MS = (POLL_SECONDS + 10) * SECOND_MS
/** Updates in one answer, so that it stays far below the largest that is read. */
const POLL_UPDATES = 20
const ANSWER_BYTES_MAX = 4 * 1024 * 1024

const me = z.object({ username: z.string().regex(/^\w{1,64}$/) })

type Called = { result: unknown } | { failed: string }

/** What is asked of Telegram beside sending deliveries. Nothing is asked before the first call. */
export function createTelegramBot({ token, webhookSecret, door, clock }: TelegramBotOptions): TelegramBot {
  const secret =
    webhookSecret ?? createHmac('sha256', token).update('what Telegram says to the hook').digest('base64url')
  const secretHash = hashOf(secret)
  let known: string | null = null
  let asking: Promise<string | null> | null = null
  let namelessUntilMs = Number.NEGATIVE_INFINITY

  async function call(method: string, body: object, limitMs: number, signal?: AbortSignal): Promise<Called> {
    try {
      const [status, reply] = await withLimit(limitMs, signal, async (ending) => {
        const { statusCode, body: stream } = await door.dispatcher.request({
          origin: door.origin,
          path: door.pathOf(method),
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: ending,
          headersTimeout: 0,
          bodyTimeout: 0,
        })
        return [statusCode, await readBounded(stream)] as const
      })
      const answer = readAnswer(reply)
      if (answer?.ok) return { result: answer.result }
      return {
        failed:
          answer?.description === undefined
            ? `status ${status}`
            : `status ${status}: ${excerpt(cleanLine(answer.description), 200)}`,
      }
    } catch (error) {
      return { failed: codeOf(error) }
    }
  }

  async function askName(): Promise<string | null> {
    const asked = await call('getMe', {}, CALL_LIMIT_MS)
    const read = me.safeParse('result' in asked ? asked.result : null)
    if (read.success) known = read.data.username
    else namelessUntilMs = clock.now().getTime() + NAMELESS_MS
    return known
  }

  return {
    id: token.slice(0, token.indexOf(':')),
    async name() {
      if (known !== null || clock.now().getTime() < namelessUntilMs) return known
      asking ??= askName().finally(() => {
        asking = null
      })
      return asking
    },
    knows: (given) => timingSafeEqual(hashOf(given), secretHash),
    say: async (chatId, text) =>
      failureOf(
        await call(
          'sendMessage',
          { chat_id: chatId, text, link_preview_options: { is_disabled: true } },
          CALL_LIMIT_MS,
        ),
      ),
    receiveAt: async (url) =>
      failureOf(await call('setWebhook', { url, secret_token: secret, allowed_updates: UPDATES }, CALL_LIMIT_MS)),
    async poll(last, signal) {
      const wanted = {
        timeout: POLL_SECONDS,
        limit: POLL_UPDATES,
        allowed_updates: UPDATES,
        ...(last === null ? {} : { offset: last + 1 }),
      }
      const asked = await call('getUpdates', wanted, POLL_LIMIT_MS, signal)
      if ('failed' in asked) return asked
      return Array.isArray(asked.result) ? { updates: asked.result } : { failed: 'the answer is no list' }
    },
    close: () => door.close(),
  }
}

function failureOf(called: Called): string | null {
  return 'failed' in called ? called.failed : null
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** By a timer of our own: signals that the platform joins may be collected as garbage before they ring. */
async function withLimit<Result>(
  limitMs: number,
  signal: AbortSignal | undefined,
  work: (ending: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = setTimeout(end, limitMs)
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end, { once: true })
  try {
    return await work(ending.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > ANSWER_BYTES_MAX) throw Object.assign(new Error('too long'), { code: 'ANSWER_TOO_LONG' })
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** No text of an error: some repeat the address, in which the token stands. */
function codeOf(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : cause instanceof Error ? cause.name : ''
  return /^\w{1,60}$/.test(code) ? code : 'network error'
}
