// Long because the steps of a call share what waits and what is on its way.
import { createHash, randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Verdict } from '../../domain/mention/classification.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Subject } from '../contract.ts'
import {
  type AskedModel,
  type CallCost,
  cacheName,
  type Fallback,
  type Looked,
  type ModelBudget,
  type ModelReply,
  type Reservation,
  type SecondLook,
  type VerdictCache,
} from '../ports.ts'
import { verdictsIn } from './answer.ts'
import {
  charactersOf,
  type Ground,
  groundOf,
  PROMPT_VERSION,
  QUESTION_MAX,
  questionOn,
  type ShownPost,
  saysSomething,
  shownPost,
  tokensAtMost,
} from './question.ts'
import { createTurns } from './turns.ts'

/** What a million tokens cost that are read or written, in millionths of a dollar; whole numbers up to a thousand dollars. */
export interface Prices {
  input: number
  output: number
}

export interface SecondLookOptions {
  model: AskedModel
  prices: Prices
  budget: ModelBudget
  cache: VerdictCache
  clock: Clock
  log: Log
  metrics: Metrics
  /** Calls on their way at once, 1 or more. */
  callsAtOnce: number
  /** Letters and digits that nobody can foresee; of the system's own randomness unless told otherwise. */
  random?: () => string
}

/**
 * Mentions that wait at most; more come too fast for the model and keep their first verdict. A workspace may have as many as it
 * leaves free, so that the rush of one does not shut out the others.
 */
export const WAITING_MAX = 4000
/** No mention waits for its turn for longer. */
export const WAIT_MAX_MS = 2 * MINUTE_MS
/** How long calls on their way may still take once nobody is to wait any more: what they cost is not to be in vain. */
const GRACE_MS = 5 * SECOND_MS
/** After so many failed calls in a row the model is left alone for a while, and then tried with one call. */
const FAILURES_MAX = 3
export const REST_MS = MINUTE_MS
/** A workspace whose money is spent is not counted anew for every batch. */
const SPENT_FOR_MS = 10 * SECOND_MS
/** No provider reads or writes more for one question; a greater figure is a mistake. */
const TOKENS_MAX = 3_000_000

/** A mention that waits for its turn or its answer. */
interface Item {
  workspaceId: Subject['workspaceId']
  key: Buffer
  post: ShownPost
  ground: Ground
  sort: string
  signal: AbortSignal
  /** True once a call has left it without an answer. */
  askedAgain: boolean
  /** Ends the waiting for a turn. */
  stopWaiting: () => void
  resolve(looked: Looked): void
  reject(reason: unknown): void
}

/** A mention to be asked about. */
type Wanted = Pick<Item, 'workspaceId' | 'key' | 'post' | 'ground' | 'sort' | 'signal'>

