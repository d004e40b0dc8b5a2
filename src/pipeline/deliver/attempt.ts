import type { Channels, Sender, SendResult } from '../../channels/contract.ts'
import type { AroundSendings } from '../../commands/around-sending.ts'
import { MAX_PAYLOAD_BYTES, type Outgoing } from '../../domain/delivery/envelope.ts'
import {
  type DeliveryFacts,
  type DeliveryState,
  INSTANT_SPACING_MS,
  step,
  type Trigger,
} from '../../domain/delivery/lifecycle.ts'
import { shownOutcome } from '../../domain/delivery/status.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { type Clock, plus, SECOND_MS } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import type { Mention } from '../../queries/mentions/mention-shape.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import type { AttemptMade, SentRequest } from '../../store/delivery/delivery-attempts.ts'
import type { DueDelivery } from '../../store/delivery/due-deliveries.ts'
import type { Settled } from '../../store/delivery/settle-deliveries.ts'
import { ChannelConfigs } from './channel-configs.ts'
import type { DeliverMetrics } from './metrics.ts'

export interface AttemptOptions {
  clock: Clock
  log: Log
  metrics: DeliverMetrics
  channels: Channels
  sealer: Sealer
  around: AroundSendings
}

export interface DeliveryAttempt {
  settled: Omit<Settled, 'leasedUntil'>
  /** False when the receiver failed and may accept later. */
  answered: boolean
  /** Milliseconds of the request; null when none was made. */
  durationMs: number | null
}

/** Sends once and returns the new state. Never rejects. `mention` is null when there is none or it is closed. */
export type AttemptRun = (due: DueDelivery, mention: Mention | null) => Promise<DeliveryAttempt>

export function createAttempt(options: AttemptOptions): AttemptRun {
  const means = { ...options, configs: new ChannelConfigs(options) }
  return (due, mention) => attempt(due, mention, means)
}

async function attempt(due: DueDelivery, mention: Mention | null, means: Means): Promise<DeliveryAttempt> {
  const { clock } = means
  const { workspaceId, deliveryId, mentionId } = due
  const sent: Sent = { request: null, requestedMs: null, responseExcerpt: null }
  const beganAt = clock.now()
  const trigger = await triggerOf(due, mention, means, sent).catch((error: unknown) => failedInside(error, due, means))
  const durationMs = sent.requestedMs === null ? null : clock.monotonicMs() - sent.requestedMs
  const at = clock.now()
  const state = stateAfter(trigger, due, at)
  note(due, state, durationMs, at, means)
  const logged = {
    at: beganAt,
    durationMs: Math.round(durationMs ?? 0),
    request: sent.request,
    responseExcerpt: sent.responseExcerpt,
  }
  const settled = { workspaceId, deliveryId, mentionId, state, attempt: attemptMade(trigger, logged) }
  return { settled, answered: trigger.kind !== 'temporary_failure', durationMs }
}

function failedInside(error: unknown, { deliveryId }: DueDelivery, { log }: Means): Trigger {
  log.error(
    { event: 'delivery.attempt_failed', err: error, deliveryId: toId('dlv', deliveryId) },
    'A delivery could not be attempted',
  )
  const reason = 'the attempt failed inside Earshot'
  return { kind: 'temporary_failure', reason, responseStatus: null, retryAfterSeconds: null }
}

function stateAfter(trigger: Trigger, due: DueDelivery, at: Date): DeliveryState {
  const facts: DeliveryFacts = {
    jitter: Math.random(),
    channelEnabled: due.channel.enabled,
    oversized: false,
    hasReplay: false,
  }
  const next = step(due.state, trigger, facts, at)
  return next.kind === 'moved' ? next.state : due.state
}

/** Deliveries, the most frequent outcome, are logged singly at debug level only. */
function note(
  due: DueDelivery,
  state: DeliveryState,
  durationMs: number | null,
  at: Date,
  { metrics, log }: AttemptOptions,
): void {
  const outcome = shownOutcome(state.status)
  const { kind } = due.channel
  metrics.deliveries.inc({ channel: kind, outcome })
  if (durationMs !== null) metrics.deliverySeconds.observe({ channel: kind }, durationMs / SECOND_MS)
  if (outcome === 'delivered')
    metrics.deliveryAgeSeconds.observe(
      { channel: kind },
      Math.max(0, at.getTime() - due.createdAt.getTime()) / SECOND_MS,
    )
  const level = outcome === 'delivered' ? 'debug' : 'info'
  if (!log.isLevelEnabled(level)) return
  log[level](
    {
      event: 'delivery.attempted',
      deliveryId: toId('dlv', due.deliveryId),
      channelId: toId('dest', due.channelId),
      workspaceId: toId('org', due.workspaceId),
      channel: kind,
      outcome,
      status: state.responseStatus,
      attempts: state.attempts,
      ms: durationMs === null ? null : Math.round(durationMs),
      ...(state.error === null ? {} : { reason: state.error }),
    },
    'Delivery attempted',
  )
}

