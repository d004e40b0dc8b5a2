import type { Translation } from '../../kit/translation.ts'
import type { words as english } from './words.ts'

export const words: Translation<typeof english> = {
  title: 'Orte, Dinge und Aktionen finden',
  field: 'Ein Name, eine Aktion, eine ID oder Suchwörter',
  nothing: 'Nichts heißt so.',
  open: (id) => `${id} öffnen`,
  searchMentions: (text) => `Erwähnungen nach „${text}“ durchsuchen`,
  searchNow: (text) => `Jetzt nach Beiträgen mit „${text}“ suchen`,
  newKeyword: 'Neuer Suchbegriff',
  newRule: 'Neue Regel',
  newChannel: 'Neuer Kanal',
  suppressions: 'Gesperrte E-Mail-Empfänger',
  groups: {
    jump: 'ID',
    places: 'Bereiche',
    actions: 'Auf dieser Seite',
    create: 'Anlegen',
    keywords: 'Suchbegriffe',
    views: 'Ansichten',
    rules: 'Regeln',
    channels: 'Kanäle',
    search: 'Suchen',
  },
}
