import { type CollectContext, type Cost, SourceFault, type SourceReply } from '../contract.ts'
import { retryAfterFrom, secondsUntil } from '../reply-fault.ts'

export const API = 'https://api.github.com'
/** The platform's minimum if a throttled reply names none. */
const UNNAMED_WAIT_SECONDS = 60

export interface GithubRequest {
  cost: Cost
  accept?: string
  etag?: string | undefined
  body?: unknown
}

export async function ask(
  context: CollectContext,
  token: string | null,
  url: string,
  { cost, accept, etag, body }: GithubRequest,
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

/** A 403 means throttled or not permitted: the headers tell, and without them the message. */
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

export function resetSeconds(reply: SourceReply, at: Date): number | null {
  const seconds = secondsUntil(reply.headers['x-ratelimit-reset'], at)
  // Our clock is ahead: an immediate retry would be refused.
  return seconds === 0 ? UNNAMED_WAIT_SECONDS : seconds
}
