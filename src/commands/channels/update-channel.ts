import { toId, type Uuid } from '../../kernel/ids.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../kernel/refusal.ts'
import type { ChannelView } from '../../queries/channels/channel-shape.ts'
import { getChannel, noSuchChannel } from '../../queries/channels/get-channel.ts'
import { recordAudit } from '../../store/audit.ts'
import { lockChannel, updateChannel as storeChannel } from '../../store/channels.ts'
import { cancelUnsent } from '../../store/deliveries.ts'
import { changeRecipients } from '../email/change-recipients.ts'
import { mailUnavailable } from '../email/create-confirmation.ts'
import type { Writing } from '../writing.ts'

/** What changes; an absent field stays, headers and events are replaced as a whole, null restores the default. */
export interface ChannelChange {
  url?: string | undefined
  label?: string | null | undefined
  headers?: Record<string, string> | null | undefined
  events?: readonly string[] | null | undefined
  enabled?: boolean | undefined
  /** Of an e-mail channel. */
  emails?: readonly string[] | undefined
}

/** Changes a channel. What waits to be sent is cancelled when it would go elsewhere, or nowhere. */
export async function updateChannel(
  writing: Writing,
  id: Uuid,
  { url, label, headers, events, enabled, emails }: ChannelChange,
): Promise<
  | ChannelView
  | Refusal<'not_found' | 'validation_error' | 'delivery_not_configured' | 'email_transport_unavailable' | 'recipient_suppressed' | 'confirmation_rate_limited'>
> {
  const { db, clock, workspaceId, channels } = writing
  return await db.transaction(async (tx) => {
    const current = await lockChannel(tx, workspaceId, id)
    if (current === null) return noSuchChannel()
    const setup = channels.get(current.kind)?.setup
    if (setup === undefined && current.kind === 'email') return mailUnavailable()
    if (setup === undefined) return refuse('delivery_not_configured', `Channels of the kind ${current.kind} are not set up on this installation`)
    if (emails !== undefined && current.kind !== 'email') return refuseField('emails', 'is a field of e-mail channels only')
    const input = { url, label: label ?? undefined, headers: headers === null ? {} : headers, events: events === null ? [] : events, emails }
    const changed = setup.change({ label: current.label, config: current.config, events: current.events }, input)
    if (isRefusal(changed)) return changed
    // The default label is the one that a new channel with these settings would get.
    const labelled = label === null ? setup.create({ ...(changed.settings.config as object), events: changed.settings.events }) : changed.settings
    if (isRefusal(labelled)) return labelled
    const settings = current.kind === 'email' ? await changeRecipients(tx, writing, current, labelled) : labelled
    if (isRefusal(settings)) return settings
    const config = settings.config as Record<string, unknown>
    const channel = { ...current, label: settings.label, config, events: [...settings.events], enabled: enabled ?? current.enabled }
    await storeChannel(tx, channel)
    const given = Object.entries({ url, label, headers, events, enabled, emails }).filter(([, value]) => value !== undefined)
    const target = { id: toId('dest', id), name: channel.label }
    await recordAudit(tx, { workspaceId, kind: 'channel.updated', target, data: { fields: given.map(([name]) => name) } }, clock.now())
    if (!channel.enabled) await cancelUnsent(tx, workspaceId, id, 'the channel was switched off')
    else if (changed.cancelsUnsent) await cancelUnsent(tx, workspaceId, id, 'the channel was changed')
    return await getChannel({ ...writing, db: tx }, id)
  })
}
