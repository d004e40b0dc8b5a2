import type { Channel } from '../../channels/contract.ts'
import type { AttentionEvent } from '../../domain/attention/account-events.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { newUuid, toId } from '../../kernel/ids.ts'
import type { ChannelView } from '../../queries/channels/channel-shape.ts'
import { getChannel } from '../../queries/channels/get-channel.ts'
import { sealConfig } from '../../store/channel/channel-config.ts'
import { insertChannel, secretBinding } from '../../store/channel/channels.ts'
import type { Transaction } from '../../store/database.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import { keepGrant } from '../oauth/keep-grant.ts'
import { beforeOnce, once } from '../once.ts'
import { refusesMore } from '../workspaces/refuses-more.ts'
import type { WritingContext } from '../writing.ts'
import type { Preparing, PreparingRefusal } from './prepared.ts'
import { PREPARING } from './preparing.ts'

export type NewChannel = { requestId?: string | undefined } & ChannelInput

type ChannelInput =
  | {
      kind: 'webhook'
      url: string
      label?: string | undefined
      headers?: Record<string, string> | undefined
      events?: readonly string[] | undefined
    }
  | { kind: 'slack'; channelId: string; channelName: string; events?: readonly AttentionEvent[] | undefined }
  | { kind: 'telegram'; events?: readonly AttentionEvent[] | undefined }
  | { kind: 'email'; emails: readonly string[]; events?: readonly AttentionEvent[] | undefined }

/** Error codes for kinds that the installation lacks. */
const NOT_SET_UP = {
  webhook: 'delivery_not_configured',
  slack: 'slack_not_configured',
  telegram: 'telegram_not_configured',
  email: 'email_not_configured',
} as const satisfies Record<ChannelKind, string>
type NotSetUp = (typeof NOT_SET_UP)[ChannelKind]

type Made = ChannelView | Refusal<PreparingRefusal | 'conflict' | 'unauthorized'>

/** Only this answer, and its repetition for the same request id, holds the secret. */
export async function createChannel(
  writing: WritingContext,
  { requestId, ...body }: NewChannel,
): Promise<ChannelView | Refusal<NotSetUp | PreparingRefusal | 'conflict' | 'unauthorized' | 'request_conflict'>> {
  const { kind, ...input } = body
  const asked = { operation: 'create-channel', requestId, body }
  const before = await beforeOnce<ChannelView>(writing, asked)
  if (before !== null) return before
  const channel = writing.channels.get(kind)
  if (channel === undefined)
    return refuse(NOT_SET_UP[kind], `Channels of the kind ${kind} are not set up on this installation`)
  const prepare = await PREPARING[kind](writing, channel, input)
  if (isRefusal(prepare)) return prepare
  return once<Made>(writing, asked, (tx) => store(tx, writing, { kind, channel, input, prepare }))
}

interface ToStore {
  kind: ChannelKind
  channel: Channel
  input: object
  prepare: Preparing
}

async function store(
  tx: Transaction,
  writing: WritingContext,
  { kind, channel, input, prepare }: ToStore,
): Promise<Made> {
  const { clock, workspaceId, sealer } = writing
  const full = await refusesMore(tx, workspaceId, 'channels')
  if (full !== null) return full
  const grantId = await keepGrant(tx, workspaceId)
  if (isRefusal(grantId)) return grantId
  const prepared = await prepare(tx, writing, channel, input)
  if (isRefusal(prepared)) return prepared
  const { settings, secret } = prepared
  const at = clock.now()
  const id = newUuid(at)
  const channelToStore = {
    workspaceId,
    id,
    kind,
    label: settings.label,
    enabled: true,
    config: sealConfig(sealer, { workspaceId, id }, settings.config as Record<string, unknown>),
    secretSealed: secret === null ? null : sealer.seal(secret, secretBinding(workspaceId, id)),
    events: [...settings.events],
    createdAt: at,
  }
  await insertChannel(tx, channelToStore, grantId)
  await recordAudit(
    tx,
    { workspaceId, kind: 'channel.created', target: { id: toId('dest', id), name: settings.label }, data: { kind } },
    at,
  )
  await prepared.afterwards?.(id)
  const shown = withSecret(await getChannel({ ...writing, db: tx }, id), prepared.isShown ? secret : null)
  return { ...shown, config: { ...shown.config, ...prepared.shown } }
}

export function withSecret(shown: ChannelView | Refusal, secret: string | null): ChannelView {
  if (isRefusal(shown)) throw new Error('a channel that was just stored cannot be read')
  return secret === null ? shown : { ...shown, config: { ...shown.config, secret } }
}
