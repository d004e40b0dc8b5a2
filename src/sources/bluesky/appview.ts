import type { z } from 'zod'
import { type CollectContext, type Limit, SourceFault, type SourceReply } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { faultOfStatus, readJson, saidIn, secondsUntil } from '../reply-fault.ts'
import { refusal } from './wire.ts'

export const APPVIEW_HOST = 'public.api.bsky.app'
/** Where accounts sign in; it forwards searches to the AppView. */
export const ACCOUNT_HOST = 'bsky.social'
/** 3,000 requests in five minutes per address; sign-ins have a lower limit per account. */
export const APPVIEW_LIMITS: readonly Limit[] = [
  { quota: 'appview', kind: 'paced', most: 3000, perSeconds: 300, burst: 30 },
]
export const SESSION_LIMITS: readonly Limit[] = [
  { quota: 'sessions', kind: 'paced', most: 30, perSeconds: 300, burst: 5 },
  { quota: 'sessions', kind: 'daily', most: 300, timeZone: 'UTC' },
]
export const MOST_NAMED = 25

export type Parameters = readonly (readonly [name: string, value: string])[]

export function askAppView(context: CollectContext, method: string, parameters: Parameters): Promise<SourceReply> {
  return context.fetch(methodUrl(APPVIEW_HOST, method, parameters), { cost: { appview: 1 } })
}

export function methodUrl(host: string, method: string, parameters: Parameters = []): string {
  const query = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString()
  return `https://${host}/xrpc/${method}${query === '' ? '' : `?${query}`}`
}

/** Like `readJson`, but a throttled reply may give the wait only in `ratelimit-reset`. */
export function readReply<Shape extends z.ZodType>(reply: SourceReply, shape: Shape, at: Date): z.infer<Shape> {
  const retryAfterSeconds = secondsUntil(reply.headers['ratelimit-reset'], at)
  if (reply.status === 429 && reply.headers['retry-after'] === undefined && retryAfterSeconds !== null) {
    throw new SourceFault('throttled', 'the platform answered with status 429', { retryAfterSeconds })
  }
  return readJson(reply, shape, at)
}

/** Null for other replies. */
export function refusalOf(reply: SourceReply, at: Date): string | null {
  return faultOfStatus(reply.status, reply.headers, at) === null ? null : (saidIn(reply, refusal)?.error ?? null)
}

export function readViews<Shape extends z.ZodType>(
  raw: readonly unknown[],
  shape: Shape,
  context: CollectContext,
): z.infer<Shape>[] {
  return readItems(raw, shape, context, 'bluesky', { part: { from: 'AppView' } })
}
