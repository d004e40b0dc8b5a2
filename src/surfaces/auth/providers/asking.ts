import { customFetch } from 'oauth4webapi'
import { request } from 'undici'
import { type Clock, SECOND_MS } from '../../../kernel/clock.ts'
import type { Egress } from '../../../kernel/egress.ts'
import type { Log } from '../../../kernel/log.ts'
import { readAtMost } from '../../http/read-at-most.ts'

export interface ProviderOptions {
  app: { id: string; secret: string }
  egress: Pick<Egress, 'dispatcher'>
  clock: Clock
  log: Log
  userAgent: string
  /** Replaces every provider host, paths unchanged, such as http://127.0.0.1:4500. */
  address?: string
}

export interface ProviderRequest {
  signal: AbortSignal
  [customFetch]: (url: string, init: AskInit) => Promise<Response>
}

interface AskInit {
  method: string
  headers: Record<string, string>
  body?: unknown
}

/** For all requests to a provider for one sign-in. */
const LIMIT_MS = 10 * SECOND_MS
/** Keys, tokens and profiles have a few thousand bytes. */
const REPLY_BYTES = 256 * 1024

/** Requests pass egress control, follow no redirect and end after ten seconds. */
export async function askWithin<Result>(
  options: ProviderOptions,
  work: (asking: ProviderRequest) => Promise<Result>,
): Promise<Result> {
  const cut = new AbortController()
  const putOff = options.clock.alarm(LIMIT_MS, () =>
    cut.abort(new Error(`no complete response within ${LIMIT_MS / SECOND_MS} s`)),
  )
  try {
    return await work({
      signal: cut.signal,
      [customFetch]: (url, init) => ask(placed(url, options.address), init, options, cut.signal),
    })
  } finally {
    putOff()
  }
}

export function placed(url: string, address: string | undefined): string {
  if (address === undefined) return url
  const { pathname, search } = new URL(url)
  return `${address}${pathname}${search}`
}

async function ask(
  url: string,
  { method, headers, body }: AskInit,
  { egress, userAgent }: ProviderOptions,
  signal: AbortSignal,
): Promise<Response> {
  const reply = await request(url, {
    dispatcher: egress.dispatcher,
    method,
    // An uncompressed body cannot expand.
    headers: { ...headers, 'user-agent': userAgent, 'accept-encoding': 'identity' },
    body: body instanceof URLSearchParams ? body.toString() : null,
    signal,
  })
  const bytes = await readAtMost(reply.body, REPLY_BYTES)
  if (bytes === null) throw new Error(`the response is larger than ${REPLY_BYTES} bytes`)
  const type = reply.headers['content-type']
  return new Response(BODILESS.has(reply.statusCode) ? null : bytes, {
    status: reply.statusCode,
    headers: typeof type === 'string' ? { 'content-type': type } : {},
  })
}

const BODILESS = new Set([204, 205, 304])
