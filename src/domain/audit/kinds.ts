import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Agent } from '../../kernel/origin.ts'
import type { ChannelKind } from '../channel/channel-kind.ts'
import type { Role } from '../member/member.ts'

export const AUDIT_LIFETIME_MS = 400 * DAY_MS

/** One failed sign-in per interval is recorded, so that guessing does not fill the log. */
export const FAILURES_APART_MS = 5 * MINUTE_MS

export type SignInMethod = 'password' | 'link' | 'reset_link' | 'google' | 'github' | 'sign_up'

export type GrantEnd =
  | 'person'
  | 'app'
  | 'refresh_reuse'
  | 'code_reuse'
  | 'password'
  | 'signed_out'
  | 'member_removed'
  | 'address_confirmed'

/** No field is secret. */
export interface AuditData {
  'sign_in.succeeded': { method: SignInMethod }
  'sign_in.failed': { method: 'password' }
  'password.changed': { by: 'person' | 'reset_link' }
  'password.removed': Nothing
  'api_key.created': { scope: 'read' | 'write'; expiresAt: string | null }
  'api_key.revoked': { because: 'asked' | 'app_ended' }
  'member.invited': { role: Role }
  'invitation.withdrawn': { because: 'asked' | 'app_ended' | 'inviter_left' }
  'member.joined': { role: Role }
  'member.role_changed': { from: Role; to: Role }
  'member.removed': { role: Role; left: boolean }
  'app.connected': { scope: 'read' | 'write' }
  'app.ended': { because: GrantEnd }
  'channel.created': { kind: ChannelKind }
  'channel.updated': { fields: readonly string[] }
  'channel.secret_rotated': Nothing
  'channel.deleted': { kind: ChannelKind }
  'billing.top_up_started': { amountCents: number }
  'billing.auto_recharge_changed': { enabled: boolean; thresholdCents: number; amountCents: number }
  'billing.credit_granted': { amountCents: number }
  'workspace.renamed': { from: string }
  'workspace.retention_changed': { mentionDays: number | null; deliveryDays: number | null }
  'workspace.deletion_scheduled': { deletesAt: string }
  'workspace.restored': Nothing
  'workspace.imported': { exportedAt: string }
  'filters.updated': { lists: readonly string[] }
  'feed.rotated': Nothing
  'export.started': { operation: string }
  'slack.connected': { teamId: string }
  'slack.disconnected': Nothing
  'telegram.connected': { chatType: string }
  'suppression.removed': Nothing
  'keyword.deleted': Nothing
  'group.deleted': { keywords: number }
  'author.erased': { mentions: number }
}

type Nothing = Record<never, never>

export type AuditKind = keyof AuditData

export const ACTOR_KINDS = [
  'person',
  'api_key',
  'operator',
  'provider',
  'service',
  'unknown',
] as const satisfies readonly Agent['kind'][]
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** The target follows the colon. */
export const AUDIT_KINDS: Readonly<Record<AuditKind, string>> = {
  'sign_in.succeeded': 'Somebody who belongs to the workspace signed in: the person',
  'sign_in.failed':
    'A wrong password was given for somebody who belongs to the workspace, at most once in five minutes: the person',
  'password.changed': 'Somebody who belongs to the workspace has another password: the person',
  'password.removed':
    'A password was taken away, because the person who set it had not shown that the address is theirs: the person',
  'api_key.created': 'An API key was made: the key',
  'api_key.revoked': 'An API key was revoked, by somebody or with the app that had made it: the key',
  'member.invited': 'Somebody was invited: the invitation, named by its address',
  'invitation.withdrawn': 'An open invitation was withdrawn: the invitation, named by its address',
  'member.joined': 'Somebody became a member: the person',
  'member.role_changed': 'A member has another role: the person',
  'member.removed': 'Somebody left or was removed: the person',
  'app.connected': 'An app was allowed to act for a person: the app',
  'app.ended': 'An app may not act for a person any more: the app',
  'channel.created': 'A channel was made: the channel',
  'channel.updated': 'A channel was changed: the channel',
  'channel.secret_rotated': 'A channel has a new secret: the channel',
  'channel.deleted': 'A channel was deleted: the channel',
  'billing.top_up_started': 'The page to pay a top-up was opened: nothing',
  'billing.auto_recharge_changed': 'The auto-recharge was changed: nothing',
  'billing.credit_granted': 'The operator granted a credit: nothing',
  'workspace.renamed': 'The workspace has another name: the workspace',
  'workspace.retention_changed': 'Mentions or deliveries are kept for another period: the workspace',
  'workspace.deletion_scheduled': 'The deletion of the workspace was scheduled: the workspace',
  'workspace.restored': 'The scheduled deletion of the workspace was cancelled: the workspace',
  'workspace.imported': 'The workspace was made of an archive: the workspace',
  'filters.updated': 'The filters of the workspace were changed: nothing',
  'feed.rotated': 'The feed of a view has a new address: the view',
  'export.started': 'Mentions or people were exported: nothing',
  'slack.connected': 'A team at Slack was connected: the team',
  'slack.disconnected': 'The team at Slack was disconnected: the team',
  'telegram.connected': 'A chat was connected to a Telegram channel: the channel',
  'suppression.removed': 'Channels may write again to a recipient that bounced: the suppression, named by its address',
  'keyword.deleted': 'A keyword was deleted with its mentions: the keyword',
  'group.deleted': 'A group was deleted with its keywords: the group',
  'author.erased': 'The operator erased an author with all mentions, as privacy laws ask: nothing, not even a name',
}

/** As callers saw it then, or a person, shown by their address. */
export type AuditTarget = { id: string | null; name: string | null } | { userId: Uuid }

export type AuditPlace = { workspaceId: Uuid } | { ofPerson: Uuid }

export type AuditEvent = AuditPlace &
  { [Kind in AuditKind]: { kind: Kind; target: AuditTarget; data: AuditData[Kind] } }[AuditKind]

/** For entries about the workspace itself. */
export const NO_TARGET: AuditTarget = { id: null, name: null }
