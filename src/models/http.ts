import { setTimeout as pause } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { askedWaitMs } from '../kernel/asked-wait.ts'
import { type Clock, SECOND_MS } from '../kernel/clock.ts'
import { type ModelFault, NOBODY_KNOWS } from './contract.ts'

/** The operator set the address, so it may be on the machine or the local network. */
export interface ModelClient {
  /** Returns the JSON of the answer. Retries only what used up nothing, so a question is billed once. */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
    signal: AbortSignal,
    mend?: RequestRepair,
  ): Promise<{ json: unknown } | ModelFault>
  close(): Promise<void>
}

/** The body to send once more after a refusal (status 400); null for none. */
export type RequestRepair = (complaint: string) => unknown

export interface ModelClientOptions {
  /** Limits one question with all its tries and waits. */
  timeoutMs: number
  clock: Clock
}

/** Includes the first try. */
const TRIES = 3
const FIRST_WAIT_MS = 500
/** A longer wait asked for by a provider ends the question. */
const LONGEST_WAIT_MS = 10 * SECOND_MS
const ANSWER_BYTES_MAX = 1024 * 1024

export function createModelClient({ timeoutMs, clock }: ModelClientOptions): ModelClient {
  const agent = new Agent({ connections: 8, bodyTimeout: 0, headersTimeout: 0 })
  return {
    async post(url, headers, body, signal, mend) {
      const ending = endingWith(signal, timeoutMs)
      const request = {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'manual' as const,
      }
      const ask = async () => {
        const send = (sent: typeof request) => once(url, { ...sent, signal: ending, dispatcher: agent }, clock)
        const outcome = await send(request)
        const mended = 'json' in outcome || outcome.complaint === null ? null : (mend?.(outcome.complaint) ?? null)
        return mended === null ? outcome : await send({ ...request, body: JSON.stringify(mended) })
      }
      for (let trial = 1; ; trial += 1) {
        const outcome = await ask()
        if ('json' in outcome) return outcome
        if (!outcome.again || trial === TRIES) return outcome.fault
        const waitMs = outcome.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (trial - 1)
        if (waitMs > LONGEST_WAIT_MS) return outcome.fault
        if (!(await waited(waitMs, ending))) return outcome.fault
      }
    },
    close: () => agent.destroy(),
  }
}

/** Uses its own timer, because signals joined by AbortSignal.any may be garbage collected before they abort. */
function endingWith(signal: AbortSignal, afterMs: number): AbortSignal {
  const ending = new AbortController()
  const end = () => {
    clearTimeout(timer)
    ending.abort()
  }
  const timer = setTimeout(end, afterMs).unref()
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true, signal: ending.signal })
  return ending.signal
}

interface Failed {
  fault: ModelFault
  again: boolean
  retryAfterMs: number | null
  complaint: string | null
}

async function once(
  url: string,
  request: Parameters<typeof fetch>[1] & { signal: AbortSignal },
  clock: Clock,
): Promise<{ json: unknown } | Failed> {
  let answering = false
  try {
    const response = await fetch(url, request)
    if (response.status === 400) return { ...failedWith(400, null, clock), complaint: await readBounded(response.body) }
    if (response.status !== 200) {
      await response.body?.cancel()
      return failedWith(response.status, response.headers.get('retry-after'), clock)
    }
    answering = true
    const text = await readBounded(response.body)
    return text === null ? usedUp('refused', `the answer is longer than ${ANSWER_BYTES_MAX} bytes`) : parsed(text)
  } catch (error) {
    if (request.signal.aborted) return usedUp('timeout', 'no answer in time')
    const message = `the connection failed: ${codeOf(error)}`
    return answering || BROKEN.has(codeOf(error))
      ? usedUp('unavailable', message)
      : failed('unavailable', message, true)
  }
}

function failedWith(status: number, retryAfter: string | null, clock: Clock): Failed {
  const message = `answered with status ${status}`
  if (status === 429) return failed('rate_limited', message, true, askedWaitMs(retryAfter, clock.now()))
  if (status === 408 || status >= 500) return failed('unavailable', message, true, askedWaitMs(retryAfter, clock.now()))
  return failed('refused', message)
}

/** The provider may have received the question. */
const BROKEN: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

function usedUp(fault: ModelFault['fault'], message: string): Failed {
  return { ...failed(fault, message), fault: { fault, message, usage: NOBODY_KNOWS } }
}

function failed(
  fault: ModelFault['fault'],
  message: string,
  again = false,
  retryAfterMs: number | null = null,
): Failed {
  return { fault: { fault, message }, again, retryAfterMs, complaint: null }
}

/** Null if the body exceeds ANSWER_BYTES_MAX. */
async function readBounded(body: AsyncIterable<Uint8Array> | null): Promise<string | null> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.length
    if (length > ANSWER_BYTES_MAX) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function parsed(text: string): { json: unknown } | Failed {
  const json = jsonIn(text)
  return json === undefined ? usedUp('refused', 'the answer is no JSON') : { json }
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return 'unknown'
  return 'code' in cause ? String(cause.code) : cause.name
}

async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  return pause(ms, true, { signal }).catch(() => false)
}
