import type { Clock } from '../../kernel/clock.ts'
import { waitAtMost } from '../../kernel/concurrency/wait-at-most.ts'
import type { Egress } from '../../kernel/egress.ts'
import { type InspectedRequest, type Inspections, type SendOutcome, type SendResult, STOPPED } from '../contract.ts'
import { type HttpRequest, outcomeOf } from '../http-attempt.ts'

/** The guard of outgoing requests, which also lets the URL of an inspection inbox be stored. */
export function reachingInspections(
  egress: Pick<Egress, 'check' | 'dispatcher'>,
  { tokenIn }: Pick<Inspections, 'tokenIn'>,
): Pick<Egress, 'check' | 'dispatcher'> {
  return {
    dispatcher: egress.dispatcher,
    check: (url) => (tokenIn(url) === null ? egress.check(url) : null),
  }
}

export interface HandingOver {
  inspections: Pick<Inspections, 'take'>
  clock: Clock
  limitMs: number
}

/** As `attemptHttp`, for an inbox of this installation. */
export async function handOver(
  token: string,
  { headers, body }: HttpRequest,
  { inspections, clock, limitMs }: HandingOver,
  signal: AbortSignal,
): Promise<SendResult> {
  if (signal.aborted) return { ...temporary(STOPPED), durationMs: 0, replyExcerpt: null }
  const startMs = clock.monotonicMs()
  const request: InspectedRequest = { headers: namedHeaders(headers, body), body }
  const taken = inspections.take(token, request)
  const isTaken = await waitAtMost(taken, limitMs, clock, signal)
  const late = temporary(signal.aborted ? STOPPED : `no reply within ${limitMs / 1000} s`)
  const outcome = isTaken ? outcomeOf(await taken, undefined, clock.now()) : late
  return { ...outcome, durationMs: Math.round(clock.monotonicMs() - startMs), replyExcerpt: null }
}

function namedHeaders(headers: readonly string[], body: Buffer): Map<string, string> {
  const named = new Map([['content-length', String(body.length)]])
  for (let at = 0; at < headers.length; at += 2) named.set(headers[at]!.toLowerCase(), headers[at + 1]!)
  return named
}

function temporary(reason: string): SendOutcome {
  return { outcome: 'temporary', reason, retryAfterSeconds: null, status: null }
}
