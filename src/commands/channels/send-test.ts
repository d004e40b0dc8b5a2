import type { EnvelopeAlert, Outgoing } from '../../domain/delivery/envelope.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { type Id, newUuid, toId } from '../../kernel/ids.ts'
import { openConfig } from '../../store/channel/channel-config.ts'
import { type StoredChannel, secretBinding } from '../../store/channel/channels.ts'
import type { Sending } from '../around-sending.ts'
import type { Services } from '../writing.ts'

export interface TestOutcome {
  channelId: Id<'dest'>
  ok: boolean
  /** Why the test failed; null when it succeeded. */
  error: string | null
}

export const TEST_EVENT = 'test'
const TEST_MESSAGE = 'This is a test. Mentions and events will arrive the same way.'

type Refusals = 'delivery_key_unavailable'

/** Sends the test event to each channel once, without the queue or the log. */
export async function sendTests(
  services: Services,
  channels: readonly StoredChannel[],
  alert: EnvelopeAlert,
): Promise<{ outcomes: TestOutcome[] } | Refusal<Refusals>> {
  const results = await Promise.all(channels.map((channel) => sendTest(services, channel, alert)))
  const outcomes: TestOutcome[] = []
  for (const result of results) {
    if (isRefusal(result)) return result
    outcomes.push(result)
  }
  return { outcomes }
}

async function sendTest(
  { channels, sealer, clock, around }: Services,
  channel: StoredChannel,
  alert: EnvelopeAlert,
): Promise<TestOutcome | Refusal<Refusals>> {
  const failed = (error: string): TestOutcome => ({ channelId: toId('dest', channel.id), ok: false, error })
  if (!channel.enabled) return failed('the channel is disabled')
  const sender = channels.get(channel.kind)?.sender
  if (sender === undefined) return failed(`channels of the kind ${channel.kind} are not set up on this installation`)
  const secret =
    channel.secretSealed === null
      ? undefined
      : sealer.open(channel.secretSealed, secretBinding(channel.workspaceId, channel.id))
  const stored = openConfig(sealer, channel, channel.config)
  if (secret === null || stored === null)
    return refuse(
      'delivery_key_unavailable',
      `The stored ${secret === null ? 'secret' : 'headers'} of the channel cannot be opened with the key of this ` +
        'installation',
    )
  const config = sender.readConfig({ ...stored, ...(secret === undefined ? {} : { secret }) })
  if (isRefusal(config)) return failed(config.message)
  const at = clock.now()
  const sending: Sending = {
    workspaceId: channel.workspaceId,
    channelId: channel.id,
    kind: 'test',
    deliveryId: newUuid(at),
    mentionId: null,
  }
  const { before, after } = around[channel.kind] ?? {}
  const prepared = before ? await before(sending) : null
  if (prepared !== null && prepared.kind !== 'go') return failed(prepared.reason)
  const outgoing: Outgoing = {
    id: toId('dlv', sending.deliveryId),
    kind: 'test',
    event: TEST_EVENT,
    alerts: [alert],
    data: { message: TEST_MESSAGE },
  }
  const request = sender.render(outgoing, { ...(config as object), ...prepared?.settings }, at)
  // The sender has its own time limit.
  const result = await sender.send(request, new AbortController().signal)
  if (after) await after(sending, result)
  return result.outcome === 'delivered'
    ? { channelId: toId('dest', channel.id), ok: true, error: null }
    : failed(result.reason)
}
