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

/** Keywords that come and go over the REST interface, one change after the other. */
export interface Changes {
  /** Every change so far, in the order of their time for each term. */
  readonly made: readonly Change[]
  /** Requests that had to be repeated because the service could not answer. */
  readonly repeated: number
  /** Changes until aborted. */
  run(signal: AbortSignal): Promise<void>
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

/** Makes the keywords of the even terms; the odd ones begin without. */
export async function startChanges(options: ChangesOptions): Promise<Changes> {
  const made: Change[] = []
  const present = new Map<number, NonNullable<Change['to']>>()
  let repeated = 0

  const change = async (moving: number, signal: AbortSignal) => {
    const fromMs = systemClock.now().getTime()
    const before = present.get(moving)
    const to = await ask(moving, before, signal)
    if (to === undefined) return
    if (to) present.set(moving, to)
    else present.delete(moving)
    made.push({ moving, to, fromMs, toMs: systemClock.now().getTime() })
  }

  /**
   * None is made; a live one is muted; a muted one goes or comes back. Undefined when aborted before it was certain.
   */
  async function ask(
    moving: number,
    before: Change['to'] | undefined,
    signal: AbortSignal,
  ): Promise<Change['to'] | undefined> {
    if (!before) {
      const created = await insist(
        'POST',
        '/v1/keywords',
        moving,
        { term: movingTerm(moving), requestId: randomUUID() },
        signal,
      )
      return created && { id: (created as { id: string }).id, live: true }
    }
    const path = `/v1/keywords/${before.id}`
    if (before.live)
      return (await insist('PATCH', path, moving, { muted: true }, signal)) && { id: before.id, live: false }
    if (mix(made.length, moving) % 2 === 0)
      return (await insist('PATCH', path, moving, { muted: false }, signal)) && { id: before.id, live: true }
    return (await insist('DELETE', path, moving, undefined, signal)) && null
  }

  /** Asks until the service says yes: every request may be repeated. Undefined when aborted. */
  async function insist(
    method: string,
    path: string,
    moving: number,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<object | undefined> {
    while (!signal.aborted) {
      const answered = await once(method, path, moving, body)
      if (answered) return answered
      repeated += 1
      await systemClock.wait(AGAIN_MS, signal)
    }
    return undefined
  }

  async function once(method: string, path: string, moving: number, body: object | undefined): Promise<object | null> {
    const authorization = `Bearer ${options.apiKeys[moving % options.apiKeys.length]}`
    const headers = { authorization, ...(body ? { 'content-type': 'application/json' } : {}) }
    let reply: Response
    let text: string
    try {
      reply = await fetch(options.origin + path, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(ANSWER_MS),
      })
      text = await reply.text()
    } catch {
      // Nobody there for the moment, or no answer: what became of the request is not known, so it is asked again.
      return null
    }
    if (reply.ok || (method === 'DELETE' && reply.status === 404))
      return text === '' ? {} : (JSON.parse(text) as object)
    if (reply.status >= 500 || reply.status === 429) return null
    throw new Error(`${method} ${path} was refused: ${text}`)
  }

  const never = new AbortController().signal
  for (let moving = 0; moving < options.terms; moving += 2) await change(moving, never)
  return {
    made,
    get repeated() {
      return repeated
    },
    async run(signal) {
      for (let turn = 0; !signal.aborted; turn += 1) {
        await change(mix(turn, 9) % options.terms, signal)
        await systemClock.wait(options.everyMs, signal)
      }
    },
  }
}

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
