import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTelegram, type Telegram } from '../../src/channels/telegram/telegram.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { PUBLIC_URL } from '../world.ts'

export const BOT_TOKEN = '110201543:stand-in_Token'
export const BOT_NAME = 'earshot_test_bot'
export const BOT_SECRET = 'agreed-with-telegram'
export const MESSAGE_MAX = 4096

/** A message that somebody in a chat can read. */
export interface Said {
  chatId: string
  /** As it is shown: without markup, its escapes undone. */
  shown: string
  /** As it was sent. */
  markup: string
  /** Where the markup leads. */
  links: string[]
  buttons: { text: string; url: string }[]
}

/** What becomes of the next calls of a method. */
export interface Fault {
  method: string
  status: number
  body?: object
}

/**
 * A server of the Bot API on this machine, as strict as the real one where it matters, with one bot and the chats that
 * know it.
 */
export interface TelegramStandIn {
  url: string
  /** The way to it as an installation sets it up. */
  telegram(clock: Clock): Telegram
  /** Chats by their id; what is sent to another one is refused. */
  chats: Map<string, { state: 'open' | 'blocked' | 'kicked' | { movedTo: number } }>
  said: Said[]
  /** The names of the methods that were called, in order. */
  calls: string[]
  faults: Fault[]
  /** What the bot is asked to be called at; null while it is not. */
  hook: { url: string; secret_token: string; allowed_updates: string[] } | null
  /** Updates that wait for whoever asks. */
  waiting: { update_id: number }[]
  /** An update with a number of its own. */
  update(content: object): { update_id: number }
  close(): Promise<void>
}

export async function createTelegramStandIn(): Promise<TelegramStandIn> {
  let updates = 1000
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  const standIn: TelegramStandIn = {
    url,
    telegram: (clock) =>
      createTelegram({ token: BOT_TOKEN, apiUrl: url, webhookSecret: BOT_SECRET, publicUrl: PUBLIC_URL, clock }),
    chats: new Map(),
    said: [],
    calls: [],
    faults: [],
    hook: null,
    waiting: [],
    update(content) {
      updates += 1
      return { update_id: updates, ...content }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const [, token, method] = /^\/api\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    const [status, body] =
      token === BOT_TOKEN
        ? carryOut(method!, JSON.parse(Buffer.concat(chunks).toString('utf8')))
        : refusal(401, 'Unauthorized')
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  function carryOut(method: string, input: Record<string, unknown>): Answer {
    standIn.calls.push(method)
    const fault = standIn.faults.find((fault) => fault.method === method)
    if (fault !== undefined) {
      standIn.faults.splice(standIn.faults.indexOf(fault), 1)
      return [fault.status, fault.body ?? {}]
    }
    switch (method) {
      case 'getMe':
        return [200, { ok: true, result: { id: 110201543, is_bot: true, first_name: 'Earshot', username: BOT_NAME } }]
      case 'setWebhook':
        if (!String(input['url']).startsWith('https:'))
          return refusal(400, 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook')
        standIn.hook = input as unknown as TelegramStandIn['hook']
        return [200, { ok: true, result: true }]
      case 'getUpdates':
        if (standIn.hook !== null) return refusal(409, "Conflict: can't use getUpdates method while webhook is active")
        standIn.waiting = standIn.waiting.filter(({ update_id }) => update_id >= Number(input['offset'] ?? 0))
        return [200, { ok: true, result: standIn.waiting }]
      case 'sendMessage':
        return say(input as unknown as Message)
      default:
        return refusal(404, 'Not Found')
    }
  }

  function say({ chat_id, text, parse_mode, reply_markup }: Message): Answer {
    const chatId = String(chat_id)
    const chat = standIn.chats.get(chatId)
    if (chat === undefined) return refusal(400, 'Bad Request: chat not found')
    if (chat.state === 'blocked') return refusal(403, 'Forbidden: bot was blocked by the user')
    if (chat.state === 'kicked') return refusal(403, 'Forbidden: bot was kicked from the group chat')
    if (chat.state !== 'open')
      return refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: chat.state.movedTo,
      })
    const read = parse_mode === 'HTML' ? readMarkup(text) : { shown: text, links: [] }
    if ('problem' in read) return refusal(400, `Bad Request: can't parse entities: ${read.problem}`)
    if (read.shown.trim() === '') return refusal(400, 'Bad Request: message text is empty')
    if (read.shown.length > MESSAGE_MAX) return refusal(400, 'Bad Request: message is too long')
    const buttons = reply_markup?.inline_keyboard.flat() ?? []
    if (!buttons.every(({ url }) => /^https?:\/\/[^/]+\.[a-z]/i.test(url)))
      return refusal(400, 'Bad Request: inline keyboard button URL is invalid')
    standIn.said.push({ chatId, markup: text, buttons, ...read })
    return [200, { ok: true, result: { message_id: standIn.said.length, text } }]
  }
  return standIn
}

type Answer = [status: number, body: object]

interface Message {
  chat_id: number | string | null
  text: string
  parse_mode?: string
  reply_markup?: { inline_keyboard: { text: string; url: string }[][] }
}

function refusal(status: number, description: string, parameters?: object): Answer {
  return [status, { ok: false, error_code: status, description, ...(parameters === undefined ? {} : { parameters }) }]
}

const TAGS = new Set(['b', 'i', 'a', 'u', 's', 'code', 'pre', 'blockquote'])
const ESCAPES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
}

/** Reads markup as Telegram does: known tags, each closed in its turn, and nothing left that could be taken for one. */
export function readMarkup(markup: string): { shown: string; links: string[] } | { problem: string } {
  const open: string[] = []
  const links: string[] = []
  let shown = ''
  for (const [piece] of markup.matchAll(/<[^>]*>|&(?:lt|gt|amp|quot|#39);|[\s\S]/g)) {
    if (piece in ESCAPES) shown += ESCAPES[piece]
    else if (piece === '&' || piece === '<' || piece === '>') return { problem: `a loose ${piece}` }
    else if (piece.length === 1) shown += piece
    else {
      const [, closing, name, attribute] = /^<(\/?)(\w+)(?: href="([^"<>]*)")?>$/.exec(piece) ?? []
      if (name === undefined || !TAGS.has(name)) return { problem: `unsupported tag ${piece}` }
      if (attribute !== undefined) links.push(attribute.replace(/&\w+;|&#39;/g, (text) => ESCAPES[text] ?? text))
      if (closing === '') open.push(name)
      else if (open.pop() !== name) return { problem: `unexpected end tag ${piece}` }
    }
  }
  return open.length > 0 ? { problem: `no end tag of ${open.join(', ')}` } : { shown, links }
}
