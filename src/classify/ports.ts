import type { Verdict } from '../domain/mention/classification.ts'
import type { Uuid } from '../kernel/ids.ts'
import type { Subject } from './contract.ts'

/** A question in the form that every provider's adapter takes. */
export interface ModelQuestion {
  instructions: string
  /** A value that is sent as JSON. Texts of third parties stand only here. */
  input: unknown
  schema: Record<string, unknown>
  /** Largest answer in tokens. */
  maxTokens: number
}

/** Tokens read and written; null where the provider gives no count. */
export interface ModelUsage {
  input: number | null
  output: number | null
}

/** The reason for a missing answer. `usage` holds the tokens that may be charged; it is absent where none can be. */
export interface NoModelAnswer {
  fault: 'unavailable' | 'timeout' | 'rate_limited' | 'refused'
  message: string
  usage?: ModelUsage
}

export type ModelReply = { value: unknown; usage: ModelUsage } | NoModelAnswer

/** A language model with its own time limit and retries. */
export interface QueriedModel {
  /** Provider and model. */
  readonly name: string
  /** Tokens that an answer may cost beyond `maxTokens`. */
  readonly reasoningTokens: number
  complete(question: ModelQuestion, signal: AbortSignal): Promise<ModelReply>
  close(): Promise<void>
}

/** Money reserved for one call. */
export interface Reservation {
  workspaceId: Uuid
  id: Uuid
  /** The day (UTC) of the budget, as YYYY-MM-DD. */
  day: string
  /** Millionths of a dollar. */
  microUsd: number
}

export interface CallCost {
  /** Millionths of a dollar. */
  microUsd: number
  inputTokens: number
  outputTokens: number
}

/** The daily budget of all processes, shared fairly between workspaces. */
export interface ModelBudget {
  /**
   * Reserves the highest cost of a call in millionths of a dollar. Returns null when the budget, or the workspace's
   * share of it, is too low.
   */
  reserve(workspaceId: Uuid, microUsd: number): Promise<Reservation | null>
  /** Replaces the reservation by the real cost, once. */
  settle(reservation: Reservation, cost: CallCost): Promise<void>
}

/** Earlier verdicts of the language model. Workspaces share none. */
export interface VerdictCache {
  /** Returns the cached verdicts by `cacheName`. */
  find(wanted: readonly { workspaceId: Uuid; key: Buffer }[]): Promise<Map<string, Verdict>>
  keep(workspaceId: Uuid, verdicts: readonly { key: Buffer; verdict: Verdict }[]): Promise<void>
}

export function cacheName(workspaceId: Uuid, key: Buffer): string {
  return `${workspaceId} ${key.toString('hex')}`
}

/**
 * Why a mention keeps its first verdict: no usable answer came, the day's budget is spent, or too many mentions waited.
 */
export const FALLBACKS = ['no_answer', 'budget', 'busy'] as const
export type Fallback = (typeof FALLBACKS)[number]

/** Null where a post has nothing to judge. */
export type SecondVerdictResult = { verdict: Verdict } | { fallback: Fallback } | null

/** A costlier scorer for some of the subjects. */
export interface SecondVerdict {
  /**
   * Returns results in the order of the subjects: known ones at once, others as promises. A promise is rejected only
   * when `signal` is aborted before the answer, or when the database is unavailable.
   */
  look(
    subjects: readonly Subject[],
    signal: AbortSignal,
  ): Promise<(SecondVerdictResult | Promise<SecondVerdictResult>)[]>
  /** Rejects what waits and aborts calls in flight; idempotent. */
  close(): Promise<void>
}
