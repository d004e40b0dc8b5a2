import type { z } from 'zod'
import { askedWaitMs } from '../kernel/asked-wait.ts'
import { SECOND_MS } from '../kernel/clock.ts'
import { SourceFault, type SourceReply } from './contract.ts'

/** Longer waits are cut to a day. */
const LONGEST_WAIT_SECONDS = 86_400

/** Platforms with own meanings, such as a 403 for throttling, check those first. */
export function faultOfStatus(status: number, headers: Readonly<Record<string, string>>, at: Date): SourceFault | null {
  if (status >= 200 && status < 300) return null
  const retryAfterSeconds = retryAfterFrom(headers['retry-after'], at)
  const message = `the platform answered with status ${status}`
  if (status === 429) return new SourceFault('throttled', message, { retryAfterSeconds })
  if (status === 401 || status === 403 || status === 407) return new SourceFault('credentials', message)
  if (status === 404 || status === 410) return new SourceFault('gone', message)
  if (status >= 500 || status === 408 || status === 425)
    return new SourceFault('unavailable', message, { retryAfterSeconds })
  if (status >= 300 && status < 400)
    return new SourceFault('unavailable', `${message}, a redirection that is not followed`)
  return new SourceFault('shape_changed', `${message}: it no longer understands what it is asked`)
}

/** 0 to a day, from seconds or a date; null if absent or invalid. */
export function retryAfterFrom(header: string | undefined, at: Date): number | null {
  const ms = askedWaitMs(header, at)
  return ms === null ? null : Math.min(LONGEST_WAIT_SECONDS, Math.ceil(ms / SECOND_MS))
}

/** 0 to a day, from Unix seconds; null if absent or invalid. */
export function secondsUntil(header: string | undefined, at: Date): number | null {
  const text = header?.trim() ?? ''
  if (!/^\d{1,12}$/.test(text)) return null
  return Math.min(LONGEST_WAIT_SECONDS, Math.max(0, Math.ceil(Number(text) - at.getTime() / 1000)))
}

/** Null for a proxy's page or another form. */
export function saidIn<Shape extends z.ZodType>(
  { body }: Pick<SourceReply, 'body'>,
  shape: Shape,
): z.infer<Shape> | null {
  try {
    return shape.safeParse(JSON.parse(body)).data ?? null
  } catch {
    // The caller has the status.
    return null
  }
}

export function readJson<Shape extends z.ZodType>(reply: SourceReply, shape: Shape, at: Date): z.infer<Shape> {
  const fault = faultOfStatus(reply.status, reply.headers, at)
  if (fault) throw fault
  const parsed = shape.safeParse(jsonFrom(reply.body))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new SourceFault(
    'shape_changed',
    `the reply has another form than expected: ${issue?.path.join('.') || 'as a whole'}`,
    { cause: parsed.error },
  )
}

export function jsonFrom(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new SourceFault('shape_changed', `the reply is no JSON (${body.length} characters)`, { cause })
  }
}
