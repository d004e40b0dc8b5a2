import { formatCount, formatPlural } from '../kit/count.tsx'
import type { Translation } from '../kit/translation.ts'
import type { words as english } from './words.ts'

export const words: Translation<typeof english> = {
  title: 'Einstellungen',
  tabsLabel: 'Teile der Einstellungen',
  tabs: {
    company: 'Unternehmen',
    filters: 'Filter',
    groups: 'Gruppen',
    'api-keys': 'API-Schlüssel',
    team: 'Team',
    apps: 'Verbundene Apps',
    suppressions: 'Gesperrte Empfänger',
    preferences: 'Vorlieben',
    log: 'Sicherheitsprotokoll',
  },
  save: 'Speichern',
  discard: 'Verwerfen',
  cancel: 'Abbrechen',
  changed: 'Noch nicht gespeichert.',
  versions: 'Beide Fassungen deiner Änderungen',
  versionColumns: { field: 'Feld', mine: 'Deine', theirs: 'Aktuelle' },
  nothing: 'nichts',

  workspace: 'Arbeitsbereich',
  workspaceName: 'Name des Arbeitsbereichs',
  whoRenames: 'Inhaber und Admins benennen den Arbeitsbereich um.',
  renamed: (name) => `Der Arbeitsbereich heißt jetzt ${name}`,
  retention: 'Aufbewahrung',
  mentionDays: 'Tage, die Erwähnungen aufbewahrt werden',
  deliveryDays: 'Tage, die Zustellungen aufbewahrt werden',
  daysHint: (longest) =>
    longest === null
      ? 'Leer bewahrt sie ohne Ende auf.'
      : `Höchstens ${formatCount(longest)}, die Frist dieser Installation. Leer übernimmt sie.`,
  mentionsKept: (days) =>
    days === null
      ? 'Erwähnungen werden ohne Ende aufbewahrt.'
      : `Erwähnungen werden ${formatCount(days)} Tage aufbewahrt.`,
  deliveriesKept: (days) => `Das Protokoll bewahrt Zustellungen ${formatCount(days)} Tage auf.`,
  whoSetsRetention: 'Inhaber ändern, wie lange etwas aufbewahrt wird.',
  shortenRetention: 'Älteres entfernen',
  shortenHint:
    'Erwähnungen und Zustellungen, die älter als die neue Frist sind, werden binnen Minuten endgültig entfernt. ' +
    'Zahlen der Suchbegriffe, Verbrauch und Hauptbuch bleiben.',
  deleteWorkspace: 'Arbeitsbereich löschen',
  deletionHint:
    'Sammeln, Senden und Abbuchen hören sofort auf. Nach sieben Tagen wird alles im Arbeitsbereich endgültig ' +
    'entfernt, auch sein Guthaben. Bis dahin kannst du ihn exportieren, und Inhaber können ihn wiederherstellen.',
  typeName: (name) => `Zur Bestätigung ${name} eingeben`,
  deletesAt: 'Der Arbeitsbereich wird gelöscht am',
  untilThen: 'Bis dahin kann er gelesen, aber nicht geändert werden.',
  restoreWorkspace: 'Arbeitsbereich wiederherstellen',

  companyHint:
    'Der Klassifikator liest dieses Profil, bevor er eine Erwähnung bewertet. Damit unterscheidet er Beiträge ' +
    'über dein Unternehmen von Beiträgen über etwas anderes gleichen Namens.',
  companyEffect:
    'Es zählt für Suchbegriffe der Standardgruppe und von Gruppen ohne eigenen Kontext. Änderungen gelten für ' +
    'Erwähnungen, die danach bewertet werden; gespeicherte behalten ihre Bewertung.',
  companySaved: 'Das Firmenprofil ist gespeichert',
  companyStale: 'Jemand hat das Profil geändert, während du es bearbeitet hast.',
  loadCompany: 'Aktuelles Profil zeigen',
  profile: 'Profil',
  name: 'Name',
  website: 'Website',
  description: 'Was das Unternehmen macht',
  descriptionHint: 'Zwei oder drei Sätze, wie für Fremde.',
  useCases: 'Wofür die Kundschaft es nutzt',
  competitors: 'Wettbewerber',
  competitorsHint: 'Namen, wie Leute sie schreiben. Enter oder Komma fügt einen hinzu.',
  x: 'Profil auf X',
  linkedin: 'Profil auf LinkedIn',
  guidelines: 'Was für euch relevant ist',
  guidelinesHint: 'Was einen Beitrag für dein Team lesenswert macht, und was nicht.',
  context: 'Was der Klassifikator liest',
  contextHint: 'Aus dem Profil zusammengesetzt, es sei denn, jemand hat den Text geschrieben.',
  writeContext: 'Selbst schreiben',
  ownContext: 'Text für den Klassifikator',
  ownContextHint: 'Ersetzt den zusammengesetzten Text. Spätere Änderungen am Profil wirken dann nicht mehr auf ihn.',
  compose: 'Aus dem Profil zusammensetzen',
  composeTitle: 'Text aus dem Profil zusammensetzen?',
  composeText:
    'Ein selbst geschriebener Text wird ersetzt und lässt sich nicht wiederherstellen. Ein zusammengesetzter ' +
    'bleibt, wie er ist.',
  contextSaved: 'Der Klassifikator liest ab jetzt deinen Text',
  composed: 'Der Text ist wieder aus dem Profil zusammengesetzt',
  noContext: 'Noch nichts. Fülle das Profil aus.',
  keepContext: 'Text speichern',

  filtersHint:
    'Diese Regeln gelten für jeden Suchbegriff, zusätzlich zu seinen eigenen. Neue Beiträge folgen einer ' +
    'Änderung binnen einer Minute; gespeicherte Erwähnungen bleiben.',
  filtersSaved: 'Die Filter sind gespeichert',
  filtersStale: 'Jemand hat die Filter geändert, während du sie bearbeitet hast.',
  loadFilters: 'Aktuelle Filter zeigen',
  excluded: 'Nie sammeln',
  reddit: 'Reddit',
  excludedTerms: 'Begriffe',
  excludedTermsHint:
    'Beiträge mit einem dieser Begriffe werden aussortiert. Ein * am Anfang oder Ende steht für Beliebiges.',
  excludedAuthors: 'Autoren',
  excludedAuthorsHint: 'Links zu Profilen oder Beiträgen, @handles, u/Namen oder Anzeigenamen.',
  excludedRepos: 'GitHub-Repositorys',
  excludedReposHint: 'owner/name, oder ein Link.',
  onlySubreddits: 'Nur diese Subreddits',
  onlySubredditsHint: 'Steht hier eines, werden Beiträge aller anderen Subreddits aussortiert.',
  excludedSubreddits: 'Diese Subreddits nie',
  excludedSubredditsHint: 'Wirkt nicht, solange nur von einigen Subreddits gesammelt wird.',

  groupsHint:
    'Eine Gruppe enthält Suchbegriffe eines Produkts oder Kunden. Ihr Kontext beschreibt sie dem Klassifikator ' +
    'anstelle des Firmenprofils.',
  groupsCaption: 'Gruppen mit ihren Suchbegriffen',
  addGroup: 'Gruppe hinzufügen',
  group: 'Gruppe',
  groupColumns: {
    name: 'Gruppe',
    keywords: 'Suchbegriffe',
    context: 'Beschrieben durch',
    externalId: 'Deine ID',
    actions: 'Aktionen',
  },
  keywordsOf: (active, all) =>
    active === all ? formatCount(all) : `${formatCount(active)} von ${formatCount(all)} sammeln`,
  ownContextOf: 'eigenen Kontext',
  companyContext: 'das Firmenprofil',
  isDefault: 'für Suchbegriffe ohne andere Gruppe',
  groupName: 'Name',
  externalId: 'Deine eigene ID',
  externalIdHint: 'Für Programme, etwa die ID eines Kunden. Bleibt genau, wie sie eingegeben wird.',
  groupContext: 'Kontext',
  groupContextHint:
    'Um wen oder was es bei den Suchbegriffen geht. Gilt für Erwähnungen, die danach bewertet werden. Leer: Das ' +
    'Firmenprofil beschreibt sie.',
  defaultContext: 'Das Firmenprofil beschreibt die Suchbegriffe der Standardgruppe.',
  createGroup: 'Gruppe anlegen',
  groupCreated: (name) => `Die Gruppe ${name} ist angelegt`,
  groupSaved: (name) => `Die Gruppe ${name} ist gespeichert`,
  editGroup: 'Gruppe ändern',
  openKeywords: 'Suchbegriffe öffnen',
  actionsOf: (name) => `Aktionen für ${name}`,
  deleteGroup: 'Gruppe löschen',
  deleteGroupTitle: (name) => `${name} löschen?`,
  deleteGroupText: (keywords) =>
    (keywords === 0
      ? 'Die Gruppe wird '
      : `Die Gruppe, ${formatPlural(keywords, 'Suchbegriff', 'Suchbegriffe')} und ihre Erwähnungen werden `) +
    'gelöscht, und Regeln verwenden sie nicht mehr. Die Kosten bleiben im Verbrauch. Das lässt sich nicht ' +
    'rückgängig machen.',
  groupDeleted: (name) => `Die Gruppe ${name} ist gelöscht`,

  keysHint:
    'Programme verwenden einen Schlüssel als „Authorization: Bearer …“. Ein Schlüssel handelt für den ' +
    'Arbeitsbereich, nicht für eine Person.',
  keysCaption: 'API-Schlüssel mit ihrer letzten Verwendung',
  keyColumns: {
    name: 'Schlüssel',
    scope: 'Darf',
    used: 'Zuletzt verwendet',
    expires: 'Läuft ab',
    created: 'Angelegt',
    actions: 'Aktionen',
  },
  scopes: { read: 'Nur lesen', write: 'Lesen und ändern' },
  never: 'nie',
  newKey: 'Neuer Schlüssel',
  keyName: 'Name',
  keyNameHint: 'Welches Programm ihn verwendet.',
  keyScope: 'Was er darf',
  keyExpires: 'Letzter Tag',
  keyExpiresHint: 'UTC. Leer: Er läuft nicht ab.',
  createKey: 'Schlüssel anlegen',
  secret: 'Der Schlüssel',
  secretWarning:
    'Der Schlüssel wird nicht noch einmal gezeigt. Speichere ihn, wo das Programm ihn findet. Ein verlorener ' +
    'wird widerrufen und ersetzt.',
  stored: 'Der Schlüssel ist gesichert',
  revoke: 'Widerrufen',
  revokeTitle: (name) => `${name} widerrufen?`,
  revokeText: 'Programme mit diesem Schlüssel werden sofort abgewiesen. Das lässt sich nicht rückgängig machen.',
  revokeKey: 'Schlüssel widerrufen',
  revoked: (name) => `Der Schlüssel ${name} ist widerrufen`,
  noKeys: 'Noch kein Schlüssel',
  noKeysHint: 'Schlüssel sind für Programme, die die API oder die Tools aufrufen.',
  whoOwns: 'Nur Inhaber des Arbeitsbereichs legen Schlüssel an und widerrufen sie.',
  whoSeesKeys: 'API-Schlüssel sehen Admins und Inhaber des Arbeitsbereichs. Inhaber legen sie an und widerrufen sie.',

  teamHint:
    'Einladungen, Rollen und das Entfernen von Personen sind Sache der Teamseite, die auch ohne dieses Dashboard ' +
    'funktioniert.',
  teamCaption: 'Mitglieder mit ihren Rollen',
  memberColumns: { name: 'Mitglied', role: 'Rolle', since: 'Seit' },
  roles: { member: 'Mitglied', admin: 'Admin', owner: 'Inhaber' },
  roleMeanings: {
    member: 'Macht die tägliche Arbeit: Suchbegriffe, Erwähnungen, Kanäle und Regeln.',
    admin: 'Lädt zusätzlich Mitglieder ein und entfernt sie, lädt Guthaben auf, sieht Buchungen und Schlüssel.',
    owner: 'Darf alles, auch Schlüssel anlegen und andere zu Inhabern machen.',
  },
  invitations: 'Offene Einladungen',
  invitationsCaption: 'Offene Einladungen mit ihren Rollen',
  invitationColumns: { email: 'Adresse', role: 'Kommt als', expires: 'Läuft ab' },
  rolesTitle: 'Was Rollen dürfen',
  manageTeam: 'Team verwalten',
  leaveTeam: 'Teamseite öffnen',
  whoManages: 'Admins und Inhaber laden ein, ändern Rollen und entfernen Personen.',
  you: 'du',

  appsHint:
    'Programme, denen du erlaubt hast, für dich zu handeln, gehören zu deinem Konto und nicht zum ' +
    'Arbeitsbereich. Deine Kontoseite zeigt sie, mit allem, was sie angelegt haben, und einem Knopf zum Trennen.',
  toAccount: 'Verbundene Apps öffnen',
  connectHint: 'Wie sich ein Assistent verbinden lässt, steht auf der Seite Entwicklung.',
  toDevelopers: 'Client einrichten',

  preferencesHint: 'Gilt nur in diesem Browser. Die Sprache gilt für dein Konto.',
  language: 'Sprache',
  languageHint: 'Nach einer Änderung lädt die Seite neu. Mails, Kontoseiten und Fehlermeldungen bleiben englisch.',
  look: 'Aussehen',
  keys: 'Tasten',
  keysOff:
    'Ausgeschaltet bewirken einzelne Buchstaben nichts, damit Spracheingabe nichts auslöst. Jede Taste hat einen ' +
    'Knopf.',
  showKeys: 'Drücke ? für alle Tasten.',
  times: 'Zeiten',
  timeFormats: { relative: 'Abstand zu jetzt, etwa vor 5 Min.', exact: 'Genau, mit Zeitzone' },
  timesHint: 'Ein Klick auf eine Zeit ändert alle, bis du die Seite verlässt.',
}
