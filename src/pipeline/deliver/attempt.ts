import type { Channels, SendResult } from '../../channels/contract.ts'
import type { AroundSendings, Sending } from '../../commands/around-sending.ts'
import { MAX_PAYLOAD_BYTES } from '../../domain/delivery/envelope.ts'
import {
  type DeliveryState,
  type Facts,
  INSTANT_SPACING_MS,
  step,
  type Trigger,
} from '../../domain/delivery/lifecycle.ts'
import { shownOutcome } from '../../domain/delivery/status.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { type Clock, plus, SECOND_MS } from '../../kernel/clock.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import type { Mention } from '../../queries/mentions/mention-shape.ts'
import { openConfig } from '../../store/channel/channel-config.ts'
import { secretBinding } from '../../store/channel/channels.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import type { AttemptMade, SentRequest } from '../../store/delivery/delivery-attempts.ts'
import type { DueDelivery } from '../../store/delivery/due-deliveries.ts'
import type { Settled } from '../../store/delivery/settle-deliveries.ts'
import type { DeliverMetrics } from './metrics.ts'

export interface AttemptOptions {
  clock: Clock
  log: Log
  metrics: DeliverMetrics
  channels: Channels
  sealer: Sealer
  around: AroundSendings
}

/** How an attempt ended. */
export interface Attempted {
  settled: Omit<Settled, 'leasedUntil'>
  /** False when the receiver did not take it and may do so later. */
  answered: boolean
  /** From the request to its end; null when none was made, because there was nothing to send any more or no way to. */
  durationMs: number | null
}

/**
 * Sends once and says what that makes of the delivery. Never rejects. `mention` is null when there is none, or none
 * that is still to be sent.
 */
export type Attempt = (due: DueDelivery, mention: Mention | null) => Promise<Attempted>

/** Channels whose settings are kept in the form that sending takes. */
const CONFIGS_MAX = 10_000

export function createAttempt(options: AttemptOptions): Attempt {
  const { clock, log } = options
  const means = { ...options, configOf: createConfigs(options) }
  return async (due, mention) => {
    const sent: Sent = { request: null, requestedMs: null, responseExcerpt: null }
    const beganAt = clock.now()
    let trigger: Trigger
    try {
      trigger = await triggerOf(due, mention, means, sent)
    } catch (error) {
      log.error({ err: error, deliveryId: toId('dlv', due.deliveryId) }, 'a delivery could not be attempted')
      trigger = {
        kind: 'temporary_failure',
        reason: 'the attempt failed inside Earshot',
        responseStatus: null,
        retryAfterSeconds: null,
      }
    }
    const durationMs = sent.requestedMs === null ? null : clock.monotonicMs() - sent.requestedMs
    const facts: Facts = {
      jitter: Math.random(),
      channelEnabled: due.channel.enabled,
      oversized: false,
      hasReplay: false,
    }
    const at = clock.now()
    const next = step(due.state, trigger, facts, at)
    const state = next.kind === 'moved' ? next.state : due.state
    note(due, state, durationMs, at, options)
    const logged = {
      at: beganAt,
      durationMs: Math.round(durationMs ?? 0),
      request: sent.request,
      responseExcerpt: sent.responseExcerpt,
    }
    const settled = {
      workspaceId: due.workspaceId,
      deliveryId: due.deliveryId,
      mentionId: due.mentionId,
      state,
      attempt: attemptMade(trigger, logged),
    }
    return { settled, answered: trigger.kind !== 'temporary_failure', durationMs }
  }
}

/**
 * Counts an attempt. One that did not deliver has a line of its own in the log: the others, by far the most, are
 * counted in the line of the group that they are written down in, and shown one by one where somebody looks for what is
 * wrong.
 */
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
    'delivery attempt',
  )
}

/**
 * Nobody aborts it: a request that is on the wire is always brought to its end, because the receiver may have it
 * already.
 */
const NEVER = new AbortController().signal

/** What is known of a request by now, also when something goes wrong inside afterwards. */
interface Sent {
  request: SentRequest | null
  requestedMs: number | null
  responseExcerpt: string | null
}

