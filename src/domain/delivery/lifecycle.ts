import { HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { excerpt } from '../../kernel/text.ts'
import type { DigestMode } from '../alert/mode.ts'
import { DELIVERY_STATUSES, type DeliveryStatus, isFinished } from './status.ts'

/** Each retry grants all attempts again. */
export const MAX_ATTEMPTS = 5
/** Time between attempts. Up to a tenth is added, so that simultaneous failures do not retry together. */
export const INSTANT_SPACING_MS = 30 * SECOND_MS
export const DIGEST_SPACING_MS = 5 * MINUTE_MS
/** How long after `dueAt` a digest is tried. */
export const DIGEST_WINDOW_MS = 6 * HOUR_MS
/** Longest `Retry-After` that is respected. */
export const MAX_RETRY_AFTER_SECONDS = 3600
const MAX_ERROR_LENGTH = 300

export type Timing = { mode: 'instant' } | { mode: DigestMode; dueAt: Date }

export interface DeliveryState {
  status: DeliveryStatus
  timing: Timing
  /** Over all retries. */
  attempts: number
  /** Not used by digests. */
  attemptLimit: number
  nextAttemptAt: Date | null
  /** Of the last attempt, the hold or the cancellation. */
  error: string | null
  responseStatus: number | null
  sentAt: Date | null
}

export type Trigger =
  | { kind: 'accepted'; responseStatus: number | null }
  /** Timeout, network error, 408, 429 or 5xx. */
  | { kind: 'temporary_failure'; reason: string; responseStatus: number | null; retryAfterSeconds: number | null }
  /** A redirect or another 4xx. */
  | { kind: 'permanent_failure'; reason: string; responseStatus: number | null }
  /** Postponed by a rate limit; not counted as an attempt. */
  | { kind: 'defer'; until: Date; reason: string }
  | { kind: 'hold'; reason: string }
  /** Channel changed or disabled, mention closed or deleted, author muted. */
  | { kind: 'cancel'; reason: string }
  | { kind: 'room' }
  | { kind: 'retry' }
  | { kind: 'replay' }

export interface DeliveryFacts {
  /** 0 to 1, random. */
  jitter: number
  channelEnabled: boolean
  oversized: boolean
  hasReplay: boolean
}

export type StepRefusal =
  | 'not_retryable'
  | 'not_replayable'
  | 'channel_disabled'
  | 'payload_too_large'
  | 'digest_has_replay'
  | 'digest_retry_expired'

export type Step =
  | { kind: 'moved'; state: DeliveryState }
  /** A new delivery begins in `state`. */
  | { kind: 'created'; state: DeliveryState }
  /** The trigger has no effect in this state, such as a result after a cancellation. */
  | { kind: 'ignored' }
  | { kind: 'refused'; code: StepRefusal }

export function newDelivery(timing: Timing, at: Date): DeliveryState {
  return {
    status: 'pending',
    timing,
    attempts: 0,
    attemptLimit: MAX_ATTEMPTS,
    nextAttemptAt: at,
    error: null,
    responseStatus: null,
    sentAt: null,
  }
}

export function step(state: DeliveryState, trigger: Trigger, facts: DeliveryFacts, at: Date): Step {
  const next =
    trigger.kind === 'temporary_failure'
      ? nextAttempt(state, state.attempts + 1, trigger.retryAfterSeconds, facts.jitter, at)
      : null
  const line = DELIVERY_TRANSITIONS.find(
    (transition) =>
      transition.on === trigger.kind &&
      transition.from.includes(state.status) &&
      (transition.when === undefined || next !== null),
  )
  if (line === undefined) {
    if (trigger.kind === 'retry') return { kind: 'refused', code: 'not_retryable' }
    return trigger.kind === 'replay' ? { kind: 'refused', code: 'not_replayable' } : { kind: 'ignored' }
  }
  const refusal = line.check?.(state, facts, at) ?? null
  if (refusal !== null) return { kind: 'refused', code: refusal }
  if (line.to === 'new delivery') return { kind: 'created', state: enter('pending', state, trigger, next, at) }
  return { kind: 'moved', state: enter(line.to, state, trigger, next, at) }
}

/** Six hours after `dueAt`; for an hourly digest 45 minutes past the next hour. */
export function digestRetryUntil(mode: DigestMode, dueAt: Date): Date {
  if (mode !== 'hourly') return plus(dueAt, DIGEST_WINDOW_MS)
  const hour = Math.floor(dueAt.getTime() / HOUR_MS) * HOUR_MS
  return new Date(hour + HOUR_MS + 45 * MINUTE_MS)
}

/** Null when attempts or window are used up. `attempts` includes the failed one. */
export function nextAttempt(
  state: DeliveryState,
  attempts: number,
  retryAfterSeconds: number | null,
  jitter: number,
  at: Date,
): Date | null {
  const { timing } = state
  if (timing.mode === 'instant' && attempts >= state.attemptLimit) return null
  const spacing = timing.mode === 'instant' ? INSTANT_SPACING_MS : DIGEST_SPACING_MS
  const asked = Math.min(Math.max(retryAfterSeconds ?? 0, 0), MAX_RETRY_AFTER_SECONDS) * SECOND_MS
  const next = plus(at, Math.round(Math.max(spacing, asked) + (spacing / 10) * jitter))
  return timing.mode !== 'instant' && next > digestRetryUntil(timing.mode, timing.dueAt) ? null : next
}

/** `when` skips the row, `check` refuses the caller. */
interface Transition {
  from: readonly DeliveryStatus[]
  on: Trigger['kind']
  to: DeliveryStatus | 'new delivery'
  when?: 'an attempt is left'
  check?: (state: DeliveryState, facts: DeliveryFacts, at: Date) => StepRefusal | null
}

/** Combinations that are not listed have no effect. */
export const DELIVERY_TRANSITIONS: readonly Transition[] = [
  // A request in flight may be accepted after the cancellation; the log records it.
  { from: ['pending', 'cancelled'], on: 'accepted', to: 'delivered' },
  { from: ['pending'], on: 'temporary_failure', to: 'pending', when: 'an attempt is left' },
  { from: ['pending'], on: 'temporary_failure', to: 'failed' },
  { from: ['pending'], on: 'permanent_failure', to: 'failed' },
  { from: ['pending'], on: 'defer', to: 'pending' },
  { from: ['pending'], on: 'hold', to: 'held' },
  { from: ['held'], on: 'room', to: 'pending' },
  { from: ['pending', 'held'], on: 'cancel', to: 'cancelled' },
  { from: ['failed', 'held'], on: 'retry', to: 'pending', check: refusesRetry },
  { from: DELIVERY_STATUSES.filter(isFinished), on: 'replay', to: 'new delivery', check: refusesResend },
]

function refusesResend(_state: DeliveryState, facts: DeliveryFacts): StepRefusal | null {
  if (!facts.channelEnabled) return 'channel_disabled'
  return facts.oversized ? 'payload_too_large' : null
}

function refusesRetry(state: DeliveryState, facts: DeliveryFacts, at: Date): StepRefusal | null {
  const refusal = refusesResend(state, facts)
  if (refusal !== null || state.timing.mode === 'instant') return refusal
  if (facts.hasReplay) return 'digest_has_replay'
  return at > digestRetryUntil(state.timing.mode, state.timing.dueAt) ? 'digest_retry_expired' : null
}

function enter(
  status: DeliveryStatus,
  state: DeliveryState,
  trigger: Trigger,
  next: Date | null,
  at: Date,
): DeliveryState {
  const base = { ...state, status, nextAttemptAt: null }
  switch (trigger.kind) {
    case 'accepted':
      return { ...base, attempts: state.attempts + 1, error: null, responseStatus: trigger.responseStatus, sentAt: at }
    case 'temporary_failure':
    case 'permanent_failure':
      return {
        ...base,
        attempts: state.attempts + 1,
        nextAttemptAt: next,
        error: excerpt(trigger.reason, MAX_ERROR_LENGTH),
        responseStatus: trigger.responseStatus,
      }
    case 'defer':
      return { ...base, nextAttemptAt: trigger.until, error: excerpt(trigger.reason, MAX_ERROR_LENGTH) }
    case 'hold':
    case 'cancel':
      return { ...base, error: excerpt(trigger.reason, MAX_ERROR_LENGTH) }
    case 'room':
      return { ...base, nextAttemptAt: at, error: null }
    case 'retry':
      // A retry grants all attempts again; the count in the log continues.
      return {
        ...base,
        attemptLimit: state.attempts + MAX_ATTEMPTS,
        nextAttemptAt: at,
        error: null,
        responseStatus: null,
      }
    case 'replay': {
      // The replay's window begins now, because the first one may be over.
      const timing: Timing = state.timing.mode === 'instant' ? state.timing : { mode: state.timing.mode, dueAt: at }
      return newDelivery(timing, at)
    }
  }
}
