import { WebAPIPlatformError, WebClient, type WebClientOptions } from '@slack/web-api'
import { Agent } from 'undici'
import type { Clock } from '../../kernel/clock.ts'
import { type HttpReply, post } from '../http-attempt.ts'

/** The Web API of Slack, through Slack's own library. It repeats nothing: the queue of deliveries does. */
export interface SlackApi {
  call(method: string, parameters: Record<string, unknown>, how: CallOptions): Promise<SlackCall>
  /** Sends JSON to an address that Slack itself has named. */
  answer(address: string, body: object): Promise<HttpReply>
  close(): Promise<void>
}

export interface CallOptions {
  /** Null for calls by which the app shows itself instead. */
  token: string | null
  signal: AbortSignal
}

/** What became of a call: as HTTP, and in Slack's own words. */
export interface SlackCall {
  reply: HttpReply
  /** Null when Slack did what was asked, which it says in the body of the reply and not by its status. */
  code: string | null
  /** What it answered then; nothing of it is checked. */
  body: Record<string, unknown>
}

/** Our own word for a reply that is not one of Slack's. */
export const UNREADABLE = 'unreadable_reply'
/** Of a reply: a page of a list has some hundred KiB, and a message comes back whole. */
const REPLY_BYTES = 1024 * 1024

/** Slack waits three seconds for the reply to a press, before which it is answered. */
const ANSWER_LIMIT_MS = 1000

export interface SlackApiOptions {
  /** Where the Web API is. */
  url: string
  clock: Clock
  /** Within how many milliseconds Slack must reply. */
  limitMs: number
}

export function createSlackApi({ url, clock, limitMs }: SlackApiOptions): SlackApi {
  // The address is the operator's, so that it may be one of their own network; nobody else names one.
  const dispatcher = new Agent({ pipelining: 1 })
  return {
    async call(method, parameters, { token, signal }) {
      const replies: HttpReply[] = []
      const fetch: NonNullable<WebClientOptions['fetch']> = async (address, init) => {
        const reply = await post(
          requestOf(new URL(address), init),
          { dispatcher, clock, limitMs, keptBytes: REPLY_BYTES, bodyDecides: true },
          signal,
        )
        replies.push(reply)
        return responseOf(String(address), reply)
      }
      // One for each call, because a reply has to be told from those of others.
      const client = new WebClient(token ?? undefined, { slackApiUrl: url, fetch, ...ONCE })
      try {
        const body = await client.apiCall(method, parameters)
        return { reply: replies[0]!, code: null, body: { ...body } }
      } catch (error) {
        const [reply] = replies
        if (reply === undefined) throw error
        return { reply, code: error instanceof WebAPIPlatformError ? codeIn(error.data.error) : UNREADABLE, body: {} }
      }
    },
    answer(address, body) {
      const headers = ['Content-Type', 'application/json; charset=utf-8']
      const { origin, pathname, search } = new URL(address)
      const request = { origin, path: pathname + search, headers, body: Buffer.from(JSON.stringify(body)) }
      return post(request, { dispatcher, clock, limitMs: ANSWER_LIMIT_MS }, NEVER)
    },
    close: () => dispatcher.destroy(),
  }
}

const NEVER = new AbortController().signal

const nothing = () => undefined

/** Its own log would hold addresses and texts; what matters of a call is logged by whoever made it. */
const SILENT = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => 'error',
  setName: nothing,
} as unknown as NonNullable<WebClientOptions['logger']>

const ONCE: WebClientOptions = {
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  allowAbsoluteUrls: false,
  logger: SILENT,
}

type Fetched = Awaited<ReturnType<NonNullable<WebClientOptions['fetch']>>>
type FetchInit = Parameters<NonNullable<WebClientOptions['fetch']>>[1]

function requestOf({ origin, pathname, search }: URL, init: FetchInit) {
  return {
    origin,
    path: pathname + search,
    headers: Object.entries(init?.headers ?? {}).flat(),
    body: Buffer.from(String(init?.body ?? '')),
  }
}

function responseOf(url: string, reply: HttpReply): Fetched {
  if ('failed' in reply) throw new Error('no reply')
  const { status, retryAfter, excerpt } = reply
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
  const text = async () => excerpt.toString('utf8')
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText: '',
    url,
    headers,
    text,
    json: async () => JSON.parse(await text()),
    arrayBuffer: async () => new Uint8Array(excerpt).buffer,
  }
}

/** Slack's words are short; whatever is not like one of them is not repeated. */
function codeIn(error: unknown): string {
  return typeof error === 'string' && /^[a-z][a-z0-9_]{0,79}$/.test(error) ? error : UNREADABLE
}
