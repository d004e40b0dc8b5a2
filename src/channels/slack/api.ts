import { WebAPIPlatformError, WebClient, type WebClientOptions } from '@slack/web-api'
import { Agent } from 'undici'
import type { Clock } from '../../kernel/clock.ts'
import { type HttpReply, post } from '../http-attempt.ts'

/** Makes no retries: the delivery queue does. */
export interface SlackApi {
  call(method: string, parameters: Record<string, unknown>, how: CallOptions): Promise<SlackCall>
  answer(address: string, body: object): Promise<HttpReply>
  close(): Promise<void>
}

export interface CallOptions {
  /** Null for calls that authenticate as the app. */
  token: string | null
  signal: AbortSignal
}

export interface SlackCall {
  reply: HttpReply
  /** Null on success, which only the body tells. */
  code: string | null
  /** Not validated. */
  body: Record<string, unknown>
}

export const UNREADABLE = 'unreadable_reply'
/** Lists have some hundred KiB a page, and messages are echoed. */
const REPLY_BYTES = 1024 * 1024

/** Slack waits three seconds for the reply to a press, which follows this call. */
const ANSWER_LIMIT_MS = 1000

export interface SlackApiOptions {
  url: string
  clock: Clock
  limitMs: number
}

export function createSlackApi({ url, clock, limitMs }: SlackApiOptions): SlackApi {
  // The operator's address may be in their own network.
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
      // One client per call, to attribute replies.
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

/** Slack's log would hold addresses and texts. */
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

/** Hides texts that are no code. */
function codeIn(error: unknown): string {
  return typeof error === 'string' && /^[a-z][a-z0-9_]{0,79}$/.test(error) ? error : UNREADABLE
}
