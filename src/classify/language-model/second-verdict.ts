import { createHash, randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Verdict } from '../../domain/mention/classification.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Subject } from '../contract.ts'
import {
  cacheName,
  type ModelBudget,
  type ModelReply,
  type QueriedModel,
  type Reservation,
  type SecondVerdict,
  type SecondVerdictResult,
  type VerdictCache,
} from '../ports.ts'
import { verdictsIn } from './answer.ts'
import { chargeOf, costOf, type Prices } from './call-cost.ts'
import { eitherSignal, signalOfCall } from './call-signals.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import type { SecondVerdictMetrics } from './metrics.ts'
import { groundOf, PROMPT_VERSION, questionOn, saysSomething, shownPost, tokensAtMost } from './question.ts'
import { type WaitingMention, WaitingMentions, type WantedMention } from './waiting-mentions.ts'

export interface SecondVerdictOptions {
  model: QueriedModel
  prices: Prices
  budget: ModelBudget
  cache: VerdictCache
  clock: Clock
  log: Log
  metrics: SecondVerdictMetrics
  /** Calls in flight at most, 1 or more. */
  callsAtOnce: number
  /** Returns unpredictable letters and digits; the system's random source by default. */
  random?: () => string
}

/** Time before the budget of a workspace is checked again after a refusal. */
const SPENT_FOR_MS = 10 * SECOND_MS

export function createSecondVerdict(options: SecondVerdictOptions): SecondVerdict {
  return new ModelSecondLook(options)
}

class ModelSecondLook implements SecondVerdict {
  private readonly options: SecondVerdictOptions
  private readonly random: () => string
  private readonly breaker: CircuitBreaker
  private readonly waiting: WaitingMentions
  /** Unanswered questions, so that the same text is asked about once. */
  private readonly inFlight = new Map<string, Promise<SecondVerdictResult>>()
  private readonly calls = new Set<Promise<void>>()
  private readonly spentUntilMs = new Map<string, number>()
  private readonly closing = new AbortController()

  constructor(options: SecondVerdictOptions) {
    this.options = options
    this.random = options.random ?? (() => randomBytes(12).toString('hex'))
    this.breaker = new CircuitBreaker(options.clock)
    this.waiting = new WaitingMentions(options.clock)
    setMaxListeners(0, this.closing.signal)
  }