/** Asks a language model, several mentions of one context at a time. */
export function createSecondLook(options: SecondLookOptions): SecondLook {
  const { model, prices, budget, cache, clock, log, metrics, callsAtOnce, random = () => randomBytes(12).toString('hex') } = options
  const turns = createTurns<Item>()
  /** What is asked at present, so that the same text twice is one question. */
  const inHand = new Map<string, Promise<Looked>>()
  /** How many wait for a turn or an answer, those with the same question too, by workspace and together. */
  const waiting = new Map<string, number>()
  let waitingTotal = 0
  const calls = new Set<Promise<void>>()
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const spentUntilMs = new Map<string, number>()
  let failures = 0
  let restUntilMs = Number.NEGATIVE_INFINITY

  const resting = () => clock.monotonicMs() < restUntilMs
  const fallBack = (items: readonly Item[], fallback: Fallback) => {
    for (const item of items) item.resolve({ fallback })
  }

  /** Puts a mention in the queue until its turn comes, its time is over or nobody wants it any more. */
  const wait = (item: Item) => {
    const leave = () => {
      item.stopWaiting()
      turns.remove(item.workspaceId, item.sort, item)
    }
    const giveUp = () => {
      leave()
      item.reject(item.signal.reason)
    }
    const cancel = clock.alarm(WAIT_MAX_MS, () => {
      leave()
      item.resolve({ fallback: 'busy' })
    })
    item.signal.addEventListener('abort', giveUp, { once: true })
    item.stopWaiting = () => {
      cancel()
      item.signal.removeEventListener('abort', giveUp)
    }
    turns.add(item.workspaceId, item.sort, item)
  }

  const pump = () => {
    while (turns.size > 0 && calls.size < (failures >= FAILURES_MAX ? 1 : callsAtOnce)) {
      const items = turns.next(fits)
      for (const item of items) item.stopWaiting()
      if (resting()) {
        fallBack(items, 'no_answer')
        continue
      }
      const call: Promise<void> = ask(items)
        .catch((error: unknown) => {
          if (!items.every((item) => item.signal.aborted)) log.warn({ err: error, mentions: items.length }, 'the language model could not be asked')
          for (const item of items) item.reject(error)
        })
        .finally(() => {
          calls.delete(call)
          pump()
        })
      calls.add(call)
    }
  }

  const ask = async (items: readonly Item[]) => {
    const { workspaceId, ground } = items[0]!
    const { question, ids } = questionOn(
      items.map(({ post }) => post),
      ground,
      random,
    )
    const most = costOf(tokensAtMost(question), question.maxTokens + model.reasoningTokens, prices)
    const spent = (spentUntilMs.get(workspaceId) ?? Number.NEGATIVE_INFINITY) > clock.monotonicMs()
    const reservation = spent ? null : await budget.reserve(workspaceId, most)
    if (reservation === null) {
      if (!spent) noteSpent(workspaceId)
      return fallBack(items, 'budget')
    }
    // Nobody waits any more: what was set aside ends by itself, which is less than a call that is cut off.
    if (items.every((item) => item.signal.aborted)) throw items[0]!.signal.reason
    const { signal, done } = endingWith(items)
    const reply = await model.complete(question, signal).finally(done)
    await settle(reservation, reply)
    const verdicts = 'fault' in reply ? new Map<string, Verdict>() : verdictsIn(reply.value, ids)
    const outcome = 'fault' in reply ? reply.fault : verdicts.size === 0 ? 'useless' : verdicts.size < items.length ? 'incomplete' : 'answered'
    metrics.modelCalls.inc({ outcome })
    failures = verdicts.size > 0 ? 0 : failures + 1
    if (failures >= FAILURES_MAX) restUntilMs = clock.monotonicMs() + REST_MS
    if (outcome !== 'answered' && !signal.aborted)
      log.warn(
        { model: model.name, outcome, reason: 'fault' in reply ? reply.message : null, mentions: items.length, verdicts: verdicts.size },
        'the language model gave no whole answer',
      )
    await keep(items, ids, verdicts)
    for (const [at, item] of items.entries()) conclude(item, verdicts.get(ids[at]!), reply)
  }

  /** A mention that was passed over is asked about once more: models lose some of many, and slow ones are not always slow. */
  const conclude = (item: Item, verdict: Verdict | undefined, reply: ModelReply) => {
    if (verdict !== undefined) return item.resolve({ verdict })
    if (item.signal.aborted) return item.reject(item.signal.reason)
    const inVain = 'fault' in reply && reply.fault !== 'timeout' && reply.fault !== 'unavailable'
    if (item.askedAgain || inVain || resting()) return item.resolve({ fallback: 'no_answer' })
    item.askedAgain = true
    wait(item)
  }

  /** The signal of a call, which outlives those of its mentions by the grace. */
  const endingWith = (items: readonly Item[]) => {
    const ending = new AbortController()
    const signals = new Set(items.map((item) => item.signal))
    let cancel = () => {}
    const soon = () => {
      cancel()
      cancel = clock.alarm(GRACE_MS, end)
    }
    const end = () => ending.abort()
    for (const signal of signals) {
      if (signal.aborted) soon()
      else signal.addEventListener('abort', soon, { once: true })
    }
    closing.signal.addEventListener('abort', end, { once: true })
    const done = () => {
      cancel()
      for (const signal of signals) signal.removeEventListener('abort', soon)
      closing.signal.removeEventListener('abort', end)
    }
    return { signal: ending.signal, done }
  }

  const noteSpent = (workspaceId: string) => {
    const nowMs = clock.monotonicMs()
    for (const [known, untilMs] of spentUntilMs) if (untilMs <= nowMs) spentUntilMs.delete(known)
    spentUntilMs.set(workspaceId, nowMs + SPENT_FOR_MS)
  }

  /** A cost that cannot be counted for the moment stays set aside until its reservation ends. */
  const settle = async (reservation: Reservation, reply: ModelReply) => {
    const cost = chargeOf(reservation, reply, prices)
    metrics.modelTokens.inc({ direction: 'read' }, cost.inputTokens)
    metrics.modelTokens.inc({ direction: 'written' }, cost.outputTokens)
    metrics.modelDollars.inc(cost.microUsd / 1_000_000)
    await budget.settle(reservation, cost).catch((error: unknown) => log.warn({ err: error, model: model.name }, 'what a call cost could not be counted'))
  }

  const keep = async (items: readonly Item[], ids: readonly string[], verdicts: ReadonlyMap<string, Verdict>) => {
    const kept = items.flatMap(({ key }, at) => {
      const verdict = verdicts.get(ids[at]!)
      return verdict === undefined ? [] : [{ key, verdict }]
    })
    if (kept.length === 0) return
    await cache
      .keep(items[0]!.workspaceId, kept)
      .catch((error: unknown) => log.warn({ err: error }, 'verdicts of the language model could not be kept for later'))
  }

  /** Asks about one mention, unless there is no point in it. */
  const begin = (part: Wanted): Looked | Promise<Looked> => {
    if (resting()) return { fallback: 'no_answer' }
    if ((waiting.get(part.workspaceId) ?? 0) >= WAITING_MAX - waitingTotal) return { fallback: 'busy' }
    const name = cacheName(part.workspaceId, part.key)
    const asked = inHand.get(name) ?? askedAbout(part, name)
    note(part.workspaceId, 1)
    const over = () => note(part.workspaceId, -1)
    asked.then(over, over)
    return asked
  }

  const note = (workspaceId: string, change: 1 | -1) => {
    waitingTotal += change
    const left = (waiting.get(workspaceId) ?? 0) + change
    if (left === 0) waiting.delete(workspaceId)
    else waiting.set(workspaceId, left)
  }

  const askedAbout = (part: Wanted, name: string) => {
    const asked = new Promise<Looked>((resolve, reject) => {
      wait({ ...part, askedAgain: false, stopWaiting: () => undefined, resolve, reject })
    }).finally(() => inHand.delete(name))
    inHand.set(name, asked)
    return asked
  }

  const counted = (looked: Looked, known: boolean): Looked => {
    if (looked !== null) metrics.secondLooks.inc({ outcome: 'fallback' in looked ? looked.fallback : known ? 'cached' : 'answered' })
    return looked
  }

  /** A signal that rings with the caller's and when this closes, for one call of `look`: many wait for it. */
  const leavingWith = (signal: AbortSignal) => {
    const leaving = new AbortController()
    setMaxListeners(0, leaving.signal)
    const leave = () => leaving.abort(signal.aborted ? signal.reason : closing.signal.reason)
    const release = () => {
      signal.removeEventListener('abort', leave)
      closing.signal.removeEventListener('abort', leave)
    }
    signal.addEventListener('abort', leave, { once: true })
    closing.signal.addEventListener('abort', leave, { once: true })
    return { leaving: leaving.signal, release }
  }

  return {
    async look(subjects, signal) {
      signal.throwIfAborted()
      closing.signal.throwIfAborted()
      const parts = subjects.map((subject) => {
        const [post, ground] = [shownPost(subject), groundOf(subject)]
        const sort = digest([ground]).toString('base64')
        return { workspaceId: subject.workspaceId, key: digest([PROMPT_VERSION, model.name, sort, post]), post, ground, sort }
      })
      const known = parts.length === 0 ? new Map<string, Verdict>() : await cache.find(parts)
      signal.throwIfAborted()
      closing.signal.throwIfAborted()
      const { leaving, release } = leavingWith(signal)
      const looked = parts.map((part) => {
        const verdict = known.get(cacheName(part.workspaceId, part.key))
        const begun = verdict !== undefined ? { verdict } : saysSomething(part.post) ? begin({ ...part, signal: leaving }) : null
        return begun instanceof Promise ? begun.then((one) => counted(one, false)) : counted(begun, verdict !== undefined)
      })
      // Only now: mentions of one context that come together are to be asked about together.
      pump()
      void Promise.allSettled(looked).then(release)
      return looked
    },
    async close() {
      closing.abort(new Error('the classifier was closed'))
      await Promise.all(calls)
      await model.close()
    },
  }
}