/** What the log keeps of an attempt; null for what is no attempt: nothing was tried, and none was counted. */
function attemptMade(trigger: Trigger, logged: Omit<AttemptMade, 'outcome'>): AttemptMade | null {
  if (trigger.kind === 'accepted') return { ...logged, outcome: 'delivered' }
  return trigger.kind === 'temporary_failure' || trigger.kind === 'permanent_failure'
    ? { ...logged, outcome: trigger.kind }
    : null
}

interface Means extends AttemptOptions {
  configOf: ConfigOf
}

/** Notes in `sent` what it has sent, if anything. */
async function triggerOf(
  due: DueDelivery,
  mention: Mention | null,
  { channels, clock, log, around, configOf }: Means,
  sent: Sent,
): Promise<Trigger> {
  const { channel } = due
  if (!channel.enabled) return { kind: 'cancel', reason: 'the channel is switched off' }
  if (due.mentionId && mention?.status !== 'open')
    return { kind: 'cancel', reason: 'the mention is closed or gone, or its author is muted' }
  const sender = channels.get(channel.kind)?.sender
  if (!sender)
    return {
      kind: 'permanent_failure',
      reason: `channels of kind ${channel.kind} are not set up on this installation`,
      responseStatus: null,
    }
  const config = configOf(due)
  if (config === null)
    return {
      kind: 'hold',
      reason: 'the secret or the headers of the channel cannot be opened with the key of this installation',
    }
  if (isRefusal(config)) return { kind: 'permanent_failure', reason: config.message, responseStatus: null }
  const { before, after } = around[channel.kind] ?? {}
  const sending: Sending = due
  const prepared = before ? await before(sending).catch((error: unknown) => putOff(error, clock)) : ALWAYS
  if (prepared.kind !== 'go') return prepared
  const outgoing = {
    id: toId('dlv', due.deliveryId),
    kind: due.kind,
    event: due.event,
    alerts: due.alerts.map(({ id, name }) => ({ id: toId('feed', id), name })),
    data: mention ?? due.data ?? {},
  }
  const request = sender.render(outgoing, { ...config, ...prepared.settings }, clock.now())
  // Before the request is on the wire, so that nothing that fails here makes it a second one.
  const shown = sender.shown(request)
  sent.requestedMs = clock.monotonicMs()
  const result = await sender.send(request, NEVER)
  // What is larger was not sent.
  if (Buffer.byteLength(shown.body) <= MAX_PAYLOAD_BYTES) sent.request = shown
  sent.responseExcerpt = result.replyExcerpt
  if (after)
    await after(sending, result).catch((error: unknown) => {
      // The receiver has it: what could not be noted beside must not make it a second one.
      if (result.outcome !== 'delivered') throw error
      log.error({ err: error, deliveryId: toId('dlv', due.deliveryId) }, 'what a receiver said could not be noted')
    })
  return triggerFrom(result)
}

/** While the database is away nobody was asked, so no attempt is counted. */
function putOff(error: unknown, clock: Clock): Trigger {
  if (!(error instanceof DatabaseUnavailable)) throw error
  return { kind: 'defer', until: plus(clock.now(), INSTANT_SPACING_MS), reason: 'the database could not be reached' }
}

/** Of kinds that nothing is to be done for before an attempt. */
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

type ConfigOf = (due: DueDelivery) => object | null

/**
 * The settings of a channel as its sender wants them, a refusal, or null when its secret or headers cannot be opened.
 * Read once for each of their versions.
 */
function createConfigs({ channels, sealer }: AttemptOptions): ConfigOf {
  const known = new Map<Uuid, { settings: string; secretSealed: string | null; config: object }>()
  return ({ channelId, workspaceId, channel: { kind, settings, secretSealed } }) => {
    const kept = known.get(channelId)
    if (kept?.settings === settings && kept.secretSealed === secretSealed) return kept.config
    const secret = secretSealed === null ? undefined : sealer.open(secretSealed, secretBinding(workspaceId, channelId))
    const stored = openConfig(sealer, { workspaceId, id: channelId }, JSON.parse(settings) as Record<string, unknown>)
    if (secret === null || stored === null) return null
    const config = channels
      .get(kind)!
      .sender.readConfig({ ...stored, ...(secret === undefined ? {} : { secret }) }) as object
    if (known.size >= CONFIGS_MAX) known.clear()
    known.set(channelId, { settings, secretSealed, config })
    return config
  }
}