  async look(
    subjects: readonly Subject[],
    signal: AbortSignal,
  ): Promise<(SecondVerdictResult | Promise<SecondVerdictResult>)[]> {
    const { cache, model } = this.options
    this.throwIfOver(signal)
    const wanted = subjects.map((subject) => wantedOf(subject, model.name))
    const known = wanted.length === 0 ? new Map<string, Verdict>() : await cache.find(wanted)
    this.throwIfOver(signal)
    const either = eitherSignal(signal, this.closing.signal)
    const looked = wanted.map((mention) => {
      const verdict = known.get(cacheName(mention.workspaceId, mention.key))
      if (verdict !== undefined) return this.counted({ verdict }, 'cached')
      if (!saysSomething(mention.post)) return null
      const answer = this.ask({ ...mention, signal: either.signal })
      return answer instanceof Promise ? answer.then((value) => this.counted(value)) : this.counted(answer)
    })
    // Calls start after all mentions are queued, so that mentions of one context share a call.
    this.startCalls()
    void Promise.allSettled(looked).then(() => either.release())
    return looked
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('the classifier was closed'))
    await Promise.all(this.calls)
    await this.options.model.close()
  }

  private throwIfOver(signal: AbortSignal): void {
    signal.throwIfAborted()
    this.closing.signal.throwIfAborted()
  }

  private ask(mention: WantedMention): SecondVerdictResult | Promise<SecondVerdictResult> {
    if (this.breaker.isOpen) return { fallback: 'no_answer' }
    if (!this.waiting.hasRoom(mention.workspaceId)) return { fallback: 'busy' }
    const name = cacheName(mention.workspaceId, mention.key)
    const answer = this.inFlight.get(name) ?? this.queueQuestion(mention, name)
    this.waiting.countUntil(answer, mention.workspaceId)
    return answer
  }

  private queueQuestion(mention: WantedMention, name: string): Promise<SecondVerdictResult> {
    const answer = new Promise<SecondVerdictResult>((resolve, reject) => {
      this.waiting.add({ ...mention, askedAgain: false, stopWaiting: () => undefined, resolve, reject })
    }).finally(() => this.inFlight.delete(name))
    this.inFlight.set(name, answer)
    return answer
  }

  private startCalls(): void {
    while (!this.waiting.isEmpty && this.calls.size < (this.breaker.isTrial ? 1 : this.options.callsAtOnce)) {
      const mentions = this.waiting.next()
      if (this.breaker.isOpen) {
        for (const mention of mentions) mention.resolve({ fallback: 'no_answer' })
        continue
      }
      const call: Promise<void> = this.callModel(mentions)
        .catch((error: unknown) => this.failAll(mentions, error))
        .finally(() => {
          this.calls.delete(call)
          this.startCalls()
        })
      this.calls.add(call)
    }
  }

  private failAll(mentions: readonly WaitingMention[], error: unknown): void {
    if (!mentions.every(({ signal }) => signal.aborted))
      this.options.log.warn(
        { event: 'model.request_failed', err: error, mentions: mentions.length },
        'The language model could not be reached',
      )
    for (const mention of mentions) mention.reject(error)
  }

  private async callModel(mentions: readonly WaitingMention[]): Promise<void> {
    const { model, prices, clock } = this.options
    const { workspaceId, ground } = mentions[0]!
    const posts = mentions.map(({ post }) => post)
    const { question, ids } = questionOn(posts, ground, this.random)
    const most = costOf(tokensAtMost(question), question.maxTokens + model.reasoningTokens, prices)
    const reservation = await this.reserve(workspaceId, most)
    if (reservation === null) {
      for (const mention of mentions) mention.resolve({ fallback: 'budget' })
      return
    }
    // When every caller has aborted, the reservation expires, which costs less than an aborted call.
    if (mentions.every(({ signal }) => signal.aborted)) throw mentions[0]!.signal.reason
    const { signal, release } = signalOfCall(
      new Set(mentions.map((mention) => mention.signal)),
      this.closing.signal,
      clock,
    )
    const reply = await model.complete(question, signal).finally(release)
    await this.settle(reservation, reply)
    const verdicts = 'fault' in reply ? new Map<string, Verdict>() : verdictsIn(reply.value, ids)
    this.breaker.record(verdicts.size > 0 ? 'success' : 'failure')
    this.report(reply, { verdicts: verdicts.size, mentions: mentions.length, isOver: signal.aborted })
    await this.remember(mentions, ids, verdicts)
    for (const [at, mention] of mentions.entries()) this.conclude(mention, verdicts.get(ids[at]!), reply)
  }

  private async reserve(workspaceId: Subject['workspaceId'], microUsd: number): Promise<Reservation | null> {
    const { budget, clock } = this.options
    const nowMs = clock.monotonicMs()
    if ((this.spentUntilMs.get(workspaceId) ?? Number.NEGATIVE_INFINITY) > nowMs) return null
    const reservation = await budget.reserve(workspaceId, microUsd)
    if (reservation === null) this.noteSpent(workspaceId)
    return reservation
  }

  private noteSpent(workspaceId: string): void {
    const nowMs = this.options.clock.monotonicMs()
    for (const [known, untilMs] of this.spentUntilMs) if (untilMs <= nowMs) this.spentUntilMs.delete(known)
    this.spentUntilMs.set(workspaceId, nowMs + SPENT_FOR_MS)
  }

  /** A cost that cannot be recorded stays reserved until the reservation expires. */
  private async settle(reservation: Reservation, reply: ModelReply): Promise<void> {
    const { prices, metrics, budget, log, model } = this.options
    const cost = chargeOf(reservation, reply, prices)
    metrics.modelTokens.inc({ direction: 'read' }, cost.inputTokens)
    metrics.modelTokens.inc({ direction: 'written' }, cost.outputTokens)
    metrics.modelDollars.inc(cost.microUsd / 1_000_000)
    await budget
      .settle(reservation, cost)
      .catch((error: unknown) =>
        log.warn(
          { event: 'model.cost_not_recorded', err: error, model: model.name },
          'The cost of a model call could not be recorded',
        ),
      )
  }

  private report(
    reply: ModelReply,
    { verdicts, mentions, isOver }: { verdicts: number; mentions: number; isOver: boolean },
  ): void {
    const { metrics, log, model } = this.options
    const outcome = outcomeOf(reply, verdicts, mentions)
    metrics.modelCalls.inc({ outcome })
    if (outcome === 'answered' || isOver) return
    const reason = 'fault' in reply ? reply.message : null
    log.warn(
      { event: 'model.answer_incomplete', model: model.name, outcome, reason, mentions, verdicts },
      'The language model did not answer in full',
    )
  }

  private async remember(
    mentions: readonly WaitingMention[],
    ids: readonly string[],
    verdicts: ReadonlyMap<string, Verdict>,
  ): Promise<void> {
    const { cache, log } = this.options
    const found = mentions.flatMap(({ key }, at) => {
      const verdict = verdicts.get(ids[at]!)
      return verdict === undefined ? [] : [{ key, verdict }]
    })
    if (found.length === 0) return
    await cache
      .keep(mentions[0]!.workspaceId, found)
      .catch((error: unknown) =>
        log.warn(
          { event: 'model.verdicts_not_cached', err: error },
          'Verdicts of the language model could not be cached',
        ),
      )
  }

  /** Asks once more about a mention without an answer, because models skip mentions and are slow at times. */
  private conclude(mention: WaitingMention, verdict: Verdict | undefined, reply: ModelReply): void {
    const isHopeless = 'fault' in reply && reply.fault !== 'timeout' && reply.fault !== 'unavailable'
    if (verdict !== undefined) mention.resolve({ verdict })
    else if (mention.signal.aborted) mention.reject(mention.signal.reason)
    else if (mention.askedAgain || isHopeless || this.breaker.isOpen) mention.resolve({ fallback: 'no_answer' })
    else {
      mention.askedAgain = true
      this.waiting.add(mention)
    }
  }

  private counted(looked: SecondVerdictResult, source: 'cached' | 'answered' = 'answered'): SecondVerdictResult {
    if (looked !== null)
      this.options.metrics.secondLooks.inc({ outcome: 'fallback' in looked ? looked.fallback : source })
    return looked
  }
}

function wantedOf(subject: Subject, modelName: string): Omit<WantedMention, 'signal'> {
  const [post, ground] = [shownPost(subject), groundOf(subject)]
  const sort = digest([ground]).toString('base64')
  return { workspaceId: subject.workspaceId, key: digest([PROMPT_VERSION, modelName, sort, post]), post, ground, sort }
}

function outcomeOf(reply: ModelReply, verdicts: number, mentions: number) {
  if ('fault' in reply) return reply.fault
  if (verdicts === 0) return 'useless'
  return verdicts < mentions ? 'incomplete' : 'answered'
}

function digest(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
