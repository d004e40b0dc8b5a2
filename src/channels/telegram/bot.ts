import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'
import type { TelegramBot } from '../contract.ts'
import { readAnswer } from './answer.ts'
import type { TelegramAccount, TelegramClient } from './client.ts'

export interface TelegramBotOptions extends TelegramAccount {
  client: TelegramClient
  /** Sent with every update; null for one derived from the token. */
  webhookSecret: string | null
  clock: Clock
}

const UPDATES = ['message', 'my_chat_member']
/** Somebody waits for these calls. */
const CALL_LIMIT_MS = 5 * SECOND_MS
const NAMELESS_MS = 5 * SECOND_MS
const POLL_SECONDS = 25
const POLL_LIMIT_MS = (POLL_SECONDS + 10) * SECOND_MS
/** Keeps a reply far below ANSWER_BYTES_MAX. */
const POLL_UPDATES = 20
const ANSWER_BYTES_MAX = 4 * 1024 * 1024

const me = z.object({ username: z.string().regex(/^\w{1,64}$/) })

type Called = { result: unknown } | { failed: string }

/** Calls other than deliveries, none before the first use. */
export function createTelegramBot(options: TelegramBotOptions): TelegramBot {
  const { token, webhookSecret, client, clock } = options
  const secret =
    webhookSecret ?? createHmac('sha256', token).update('what Telegram says to the hook').digest('base64url')
  const secretHash = hashOf(secret)
  const name = new BotName(client, clock)
  return {
    id: token.slice(0, token.indexOf(':')),
    name: () => name.get(),
    knows: (given) => timingSafeEqual(hashOf(given), secretHash),
    async say(chatId, text) {
      const message = { chat_id: chatId, text, link_preview_options: { is_disabled: true } }
      return failureOf(await call(client, 'sendMessage', message, { limitMs: CALL_LIMIT_MS }))
    },
    async receiveAt(url) {
      const hook = { url, secret_token: secret, allowed_updates: UPDATES }
      return failureOf(await call(client, 'setWebhook', hook, { limitMs: CALL_LIMIT_MS }))
    },
    poll: (last, signal) => poll(client, last, signal),
    close: () => client.close(),
  }
}

/** A failed request is not repeated at once. */
class BotName {
  private readonly client: TelegramClient
  private readonly clock: Clock
  private known: string | null = null
  private asking: Promise<string | null> | null = null
  private namelessUntilMs = Number.NEGATIVE_INFINITY

  constructor(client: TelegramClient, clock: Clock) {
    this.client = client
    this.clock = clock
  }

  async get(): Promise<string | null> {
    if (this.known !== null || this.clock.now().getTime() < this.namelessUntilMs) return this.known
    this.asking ??= this.ask().finally(() => {
      this.asking = null
    })
    return this.asking
  }

  private async ask(): Promise<string | null> {
    const asked = await call(this.client, 'getMe', {}, { limitMs: CALL_LIMIT_MS })
    const read = me.safeParse('result' in asked ? asked.result : null)
    if (read.success) this.known = read.data.username
    else this.namelessUntilMs = this.clock.now().getTime() + NAMELESS_MS
    return this.known
  }
}

async function poll(client: TelegramClient, last: number | null, signal: AbortSignal): ReturnType<TelegramBot['poll']> {
  const wanted = {
    timeout: POLL_SECONDS,
    limit: POLL_UPDATES,
    allowed_updates: UPDATES,
    ...(last === null ? {} : { offset: last + 1 }),
  }
  const asked = await call(client, 'getUpdates', wanted, { limitMs: POLL_LIMIT_MS, signal })
  if ('failed' in asked) return asked
  return Array.isArray(asked.result) ? { updates: asked.result } : { failed: 'the answer is no list' }
}

async function call(
  client: TelegramClient,
  method: string,
  body: object,
  { limitMs, signal }: { limitMs: number; signal?: AbortSignal },
): Promise<Called> {
  try {
    const [status, reply] = await withLimit(limitMs, signal, (ending) => post(client, method, body, ending))
    const answer = readAnswer(reply)
    if (answer?.ok) return { result: answer.result }
    const description = answer?.description
    const said = description === undefined ? '' : `: ${excerpt(cleanLine(description), 200)}`
    return { failed: `status ${status}${said}` }
  } catch (error) {
    return { failed: codeOf(error) }
  }
}

async function post(
  client: TelegramClient,
  method: string,
  body: object,
  signal: AbortSignal,
): Promise<[status: number, reply: string]> {
  const { statusCode, body: stream } = await client.dispatcher.request({
    origin: client.origin,
    path: client.pathOf(method),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return [statusCode, await readBounded(stream)]
}

function failureOf(called: Called): string | null {
  return 'failed' in called ? called.failed : null
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Signals joined by AbortSignal.any may be garbage collected before they abort. */
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

/** Some error texts repeat the address, which holds the token. */
function codeOf(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error
  if (!(cause instanceof Error)) return 'network error'
  const code = 'code' in cause ? String(cause.code) : cause.name
  return /^\w{1,60}$/.test(code) ? code : 'network error'
}
