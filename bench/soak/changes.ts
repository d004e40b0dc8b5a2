import { randomUUID } from 'node:crypto'
import { systemClock } from '../../src/kernel/clock.ts'
import { mix, movingTerm } from './plan.ts'

/** What was asked of the interface, and in which time it took effect at some moment, in milliseconds since 1970. */
export interface Change {
  moving: number
  /**
   * The keyword that the term has from then on, as callers see its id, and whether it is looked for; null when it has
   * none.
   */
  to: { id: string; live: boolean } | null
  fromMs: number
  toMs: number
}

export interface ChangesOptions {
  origin: string
  /** Keys of the workspaces that the moving terms are spread over. */
  apiKeys: readonly string[]
  terms: number
  /** Between two changes. */
  everyMs: number
}

const ANSWER_MS = 15_000
const AGAIN_MS = 250

/** Keywords that come and go over the REST interface, one change after the other. */
export class Changes {
  /** Every change so far, in the order of their time for each term. */
  readonly made: Change[] = []
  /** Requests that had to be repeated because the service could not answer. */
  repeated = 0
  private readonly options: ChangesOptions
  private readonly present = new Map<number, NonNullable<Change['to']>>()

  private constructor(options: ChangesOptions) {
    this.options = options
  }

  /** Makes the keywords of the even terms; the odd ones begin without. */
  static async start(options: ChangesOptions): Promise<Changes> {
    const changes = new Changes(options)
    for (let moving = 0; moving < options.terms; moving += 2) await changes.change(moving, NEVER)
    return changes
  }

  /** Changes until aborted. */
  async run(signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted; turn += 1) {
      await this.change(mix(turn, 9) % this.options.terms, signal)
      await systemClock.wait(this.options.everyMs, signal)
    }
  }

  private async change(moving: number, signal: AbortSignal): Promise<void> {
    const fromMs = systemClock.now().getTime()
    const to = await this.ask(moving, this.present.get(moving), signal)
    if (to === undefined) return
    if (to) this.present.set(moving, to)
    else this.present.delete(moving)
    this.made.push({ moving, to, fromMs, toMs: systemClock.now().getTime() })
  }

  /**
   * None is made; a live one is muted; a muted one goes or comes back. Undefined when aborted before it was certain.
   */
  private async ask(
    moving: number,
    before: Change['to'] | undefined,
    signal: AbortSignal,
  ): Promise<Change['to'] | undefined> {
    if (!before) {
      const body = { term: movingTerm(moving), requestId: randomUUID() }
      const created = await this.insist({ method: 'POST', path: '/v1/keywords', moving, body }, signal)
      return created && { id: (created as { id: string }).id, live: true }
    }
    const { id, live } = before
    const path = `/v1/keywords/${id}`
    const patch = (muted: boolean) => this.insist({ method: 'PATCH', path, moving, body: { muted } }, signal)
    if (live) return (await patch(true)) && { id, live: false }
    if (mix(this.made.length, moving) % 2 === 0) return (await patch(false)) && { id, live: true }
    return (await this.insist({ method: 'DELETE', path, moving, body: undefined }, signal)) && null
  }

  /** Asks until the service says yes: every request may be repeated. Undefined when aborted. */
  private async insist(request: ChangeRequest, signal: AbortSignal): Promise<object | undefined> {
    while (!signal.aborted) {
      const answered = await this.askOnce(request)
      if (answered) return answered
      this.repeated += 1
      await systemClock.wait(AGAIN_MS, signal)
    }
    return undefined
  }

  /** Null where there was no answer, or none that tells what became of the request: it is asked again. */
  private async askOnce({ method, path, moving, body }: ChangeRequest): Promise<object | null> {
    const { origin, apiKeys } = this.options
    const authorization = `Bearer ${apiKeys[moving % apiKeys.length]}`
    const headers = { authorization, ...(body ? { 'content-type': 'application/json' } : {}) }
    const answer = await fetch(origin + path, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(ANSWER_MS),
    })
      .then(async (reply) => ({ reply, text: await reply.text() }))
      .catch(() => null)
    if (answer === null) return null
    const { reply, text } = answer
    if (reply.ok || (method === 'DELETE' && reply.status === 404))
      return text === '' ? {} : (JSON.parse(text) as object)
    if (reply.status >= 500 || reply.status === 429) return null
    throw new Error(`${method} ${path} was refused: ${text}`)
  }
}

interface ChangeRequest {
  method: string
  path: string
  moving: number
  body: object | undefined
}

const NEVER = new AbortController().signal

/**
 * What held for a term all through a time: its keyword, or null when it had none that was looked for. Undefined when
 * that changed, or was changing, in between; a change counts for `liveMs` longer than its answer took.
 */
export function heldThrough(
  changes: readonly Change[],
  fromMs: number,
  toMs: number,
  liveMs: number,
): string | null | undefined {
  let held: string | null = null
  for (const change of changes) {
    if (change.fromMs > toMs) break
    if (change.toMs + liveMs >= fromMs) return undefined
    held = change.to?.live ? change.to.id : null
  }
  return held
}
