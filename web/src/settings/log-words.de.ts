import type { AuditEntry } from '../api/audit.ts'
import type { Translation } from '../kit/translation.ts'
import type { logWords as english } from './log-words.ts'

const KINDS: Readonly<Record<AuditEntry['kind'], string>> = {
  'sign_in.succeeded': 'Angemeldet',
  'sign_in.failed': 'Falsches Passwort',
  'password.changed': 'Passwort geändert',
  'password.removed': 'Passwort entfernt',
  'api_key.created': 'API-Schlüssel angelegt',
  'api_key.revoked': 'API-Schlüssel widerrufen',
  'member.invited': 'Eingeladen',
  'invitation.withdrawn': 'Einladung zurückgezogen',
  'member.joined': 'Beigetreten',
  'member.role_changed': 'Rolle geändert',
  'member.removed': 'Ausgetreten oder entfernt',
  'app.connected': 'App verbunden',
  'app.ended': 'App getrennt',
  'channel.created': 'Kanal angelegt',
  'channel.updated': 'Kanal geändert',
  'channel.secret_rotated': 'Signaturschlüssel erneuert',
  'channel.deleted': 'Kanal gelöscht',
  'billing.top_up_started': 'Aufladung begonnen',
  'billing.auto_recharge_changed': 'Automatische Aufladung geändert',
  'billing.credit_granted': 'Guthaben gewährt',
  'workspace.renamed': 'Arbeitsbereich umbenannt',
  'workspace.retention_changed': 'Aufbewahrung geändert',
  'workspace.deletion_scheduled': 'Löschung geplant',
  'workspace.restored': 'Arbeitsbereich wiederhergestellt',
  'workspace.imported': 'Arbeitsbereich importiert',
  'filters.updated': 'Filter geändert',
  'feed.rotated': 'Feed hat eine neue Adresse',
  'export.started': 'Exportiert',
  'slack.connected': 'Slack verbunden',
  'slack.disconnected': 'Slack getrennt',
  'telegram.connected': 'Telegram verbunden',
  'suppression.removed': 'E-Mail an Empfänger wieder erlaubt',
  'keyword.deleted': 'Suchbegriff gelöscht',
  'group.deleted': 'Gruppe gelöscht',
  'author.erased': 'Autor vom Betreiber gelöscht',
}

const ACTORS: Readonly<Record<AuditEntry['actor']['type'], string>> = {
  person: 'Eine Person',
  api_key: 'Ein API-Schlüssel',
  operator: 'Der Betreiber',
  provider: 'Ein fremder Dienst',
  service: 'Earshot',
  unknown: 'Unbekannt',
}

export const logWords: Translation<typeof english> = {
  hint:
    'Wer sich angemeldet hat, und wer Zugänge, Kanäle, Geld und Filter geändert hat. Einträge lassen sich nicht ' +
    'ändern.',
  whoSees: 'Inhaber sehen das Sicherheitsprotokoll.',
  kind: 'Was geschah',
  allKinds: 'Alles',
  caption: 'Sicherheitsprotokoll, das Neueste zuerst',
  none: 'Kein Eintrag dieser Art.',
  older: 'Ältere Einträge zeigen',
  columns: { at: 'Wann', what: 'Was', who: 'Wer', on: 'Woran', address: 'Von' },
  kinds: KINDS,
  actorOf: ({ type, name, email, app }) => {
    const who = name ?? email ?? ACTORS[type]
    return app === null ? who : `${who}, über ${app.name}`
  },
}
