import { EXIT } from '../../cli/index.ts'
import { askedWaitMs } from '../../kernel/asked-wait.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { reasonOf, stop, waitAfter } from '../listen/following.ts'

/** Access to the outside; tests replace it. */
export interface Outside {
  clock: Clock
  fetch: typeof fetch
  say(line: string): void
}

export interface Answer {
  status: number
  /** Null where the answer is no JSON. */
  body: unknown
}

/** A request is given up after so many tries. Limits of an hour are waited for. */
const TRIES = 8
const ANSWER_MS = 30 * SECOND_MS
/** The longest wait that a server may ask for. */
const WAIT_MS = 3700 * SECOND_MS

/** Asks a JSON interface, and asks again when it is busy or out of reach. */
export class JsonClient {
  constructor(
    private readonly base: string,
    private readonly key: string,
    private readonly outside: Outside,
  ) {
    if (!/^https?:\/\//i.test(base) || !canParse(base)) stop(`${base} is not an http or https address.`, EXIT.usage)
  }

  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const { clock, say } = this.outside
    for (let tried = 1; ; tried += 1) {
      const answer = await this.once(method, path, body)
      if ('status' in answer) return answer
      if (tried === TRIES)
        stop(`${this.base}${path} does not answer (${answer.reason}). Run the command again.`, EXIT.busy)
      if (answer.waitMs > 10 * SECOND_MS)
        say(`Waiting ${Math.round(answer.waitMs / SECOND_MS)} seconds (${answer.reason})`)
      await clock.wait(Math.max(answer.waitMs, waitAfter(tried)))
    }
  }

  private async once(
    method: string,
    path: string,
    body: unknown,
  ): Promise<Answer | { waitMs: number; reason: string }> {
    try {
      const reply = await this.outside.fetch(`${this.base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS),
      })
      const text = await reply.text()
      if (reply.status === 429 || reply.status === 408 || reply.status >= 502) {
        const asked = askedWaitMs(reply.headers.get('retry-after'), this.outside.clock.now()) ?? 0
        return { waitMs: Math.min(asked, WAIT_MS), reason: `status ${reply.status}` }
      }
      return { status: reply.status, body: jsonOf(text) }
    } catch (error) {
      return { waitMs: 0, reason: reasonOf(error) }
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** What an error envelope says, for people. */
export function problemOf({ status, body }: Answer): string {
  const error = (body as { error?: { code?: unknown; message?: unknown } } | null)?.error
  return error === undefined ? `status ${status}` : `${String(error.code)}: ${String(error.message)}`
}
