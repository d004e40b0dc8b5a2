import type { Verdict } from '../domain/mention/classification.ts'
import type { Uuid } from '../kernel/ids.ts'
import type { Subject } from './contract.ts'

/** What scorers that ask a language model need of the rest of the house. Main hands it in. */

/** One question, as every provider's adapter takes it. */
export interface ModelQuestion {
  instructions: string
  /** As JSON; texts of third parties stand here and nowhere else. */
  input: unknown
  schema: Record<string, unknown>
  /** The longest answer, in tokens. */
  maxTokens: number
}

/** Tokens that were read and written; null where the provider does not say. */
export interface ModelUsage {
  input: number | null
  output: number | null
}

/**
 * Why there is no answer, with what was used up, or may have been, all the same; `usage` is absent where nothing was.
 */
export interface NoModelAnswer {
  fault: 'unavailable' | 'timeout' | 'rate_limited' | 'refused'
  message: string
  usage?: ModelUsage
}

export type ModelReply = { value: unknown; usage: ModelUsage } | NoModelAnswer

/** The language model, with its own time limit and its few tries. */
export interface QueriedModel {
  /** Provider and model. */
  readonly name: string
  /** Tokens that an answer may cost beyond the longest that was asked for. */
  readonly reasoningTokens: number
  complete(question: ModelQuestion, signal: AbortSignal): Promise<ModelReply>
  close(): Promise<void>
}

/** Money that was set aside for one call. */
export interface Reservation {
  workspaceId: Uuid
  id: Uuid
  /** The day that it counts for, as YYYY-MM-DD. */
  day: string
  /** In millionths of a dollar. */
  microUsd: number
}

/** What a call came to. */
export interface CallCost {
  /** In millionths of a dollar. */
  microUsd: number
  inputTokens: number
  outputTokens: number
}

/**
 * The money that the installation may spend on a day, shared out fairly between workspaces, and kept across processes.
 */
export interface ModelBudget {
  /**
   * Sets aside what a call may cost at most, in millionths of a dollar; null when the budget, or the workspace's part
   * of it, does not hold that much any more.
   */
  reserve(workspaceId: Uuid, microUsd: number): Promise<Reservation | null>
  /** Counts what the call really came to instead, once. */
  settle(reservation: Reservation, cost: CallCost): Promise<void>
}

/** Verdicts of the language model that were given before, a workspace's own. */
export interface VerdictCache {
  /** The verdicts that are there, by workspace and key as `cacheName` joins them. */
  find(wanted: readonly { workspaceId: Uuid; key: Buffer }[]): Promise<Map<string, Verdict>>
  keep(workspaceId: Uuid, verdicts: readonly { key: Buffer; verdict: Verdict }[]): Promise<void>
}

/** The name under which a cache answers a verdict. */
export function cacheName(workspaceId: Uuid, key: Buffer): string {
  return `${workspaceId} ${key.toString('hex')}`
}

/**
 * Why a mention that deserved a second look keeps the first verdict: no (usable) answer came, the money of the day is
 * spent, or too much waited for the model.
 */
export const FALLBACKS = ['no_answer', 'budget', 'busy'] as const
export type Fallback = (typeof FALLBACKS)[number]

/** Null where a post holds nothing that could be judged. */
export type SecondVerdictResult = { verdict: Verdict } | { fallback: Fallback } | null

/** A dearer scorer, which is asked about some subjects. */
export interface SecondVerdict {
  /**
   * Answers in the order of the subjects: what is known already at once, what has to be asked when it comes. A promise
   * is rejected only when `signal` is aborted before there is an answer, or when the database is away.
   */
  look(
    subjects: readonly Subject[],
    signal: AbortSignal,
  ): Promise<(SecondVerdictResult | Promise<SecondVerdictResult>)[]>
  /** Gives up what waits and what is on its way; idempotent. */
  close(): Promise<void>
}
