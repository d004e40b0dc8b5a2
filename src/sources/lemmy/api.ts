import type { z } from 'zod'
import { type CollectContext, SourceFault, type SourceReply } from '../contract.ts'
import { readJson, retryAfterFrom, saidIn } from '../reply-fault.ts'
import { refusal } from './wire.ts'

export const PAGE = 50

type Call = 'post/list' | 'comment/list' | 'search' | 'comment'

export interface Asked<Shape extends z.ZodType> {
  server: string
  call: Call
  parameters: Record<string, string | number>
  shape: Shape
}

/** SourceFault 'gone' if the server says that there is no such thing. */
export async function ask<Shape extends z.ZodType>(
  context: CollectContext,
  { server, call, parameters, shape }: Asked<Shape>,
): Promise<z.infer<Shape>> {
  const url = new URL(`https://${server}/api/v3/${call}`)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
  const cost = call === 'search' ? { requests: 1, searches: 1 } : { requests: 1 }
  const reply = await context.fetch(url.href, { cost })
  const error = reply.status >= 400 ? (saidIn(reply, refusal)?.error ?? null) : null
  if (error === 'rate_limit_error') throw tooFast(reply, context.at)
  if (error?.startsWith('couldnt_find_')) throw new SourceFault('gone', `the server answered ${error.slice(0, 60)}`)
  return readJson(reply, shape, context.at)
}

function tooFast({ headers }: SourceReply, at: Date): SourceFault {
  return new SourceFault('throttled', 'the server asks for fewer requests', {
    retryAfterSeconds: retryAfterFrom(headers['retry-after'], at),
  })
}
