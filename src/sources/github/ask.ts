import { type CollectContext, type Cost, SourceFault, type SourceReply } from '../contract.ts'
import { retryAfterFrom, secondsUntil } from '../reply-fault.ts'

export const API = 'https://api.github.com'
/** What the platform asks to wait at least when it refuses for haste without saying for how long. */
const UNNAMED_WAIT_SECONDS = 60

export interface Asked {
  cost: Cost
  /** A media type in place of the usual one. */
  accept?: string
  etag?: string | undefined
  /** Sent as JSON in a POST. */
  body?: unknown
}

/** Asks one of the interfaces. A refusal for haste is thrown; every other status is answered. */
export async function ask(
  context: CollectContext,
  token: string | null,
  url: string,
  { cost, accept, etag, body }: Asked,
): Promise<SourceReply> {
  const headers: Record<string, string> = {
    accept: accept ?? 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }
  if (token !== null) headers['authorization'] = `Bearer ${token}`
  if (etag !== undefined) headers['if-none-match'] = etag
  if (body !== undefined) headers['content-type'] = 'application/json'
  const reply = await context.fetch(url, {
    cost,
    headers,
    ...(body === undefined ? {} : { method: 'POST' as const, body: JSON.stringify(body) }),
  })
  const fault = hasteFault(reply, context.at)
  if (fault) throw fault
  return reply
}

/** A 403 means "too fast" as often as "not you": the headers tell, and where there are none, the words. */
function hasteFault(reply: SourceReply, at: Date): SourceFault | null {
  if (reply.status !== 403 && reply.status !== 429) return null
  const spent = reply.headers['x-ratelimit-remaining']?.trim() === '0'
  const asked = retryAfterFrom(reply.headers['retry-after'], at)
  if (reply.status !== 429 && asked === null && !spent && !/rate limit|abuse/i.test(reply.body.slice(0, 2000)))
    return null
  const retryAfterSeconds = asked ?? (spent ? resetSeconds(reply, at) : null) ?? UNNAMED_WAIT_SECONDS
  return new SourceFault('throttled', `the platform answered with status ${reply.status}: too many requests`, {
    retryAfterSeconds,
  })
}

/** Seconds until the quota of a reply is filled up again; null when the reply does not say. */
export function resetSeconds(reply: SourceReply, at: Date): number | null {
  const seconds = secondsUntil(reply.headers['x-ratelimit-reset'], at)
  // A time that has passed means that our clock is ahead: asking again at once would be refused again.
  return seconds === 0 ? UNNAMED_WAIT_SECONDS : seconds
}
