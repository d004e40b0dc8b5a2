import type { Channels, SendResult } from '../channels/contract.ts'
import { type Facts, step, type Trigger } from '../domain/delivery/lifecycle.ts'
import { type Clock, SECOND_MS } from '../kernel/clock.ts'
import { toId, type Uuid } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { isRefusal } from '../kernel/refusal.ts'
import type { Sealer } from '../kernel/sealing.ts'
import type { Mention } from '../queries/mentions/mention-shape.ts'
import { secretBinding } from '../store/channels.ts'
import type { DueDelivery, Settled } from '../store/deliveries.ts'

export interface AttemptOptions {
  clock: Clock
  log: Log
  metrics: Metrics
  channels: Channels
  sealer: Sealer
}

/** How an attempt ended. */
export interface Attempted {
  settled: Omit<Settled, 'leasedUntil'>
  /** False when the receiver did not take it and may do so later. */
  answered: boolean
  /** From the request to its end; null when none was made, because there was nothing to send any more or no way to. */
  durationMs: number | null
}

/** Sends once and says what that makes of the delivery. Never rejects. `mention` is null when there is none, or none that is still to be sent. */
export type Attempt = (due: DueDelivery, mention: Mention | null) => Promise<Attempted>

/** Channels whose settings are kept in the form that sending takes. */
const CONFIGS_MAX = 10_000

export function createAttempt(options: AttemptOptions): Attempt {
  const { clock, log, metrics } = options
  const sending = { ...options, configOf: createConfigs(options) }
  return async (due, mention) => {
    let requestedMs: number | null = null
    const onRequest = () => {
      requestedMs = clock.monotonicMs()
    }
    const trigger = await triggerOf(due, mention, sending, onRequest).catch((error: unknown): Trigger => {
      log.error({ err: error, deliveryId: toId('dlv', due.deliveryId) }, 'a delivery could not be attempted')
      return { kind: 'temporary_failure', reason: 'the attempt failed inside Earshot', responseStatus: null, retryAfterSeconds: null }
    })
    const durationMs = since(clock, requestedMs)
    const facts: Facts = { jitter: Math.random(), channelEnabled: due.channel.enabled, oversized: false, hasReplay: false }
    const at = clock.now()
    const next = step(due.state, trigger, facts, at)
    const state = next.kind === 'moved' ? next.state : due.state
    const outcome = state.status === 'pending' ? 'retry' : state.status
    const { kind } = due.channel
    metrics.deliveries.inc({ channel: kind, outcome })
    if (durationMs !== null) metrics.deliverySeconds.observe({ channel: kind }, durationMs / SECOND_MS)
    if (outcome === 'delivered') metrics.deliveryAgeSeconds.observe({ channel: kind }, Math.max(0, at.getTime() - due.createdAt.getTime()) / SECOND_MS)
    log.info(
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
    const settled = { workspaceId: due.workspaceId, deliveryId: due.deliveryId, mentionId: due.mentionId, state }
    return { settled, answered: trigger.kind !== 'temporary_failure', durationMs }
  }
}

/** Nobody aborts it: a request that is on the wire is always brought to its end, because the receiver may have it already. */
const NEVER = new AbortController().signal

function since(clock: Clock, beganMs: number | null): number | null {
  return beganMs === null ? null : clock.monotonicMs() - beganMs
}

interface Sending extends AttemptOptions {
  configOf: ConfigOf
}

/** Calls `onRequest` right before the request, if there is one. */
async function triggerOf(due: DueDelivery, mention: Mention | null, { channels, clock, configOf }: Sending, onRequest: () => void): Promise<Trigger> {
  const { channel } = due
  if (!channel.enabled) return { kind: 'cancel', reason: 'the channel is switched off' }
  if (due.mentionId && mention?.status !== 'open') return { kind: 'cancel', reason: 'the mention is closed or gone, or its author is muted' }
  const sender = channels.get(channel.kind)?.sender
  if (!sender) return { kind: 'permanent_failure', reason: `channels of kind ${channel.kind} are not set up on this installation`, responseStatus: null }
  const config = configOf(due)
  if (config === null) return { kind: 'hold', reason: 'the secret of the channel cannot be opened with the key of this installation' }
  if (isRefusal(config)) return { kind: 'permanent_failure', reason: config.message, responseStatus: null }
  const outgoing = {
    id: toId('dlv', due.deliveryId),
    event: due.event,
    alert: due.alert && { id: toId('feed', due.alert.id), name: due.alert.name },
    data: mention ?? due.data ?? {},
  }
  const request = sender.render(outgoing, config, clock.now())
  onRequest()
  return triggerFrom(await sender.send(request, NEVER))
}

function triggerFrom(result: SendResult): Trigger {
  if (result.outcome === 'delivered') return { kind: 'accepted', responseStatus: result.status }
  if (result.outcome === 'temporary')
    return { kind: 'temporary_failure', reason: result.reason, responseStatus: result.status, retryAfterSeconds: result.retryAfterSeconds }
  return { kind: 'permanent_failure', reason: result.reason, responseStatus: result.status }
}

type ConfigOf = (due: DueDelivery) => unknown

/** The settings of a channel as its sender wants them, a refusal, or null when its secret cannot be opened. Read once for each of their versions. */
function createConfigs({ channels, sealer }: AttemptOptions): ConfigOf {
  const known = new Map<Uuid, { settings: string; secretSealed: string | null; config: unknown }>()
  return ({ channelId, workspaceId, channel: { kind, settings, secretSealed } }) => {
    const kept = known.get(channelId)
    if (kept?.settings === settings && kept.secretSealed === secretSealed) return kept.config
    const secret = secretSealed === null ? undefined : sealer.open(secretSealed, secretBinding(workspaceId, channelId))
    if (secret === null) return null
    const stored = JSON.parse(settings) as Record<string, unknown>
    const config = channels.get(kind)!.sender.readConfig({ ...stored, ...(secret === undefined ? {} : { secret }) })
    if (known.size >= CONFIGS_MAX) known.clear()
    known.set(channelId, { settings, secretSealed, config })
    return config
  }
}
