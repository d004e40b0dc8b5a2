import { HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { excerpt } from '../../kernel/text.ts'
import type { DigestMode } from '../alert/mode.ts'
import { DELIVERY_STATUSES, type DeliveryStatus, isFinished } from './status.ts'

/** How many attempts a delivery of an instant rule or of an account event has, and has again after a retry. */
export const MAX_ATTEMPTS = 5
/** The time between two attempts; up to a tenth is added so that many failures at once do not come back at once. */
export const INSTANT_SPACING_MS = 30 * SECOND_MS
export const DIGEST_SPACING_MS = 5 * MINUTE_MS
/** How long a digest is tried after it was due. */
export const DIGEST_WINDOW_MS = 6 * HOUR_MS
/** A receiver may ask for more patience than the usual spacing, but not for more than this. */
export const MAX_RETRY_AFTER_SECONDS = 3600
const MAX_ERROR_LENGTH = 300

/** When a delivery is tried: an instant one counts its attempts, a digest has a window that begins when it was due. */
export type Timing = { mode: 'instant' } | { mode: DigestMode; dueAt: Date }

export interface DeliveryState {
  status: DeliveryStatus
  timing: Timing
  /** Attempts made so far, over all retries. */
  attempts: number
  /** The number of attempts at which an instant delivery fails for good. A digest does not look at it. */
  attemptLimit: number
  /** When the next attempt is due; null unless pending. */
  nextAttemptAt: Date | null
  /** Why the last attempt failed, or why the delivery was held or cancelled. */
  error: string | null
  /** The status of the last reply, where there was one. */
  responseStatus: number | null
  /** When the receiver accepted it. */
  sentAt: Date | null
}

/** What can happen to a delivery. */
export type Trigger =
  | { kind: 'accepted'; responseStatus: number | null }
  /** A failure that may pass: timeout, network error, 408, 429, 5xx. */
  | { kind: 'temporary_failure'; reason: string; responseStatus: number | null; retryAfterSeconds: number | null }
  /** A failure that will not pass: a redirect or another 4xx. */
  | { kind: 'permanent_failure'; reason: string; responseStatus: number | null }
  /** Not tried now and not counted as an attempt, because the destination takes so many in a time. */
  | { kind: 'defer'; until: Date; reason: string }
  /** Kept back before an attempt, for instance by a channel's hourly limit. */
  | { kind: 'hold'; reason: string }
  /** No longer wanted: the channel was changed or turned off, the mention closed or deleted, its author muted. */
  | { kind: 'cancel'; reason: string }
  /** What it was held back for is over: there is room again. */
  | { kind: 'room' }
  /** Somebody asks to go on with this delivery. */
  | { kind: 'retry' }
  /** Somebody asks to send the same content again as a new delivery. */
  | { kind: 'replay' }

export interface Facts {
  /** 0 to 1, drawn by the caller: the share of the added tenth of the spacing. */
  jitter: number
  channelEnabled: boolean
  /** The content exceeds the size limit. */
  oversized: boolean
  /** A newer replay of this delivery exists. */
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
  /** The delivery is now in `state`. */
  | { kind: 'moved'; state: DeliveryState }
  /** The delivery stays as it is; a new one begins in `state`. */
  | { kind: 'created'; state: DeliveryState }
  /** The trigger says nothing to a delivery in this state, such as a result that arrives after a cancellation. */
  | { kind: 'ignored' }
  | { kind: 'refused'; code: StepRefusal }

/** A delivery that has just come about and is to be sent at `at`. */
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

/** What `trigger` makes of a delivery. The first line of the table that fits decides. */
export function step(state: DeliveryState, trigger: Trigger, facts: Facts, at: Date): Step {
  const next =
    trigger.kind === 'temporary_failure'
      ? nextAttempt(state, state.attempts + 1, trigger.retryAfterSeconds, facts.jitter, at)
      : null
  const line = TRANSITIONS.find(
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

/**
 * The last instant at which a digest may still be tried: six hours after it was due, or for an hourly digest 45 minutes
 * past the next hour.
 */
export function digestRetryUntil(mode: DigestMode, dueAt: Date): Date {
  if (mode !== 'hourly') return plus(dueAt, DIGEST_WINDOW_MS)
  const hour = Math.floor(dueAt.getTime() / HOUR_MS) * HOUR_MS
  return new Date(hour + HOUR_MS + 45 * MINUTE_MS)
}

/**
 * When to try again after a temporary failure: the usual spacing, or later when the receiver asked for it. Null when
 * the attempts, or the window of a digest, are used up. `attempts` includes the one that has just failed.
 */
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

/** One line of the table. `when` passes it over for the next line; `check` says no to somebody who asks. */
interface Transition {
  from: readonly DeliveryStatus[]
  on: Trigger['kind']
  to: DeliveryStatus | 'new delivery'
  when?: 'an attempt is left'
  check?: (state: DeliveryState, facts: Facts, at: Date) => StepRefusal | null
}

/** The states and triggers as data; what is not listed does not happen. */
export const TRANSITIONS: readonly Transition[] = [
  // A request that was on the wire when its delivery was cancelled may still be accepted; the log then says what
  // happened.
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

function refusesResend(_state: DeliveryState, facts: Facts): StepRefusal | null {
  if (!facts.channelEnabled) return 'channel_disabled'
  return facts.oversized ? 'payload_too_large' : null
}

function refusesRetry(state: DeliveryState, facts: Facts, at: Date): StepRefusal | null {
  const refusal = refusesResend(state, facts)
  if (refusal !== null || state.timing.mode === 'instant') return refusal
  if (facts.hasReplay) return 'digest_has_replay'
  return at > digestRetryUntil(state.timing.mode, state.timing.dueAt) ? 'digest_retry_expired' : null
}

/** The state after the trigger, in the status that the table gives. */
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
      // A retry has the full number of attempts again, while the log keeps counting.
      return {
        ...base,
        attemptLimit: state.attempts + MAX_ATTEMPTS,
        nextAttemptAt: at,
        error: null,
        responseStatus: null,
      }
    case 'replay': {
      // The window of a digest that is sent anew begins now; its first one may be long over.
      const timing: Timing = state.timing.mode === 'instant' ? state.timing : { mode: state.timing.mode, dueAt: at }
      return newDelivery(timing, at)
    }
  }
}
