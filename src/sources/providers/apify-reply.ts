import { z } from 'zod'
import { SourceFault, type SourceReply } from '../contract.ts'
import { faultOfStatus, readJson, saidIn } from '../reply-fault.ts'

export const MOST_ITEMS = 10_000
export const itemList = z.array(z.unknown()).max(MOST_ITEMS)
const refusal = z.object({ error: z.object({ type: z.string(), message: z.string().catch('') }) })

export function readReply<Shape extends z.ZodType>(
  reply: SourceReply,
  shape: Shape,
  { actor, at }: { actor: string; at: Date },
): z.infer<Shape> {
  const fault = faultOf(reply, actor, at)
  if (fault) throw fault
  return readJson(reply, shape, at)
}

/** After a timeout or a server error a run may have started and cost money. */
export function neverStarted(reply: SourceReply): boolean {
  return reply.status >= 400 && reply.status < 500 && reply.status !== 408 && !refusedAs(reply)?.type.startsWith('run-')
}

/** In millionths of a dollar; null for other replies. */
export function demandedBy(reply: SourceReply): number | null {
  const error = reply.status === 400 ? refusedAs(reply) : null
  if (error?.type !== 'max-total-charge-usd-below-minimum') return null
  const [, dollars] = error.message.slice(0, 500).match(/\$\s?(\d{1,4}(?:\.\d{1,6})?)/) ?? []
  return dollars === undefined ? null : Math.ceil(Number(dollars) * 1_000_000)
}

function refusedAs(reply: SourceReply): { type: string; message: string } | null {
  return saidIn(reply, refusal)?.error ?? null
}

function faultOf(reply: SourceReply, actor: string, at: Date): SourceFault | null {
  const { status, headers } = reply
  if (status < 400) return faultOfStatus(status, headers, at)
  const error = refusedAs(reply)
  const words = `Apify: ${(error?.message || `status ${status}`).slice(0, 200)}`
  return (
    faultOfType(error?.type ?? '', words, reply, at) ??
    faultOfRefusal(status, words, actor) ??
    faultOfStatus(status, headers, at)
  )
}

const LIMITS = /^(?:concurrent-runs-limit-exceeded|actor-memory-limit-exceeded|rate-limit-exceeded)$/

function faultOfType(type: string, words: string, { headers }: SourceReply, at: Date): SourceFault | null {
  if (LIMITS.test(type)) {
    const retryAfterSeconds = faultOfStatus(429, headers, at)?.retryAfterSeconds ?? null
    return new SourceFault('throttled', words, { retryAfterSeconds })
  }
  if (type === 'max-total-charge-usd-below-minimum')
    return new SourceFault('credentials', `${words} (more than a run, or the daily cap, allows)`)
  return type.startsWith('run-') ? new SourceFault('unavailable', words) : null
}

function faultOfRefusal(status: number, words: string, actor: string): SourceFault | null {
  if (status === 400) return new SourceFault('shape_changed', words)
  if (status === 401 || status === 403) return new SourceFault('credentials', words)
  if (status === 402) return new SourceFault('credentials', `${words} (nothing can be charged to this account)`)
  if (status === 404)
    return new SourceFault('credentials', `${words} (is ${actor} the name of an actor that this token may run?)`)
  return null
}