/** A request is never aborted, because the receiver may have it already. */
const NEVER = new AbortController().signal

/** Filled during the attempt, so that a later internal error still logs the request. */
interface Sent {
  request: SentRequest | null
  requestedMs: number | null
  responseExcerpt: string | null
}

function attemptMade(trigger: Trigger, logged: Omit<AttemptMade, 'outcome'>): AttemptMade | null {
  if (trigger.kind === 'accepted') return { ...logged, outcome: 'delivered' }
  return trigger.kind === 'temporary_failure' || trigger.kind === 'permanent_failure'
    ? { ...logged, outcome: trigger.kind }
    : null
}

interface Means extends AttemptOptions {
  configs: ChannelConfigs
}

async function triggerOf(due: DueDelivery, mention: Mention | null, means: Means, sent: Sent): Promise<Trigger> {
  const { channel } = due
  if (!channel.enabled) return { kind: 'cancel', reason: 'the channel is disabled' }
  if (due.mentionId && mention?.status !== 'open')
    return { kind: 'cancel', reason: 'the mention is closed or gone, or its author is muted' }
  const sender = means.channels.get(channel.kind)?.sender
  if (!sender) return neverSent(`channels of kind ${channel.kind} are not set up on this installation`)
  const config = means.configs.of(due)
  if (config === null)
    return {
      kind: 'hold',
      reason: 'the secret or the headers of the channel cannot be opened with the key of this installation',
    }
  if (isRefusal(config)) return neverSent(config.message)
  const { before } = means.around[channel.kind] ?? {}
  const prepared = before ? await before(due).catch((error: unknown) => putOff(error, means.clock)) : ALWAYS
  if (prepared.kind !== 'go') return prepared
  const request = sender.render(outgoingOf(due, mention), { ...config, ...prepared.settings }, means.clock.now())
  const result = await sendNoting(request, sender, means.clock, sent)
  await noteAnswer(due, result, means)
  return triggerFrom(result)
}

function neverSent(reason: string): Trigger {
  return { kind: 'permanent_failure', reason, responseStatus: null }
}

function outgoingOf(due: DueDelivery, mention: Mention | null): Outgoing {
  return {
    id: toId('dlv', due.deliveryId),
    kind: due.kind,
    event: due.event,
    alerts: due.alerts.map(({ id, name }) => ({ id: toId('feed', id), name })),
    data: mention ?? due.data ?? {},
  }
}

async function sendNoting(request: unknown, sender: Sender, clock: Clock, sent: Sent): Promise<SendResult> {
  // Before the request is sent, so that an error here cannot cause a second one.
  const shown = sender.shown(request)
  sent.requestedMs = clock.monotonicMs()
  const result = await sender.send(request, NEVER)
  if (Buffer.byteLength(shown.body) <= MAX_PAYLOAD_BYTES) sent.request = shown
  sent.responseExcerpt = result.replyExcerpt
  return result
}

async function noteAnswer(due: DueDelivery, result: SendResult, { around, log }: Means): Promise<void> {
  await around[due.channel.kind]?.after?.(due, result).catch((error: unknown) => {
    // The receiver has the message. A failed note must not send it again.
    if (result.outcome !== 'delivered') throw error
    log.error(
      { event: 'delivery.reply_not_recorded', err: error, deliveryId: toId('dlv', due.deliveryId) },
      'The reply of a receiver could not be recorded',
    )
  })
}

/** While the database is away nothing was sent, so no attempt is counted. */
function putOff(error: unknown, clock: Clock): Trigger {
  if (!(error instanceof DatabaseUnavailable)) throw error
  return { kind: 'defer', until: plus(clock.now(), INSTANT_SPACING_MS), reason: 'the database could not be reached' }
}

const ALWAYS = { kind: 'go', settings: {} } as const

function triggerFrom(result: SendResult): Trigger {
  if (result.outcome === 'delivered') return { kind: 'accepted', responseStatus: result.status }
  if (result.outcome === 'temporary')
    return {
      kind: 'temporary_failure',
      reason: result.reason,
      responseStatus: result.status,
      retryAfterSeconds: result.retryAfterSeconds,
    }
  return { kind: 'permanent_failure', reason: result.reason, responseStatus: result.status }
}