function fits({ post }: Item, taken: readonly Item[]): boolean {
  const characters = taken.reduce((sum, one) => sum + charactersOf(one.post), charactersOf(post))
  return taken.length < QUESTION_MAX.mentions && characters <= QUESTION_MAX.characters
}

/** What a call cost. Where nobody can tell, it is what was set aside: an answer that came too late, or was no use, may have to be paid all the same. */
function chargeOf({ microUsd }: Reservation, reply: ModelReply, prices: Prices): CallCost {
  if (reply.usage === undefined) return { microUsd: 0, inputTokens: 0, outputTokens: 0 }
  const [input, output] = [tokensOf(reply.usage.input), tokensOf(reply.usage.output)]
  const known = { inputTokens: input ?? 0, outputTokens: output ?? 0 }
  return { ...known, microUsd: input === null || output === null ? microUsd : costOf(input, output, prices) }
}

/** Null when it is no number of tokens. */
function tokensOf(count: number | null): number | null {
  return count !== null && Number.isInteger(count) && count >= 0 && count <= TOKENS_MAX ? count : null
}

/** In millionths of a dollar, rounded up. */
export function costOf(inputTokens: number, outputTokens: number, prices: Prices): number {
  return Math.ceil((inputTokens * prices.input + outputTokens * prices.output) / 1_000_000)
}

function digest(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
