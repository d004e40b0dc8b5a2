import type { AttentionEvent } from '../../domain/attention/account-events.ts'
import type { ChannelKind } from '../../domain/delivery/channel-kind.ts'
import { newUuid } from '../../kernel/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.ts'
import type { ChannelView } from '../../queries/channels/channel-shape.ts'
import { getChannel } from '../../queries/channels/get-channel.ts'
import { insertChannel, secretBinding } from '../../store/channels.ts'
import { refusesMore } from '../workspaces/refuses-more.ts'
import type { Writing } from '../writing.ts'
import type { PreparingRefusal } from './prepared.ts'
import { PREPARING } from './preparing.ts'

/** What a caller says of a new channel, by kind. */
export type NewChannel =
  | { kind: 'webhook'; url: string; label?: string | undefined; headers?: Record<string, string> | undefined; events?: readonly string[] | undefined }
  | { kind: 'slack'; channelId: string; channelName: string; events?: readonly AttentionEvent[] | undefined }
  | { kind: 'telegram'; events?: readonly AttentionEvent[] | undefined }
  | { kind: 'email'; emails: readonly string[]; events?: readonly AttentionEvent[] | undefined }

/** What a caller is told of a kind that this installation does not have. */
const NOT_SET_UP = {
  webhook: 'delivery_not_configured',
  slack: 'slack_not_configured',
  telegram: 'telegram_not_configured',
  email: 'email_not_configured',
} as const satisfies Record<ChannelKind, string>
type NotSetUp = (typeof NOT_SET_UP)[ChannelKind]

/** Makes a channel. Its secret is in this answer only. */
export async function createChannel(
  writing: Writing,
  { kind, ...input }: NewChannel,
): Promise<ChannelView | Refusal<NotSetUp | PreparingRefusal | 'conflict'>> {
  const { db, clock, workspaceId, channels, sealer } = writing
  const channel = channels.get(kind)
  if (channel === undefined) return refuse(NOT_SET_UP[kind], `Channels of the kind ${kind} are not set up on this installation`)
  const prepare = await PREPARING[kind](writing, channel, input)
  if (isRefusal(prepare)) return prepare
  const at = clock.now()
  const id = newUuid(at)
  return await db.transaction(async (tx) => {
    const full = await refusesMore(tx, workspaceId, 'channels')
    if (full !== null) return full
    const prepared = await prepare(tx, writing, channel, input)
    if (isRefusal(prepared)) return prepared
    const { settings, secret } = prepared
    await insertChannel(tx, {
      workspaceId,
      id,
      kind,
      label: settings.label,
      enabled: true,
      config: settings.config as Record<string, unknown>,
      secretSealed: secret === null ? null : sealer.seal(secret, secretBinding(workspaceId, id)),
      events: [...settings.events],
      createdAt: at,
    })
    await prepared.afterwards?.(id)
    const shown = withSecret(await getChannel({ ...writing, db: tx }, id), prepared.isShown ? secret : null)
    return { ...shown, config: { ...shown.config, ...prepared.shown } }
  })
}

/** The channel that was just stored, with the secret that is shown this once. */
export function withSecret(shown: ChannelView | Refusal, secret: string | null): ChannelView {
  if (isRefusal(shown)) throw new Error('a channel that was just stored cannot be read')
  return secret === null ? shown : { ...shown, config: { ...shown.config, secret } }
}
