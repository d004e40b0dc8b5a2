import type { z } from 'zod'
import { canParse } from '../../kernel/can-parse.ts'
import { type CollectContext, type Limit, SourceFault, type SourceReply } from '../contract.ts'
import { readJson } from '../reply-fault.ts'

/** 300 requests in five minutes per address and per token. */
export const LIMITS: readonly Limit[] = [{ quota: 'requests', kind: 'paced', most: 300, perSeconds: 300, burst: 30 }]
const LONGEST_WAIT_SECONDS = 3600

/** A token is good on its own server only, and is shown to no other. */
export interface HomeServer {
  host: string
  token: string
}

export async function ask<Shape extends z.ZodType>(
  context: CollectContext,
  address: string,
  shape: Shape,
  home: HomeServer | null,
): Promise<z.infer<Shape>> {
  const reply = await context.fetch(address, { headers: credentialsFor(address, home), cost: { requests: 1 } })
  return readReply(reply, shape, context.at)
}

/** Like `readJson`, but a throttled reply may give the wait only in `x-ratelimit-reset`, as a time. */
export function readReply<Shape extends z.ZodType>(reply: SourceReply, shape: Shape, at: Date): z.infer<Shape> {
  const retryAfterSeconds = secondsUntilTime(reply.headers['x-ratelimit-reset'], at)
  if (reply.status === 429 && reply.headers['retry-after'] === undefined && retryAfterSeconds !== null)
    throw new SourceFault('throttled', 'the platform answered with status 429', { retryAfterSeconds })
  return readJson(reply, shape, at)
}

export function credentialsFor(address: string, home: HomeServer | null): Record<string, string> {
  return home !== null && isOn(home.host, new URL(address).host) ? { authorization: `Bearer ${home.token}` } : {}
}

/** Streams may have a host of their own below the server's. */
export function isOn(server: string, host: string): boolean {
  return host === server || host.endsWith(`.${server}`)
}

/** The target of a redirect; null if it is no https address. */
export function targetOf(location: string | undefined, from: string): string | null {
  const target = location !== undefined && canParse(location, from) ? new URL(location, from) : null
  return target?.protocol === 'https:' ? target.href : null
}

function secondsUntilTime(header: string | undefined, at: Date): number | null {
  const ms = header === undefined ? Number.NaN : Date.parse(header)
  if (Number.isNaN(ms)) return null
  return Math.min(LONGEST_WAIT_SECONDS, Math.max(0, Math.ceil((ms - at.getTime()) / 1000)))
}
