import type { z } from 'zod'
import { type CollectContext, type Limit, SourceFault, type SourceReply } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { faultOfStatus, readJson, saidIn, secondsUntil } from '../reply-fault.ts'
import { refusal } from './wire.ts'

/** The public view of the network: people, posts and counts, without a key. */
export const APPVIEW_HOST = 'public.api.bsky.app'
/** Where accounts of the network's own servers sign in; it passes searches on to the AppView in their name. */
export const ACCOUNT_HOST = 'bsky.social'
/**
 * Both hosts allow 3,000 requests in five minutes from one address; sign-ins have a narrower limit for each account.
 */
export const APPVIEW_LIMITS: readonly Limit[] = [
  { quota: 'appview', kind: 'paced', most: 3000, perSeconds: 300, burst: 30 },
]
export const SESSION_LIMITS: readonly Limit[] = [
  { quota: 'sessions', kind: 'paced', most: 30, perSeconds: 300, burst: 5 },
  { quota: 'sessions', kind: 'daily', most: 300, timeZone: 'UTC' },
]
/** Most people or posts that one request may name. */
export const MOST_NAMED = 25

export type Parameters = readonly (readonly [name: string, value: string])[]

/** Asks a method of the public view. Statuses are answered as they are. */
export function askAppView(context: CollectContext, method: string, parameters: Parameters): Promise<SourceReply> {
  return context.fetch(methodUrl(APPVIEW_HOST, method, parameters), { cost: { appview: 1 } })
}

export function methodUrl(host: string, method: string, parameters: Parameters = []): string {
  const query = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString()
  return `https://${host}/xrpc/${method}${query === '' ? '' : `?${query}`}`
}

/**
 * The JSON of a good reply, like `readJson`; when the limit was reached, the reply may say when it ends only in its own
 * header.
 */
export function readReply<Shape extends z.ZodType>(reply: SourceReply, shape: Shape, at: Date): z.infer<Shape> {
  const retryAfterSeconds = secondsUntil(reply.headers['ratelimit-reset'], at)
  if (reply.status === 429 && reply.headers['retry-after'] === undefined && retryAfterSeconds !== null) {
    throw new SourceFault('throttled', 'the platform answered with status 429', { retryAfterSeconds })
  }
  return readJson(reply, shape, at)
}

/** The name of the error in a reply that refuses what was asked; null for other replies. */
export function refusalOf(reply: SourceReply, at: Date): string | null {
  return faultOfStatus(reply.status, reply.headers, at) === null ? null : (saidIn(reply, refusal)?.error ?? null)
}

/** The items of a reply that have the expected form. */
export function readViews<Shape extends z.ZodType>(
  raw: readonly unknown[],
  shape: Shape,
  context: CollectContext,
): z.infer<Shape>[] {
  return readItems(raw, shape, context, 'bluesky', { part: { from: 'AppView' } })
}
