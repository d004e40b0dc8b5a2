import type { ChannelSettings, ChannelSetup } from '../../channels/contract.ts'
import { HIDDEN_VALUE } from '../../domain/delivery/mask.ts'
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import type { ChannelView } from '../../queries/channels/channel-shape.ts'
import { getChannel, noSuchChannel } from '../../queries/channels/get-channel.ts'
import { openConfig, sealConfig } from '../../store/channel/channel-config.ts'
import { lockChannel, type StoredChannel, updateChannel as storeChannel } from '../../store/channel/channels.ts'
import type { Transaction } from '../../store/database.ts'
import { cancelUnsent } from '../../store/delivery/cancel-deliveries.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { WritingContext } from '../writing.ts'
import { changeRecipients } from './email/change-recipients.ts'
import { mailUnavailable } from './email/create-confirmation.ts'

/** Absent fields stay, headers and events are replaced as a whole, null restores the default. */
export interface ChannelChange {
  url?: string | undefined
  label?: string | null | undefined
  headers?: Record<string, string> | null | undefined
  events?: readonly string[] | null | undefined
  enabled?: boolean | undefined
  /** Of an e-mail channel. */
  emails?: readonly string[] | undefined
}

type ChangeRefusal = Refusal<
  | 'not_found'
  | 'validation_error'
  | 'email_transport_unavailable'
  | 'recipient_suppressed'
  | 'confirmation_rate_limited'
>

/** Cancels waiting deliveries if the destination changes. */
export async function updateChannel(
  writing: WritingContext,
  id: Uuid,
  change: ChannelChange,
): Promise<ChannelView | ChangeRefusal> {
  const { db, workspaceId } = writing
  return await db.transaction(async (tx) => {
    const current = await lockChannel(tx, workspaceId, id)
    if (current === null) return noSuchChannel()
    const changed = await changedChannel(tx, writing, current, change)
    if (isRefusal(changed)) return changed
    const { channel, cancelsUnsent } = changed
    await storeChannel(tx, channel)
    await recordChange(tx, writing, channel, change)
    if (!channel.enabled) await cancelUnsent(tx, workspaceId, id, 'the channel was disabled')
    else if (cancelsUnsent) await cancelUnsent(tx, workspaceId, id, 'the channel was changed')
    return await getChannel({ ...writing, db: tx }, id)
  })
}

async function changedChannel(
  tx: Transaction,
  writing: WritingContext,
  current: StoredChannel,
  change: ChannelChange,
): Promise<{ channel: StoredChannel; cancelsUnsent: boolean } | ChangeRefusal> {
  const { channels, sealer } = writing
  if (change.emails !== undefined && current.kind !== 'email')
    return refuseField('emails', 'is a field of e-mail channels only')
  // New recipients are asked by mail.
  const canAsk = channels.has('email')
  if (change.emails !== undefined && !canAsk) return mailUnavailable()
  const opened = openConfig(sealer, current, current.config)
  const headers = keptValues(change.headers, opened)
  if (isRefusal(headers)) return headers
  const changed = changedSettings(channels.setupOf(current.kind), current, opened, { ...change, headers })
  if (isRefusal(changed)) return changed
  const settings =
    current.kind === 'email' && canAsk
      ? await changeRecipients(tx, writing, current, changed.settings)
      : changed.settings
  if (isRefusal(settings)) return settings
  const config = {
    ...sealConfig(sealer, current, settings.config as Record<string, unknown>),
    ...(opened === null && headers === undefined ? closedOf(current) : {}),
  }
  const enabled = change.enabled ?? current.enabled
  const channel = { ...current, label: settings.label, config, events: [...settings.events], enabled }
  return { channel, cancelsUnsent: changed.cancelsUnsent }
}

function changedSettings(
  setup: ChannelSetup,
  current: StoredChannel,
  opened: Record<string, unknown> | null,
  { url, label, headers, events, emails }: ChannelChange & { headers: Record<string, string> | undefined },
): { settings: ChannelSettings; cancelsUnsent: boolean } | Refusal<'validation_error'> {
  const input = { url, label: label ?? undefined, headers, events: events === null ? [] : events, emails }
  const changed = setup.change(
    { label: current.label, config: opened ?? { ...current.config, headers: {} }, events: current.events },
    input,
  )
  if (isRefusal(changed) || label !== null) return changed
  // The default label is that of a new channel with these settings.
  const labelled = setup.create({ ...(changed.settings.config as object), events: changed.settings.events })
  return isRefusal(labelled) ? labelled : { settings: labelled, cancelsUnsent: changed.cancelsUnsent }
}

async function recordChange(
  tx: Transaction,
  { workspaceId, clock }: WritingContext,
  { id, label: name }: StoredChannel,
  { url, label, headers, events, enabled, emails }: ChannelChange,
): Promise<void> {
  const given = Object.entries({ url, label, headers, events, enabled, emails }).filter(
    ([, value]) => value !== undefined,
  )
  const target = { id: toId('dest', id), name }
  const data = { fields: given.map(([field]) => field) }
  await recordAudit(tx, { workspaceId, kind: 'channel.updated', target, data }, clock.now())
}

/** Fills in the stored value for each header sent back masked. */
function keptValues(
  headers: ChannelChange['headers'],
  opened: Record<string, unknown> | null,
): Record<string, string> | undefined | Refusal<'validation_error'> {
  if (headers === null || headers === undefined) return headers === null ? {} : undefined
  if (opened === null && Object.values(headers).includes(HIDDEN_VALUE))
    return refuseField(
      'headers',
      `the values that ${HIDDEN_VALUE} stands for cannot be opened with the key of this installation; ` +
        'give all of them again',
    )
  const stored = (opened?.['headers'] ?? {}) as Record<string, string>
  const entries = Object.entries(headers).map(
    ([name, value]) => [name, value === HIDDEN_VALUE ? stored[name.toLowerCase()] : value] as const,
  )
  const unknown = entries.find(([, value]) => value === undefined)
  if (unknown !== undefined)
    return refuseField(
      `headers.${unknown[0]}`,
      `${HIDDEN_VALUE} stands for an existing value, and there is none with this name`,
    )
  return Object.fromEntries(entries) as Record<string, string>
}

/** Headers that cannot be decrypted stay until they are set again. */
function closedOf({ config: { headers, headersSealed } }: StoredChannel): Record<string, unknown> {
  return { headers, headersSealed }
}
