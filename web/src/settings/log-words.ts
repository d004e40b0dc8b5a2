import type { AuditEntry } from '../api/audit.ts'

type Kind = AuditEntry['kind']

const KINDS: Readonly<Record<Kind, string>> = {
  'sign_in.succeeded': 'Signed in',
  'sign_in.failed': 'Wrong password',
  'password.changed': 'Password changed',
  'password.removed': 'Password taken away',
  'api_key.created': 'API key made',
  'api_key.revoked': 'API key revoked',
  'member.invited': 'Invited',
  'invitation.withdrawn': 'Invitation withdrawn',
  'member.joined': 'Joined',
  'member.role_changed': 'Role changed',
  'member.removed': 'Left or removed',
  'app.connected': 'App connected',
  'app.ended': 'App ended',
  'channel.created': 'Channel made',
  'channel.updated': 'Channel changed',
  'channel.secret_rotated': 'Secret rotated',
  'channel.deleted': 'Channel deleted',
  'billing.top_up_started': 'Top-up begun',
  'billing.auto_recharge_changed': 'Auto-recharge changed',
  'billing.credit_granted': 'Credit granted',
  'workspace.renamed': 'Workspace renamed',
  'workspace.retention_changed': 'Retention changed',
  'workspace.deletion_scheduled': 'Deletion scheduled',
  'workspace.restored': 'Workspace restored',
  'workspace.imported': 'Workspace imported',
  'filters.updated': 'Filters changed',
  'feed.rotated': 'Feed has a new address',
  'export.started': 'Exported',
  'slack.connected': 'Slack connected',
  'slack.disconnected': 'Slack disconnected',
  'telegram.connected': 'Telegram connected',
  'suppression.removed': 'Mail to a recipient allowed again',
  'keyword.deleted': 'Keyword deleted',
  'group.deleted': 'Group deleted',
  'author.erased': 'Author erased by the operator',
}

const ACTORS: Readonly<Record<AuditEntry['actor']['type'], string>> = {
  person: 'A person',
  api_key: 'An API key',
  operator: 'The operator',
  provider: 'An outside service',
  service: 'Earshot',
  unknown: 'Somebody unknown',
}

export const logWords = {
  hint: 'Who signed in, and who changed access, channels, money and filters. Entries cannot be changed.',
  whoSees: 'Owners see the security log.',
  kind: 'What happened',
  allKinds: 'Everything',
  caption: 'Security log, the newest first',
  none: 'No entry of this kind.',
  older: 'Show older entries',
  columns: { at: 'When', what: 'What', who: 'Who', on: 'On what', address: 'From' },
  kinds: KINDS,
  actorOf: ({ type, name, email, app }: AuditEntry['actor']) => {
    const who = name ?? email ?? ACTORS[type]
    return app === null ? who : `${who}, through ${app.name}`
  },
}
