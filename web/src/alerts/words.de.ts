import { formatCount, formatPlural } from '../kit/count.tsx'
import { listAll } from '../kit/list.ts'
import type { Translation } from '../kit/translation.ts'
import type { words as english } from './words.ts'

export const words: Translation<typeof english> = {
  title: 'Regeln',
  caption: 'Regeln mit dem, was sie senden, und wann',
  add: 'Regel hinzufügen',
  total: (count) => formatPlural(count, 'Regel', 'Regeln'),
  columns: {
    name: 'Regel',
    state: 'Zustand',
    mode: 'Sendet',
    channels: 'An',
    week: 'Gesendet in 7 Tagen',
    last: 'Zuletzt gesendet',
    next: 'Nächster Lauf',
    actions: 'Aktionen',
  },
  none: 'Noch keine Regel',
  noneHint: 'Eine Regel wählt Erwähnungen aus und sendet sie an Kanäle, einzeln sofort oder als Zusammenfassung.',
  never: 'noch nichts',
  noNext: '–',
  noChannels: 'kein Kanal',
  everything: 'Alles Relevante',
  conditions: (parts) => parts.join(' · '),
  alternatives: (count) => formatPlural(count, 'Alternative', 'Alternativen'),
  states: { on: 'An', off: 'Pausiert', silent: 'Kein Kanal' },

  modes: { instant: 'Sofort', hourly: 'Stündlich', daily: 'Täglich', weekly: 'Wöchentlich' },
  modeHints: {
    instant: 'Jede Erwähnung einzeln, gleich nach ihrer Bewertung.',
    hourly: 'Eine Zusammenfassung, fünf Minuten nach jeder vollen Stunde. Nicht per E-Mail.',
    daily: 'Eine Zusammenfassung der Zeit seit der vorigen.',
    weekly: 'Eine Zusammenfassung der Zeit seit der vorigen.',
  },
  daily: (time) => `Täglich um ${time}`,
  weekly: (day, time) => `Jeden ${day} um ${time}`,
  inZone: (schedule, zone) => `${schedule}, ${zone}`,

  newTitle: 'Neue Regel',
  back: 'Alle Regeln',
  missing: 'Diese Regel gibt es nicht',
  missingHint: 'Vielleicht wurde die Regel gelöscht.',
  what: 'Was sie sendet',
  placeholder: 'platform:reddit -intent:hiring followers:>1000',
  filterHint:
    'Ohne „relevance:“ sendet sie nur relevante Erwähnungen, die mit 40 oder mehr bewertet sind. Alle ' +
    'Bedingungen müssen zutreffen.',
  notInRules: 'Eine Regel kann diesen Teil nicht enthalten',
  dropped: (parts) => `Eine Regel kann ${listAll(parts)} nicht enthalten, das wird weggelassen.`,
  keptAlternatives: (count) =>
    `${formatPlural(count, 'Gruppe von Alternativen steht', 'Gruppen von Alternativen stehen')} auch in dieser ` +
    `Regel und ${count === 1 ? 'bleibt' : 'bleiben'} erhalten.`,
  emptyList:
    'Der letzte Suchbegriff oder die letzte Gruppe dieser Regel wurde gelöscht, deshalb sendet sie nichts. ' +
    'Entferne die Bedingung, um alles zu senden.',
  when: 'Wann und wohin',
  name: 'Name',
  namePlaceholder: 'Beschwerden auf Reddit',
  mode: 'Wann',
  time: 'Uhrzeit',
  weekday: 'Wochentag',
  zone: 'Zeitzone',
  ownZone: (zone) => `${zone} (deine)`,
  skipEmpty: 'Keine leere Zusammenfassung senden',
  channels: 'Kanäle',
  noChannelYet: 'Es gibt noch keinen Kanal.',
  addChannel: 'Kanal hinzufügen',
  channelOff: 'pausiert',
  event: 'Name des Ereignisses',
  eventHint: 'Was Webhooks als „event“ sehen. Leer nimmt den Namen der Art.',
  create: 'Regel anlegen',
  save: 'Regel speichern',
  discard: 'Verwerfen',
  changed: 'Eine Änderung gilt ab der nächsten Erwähnung.',
  created: (name) => `Die Regel ${name} ist angelegt`,
  saved: (name) => `Die Regel ${name} ist gespeichert`,
  stale: 'Jemand hat die Regel geändert, während du sie bearbeitet hast.',
  loadTheirs: 'Aktuelle Regel zeigen',

  preview: 'Was sie gesendet hätte',
  days: 'Tage',
  dayOptions: { 7: '7 Tage', 14: '14 Tage', 30: '30 Tage' },
  counted: (count, days) =>
    count === 0
      ? `Nichts in den letzten ${days} Tagen.`
      : `${formatPlural(count, 'Erwähnung', 'Erwähnungen')} in den letzten ${days} Tagen, ` +
        `${perDay(count / days)} pro Tag.`,
  countedNote:
    'Als sofortige Regel an einen Webhook. Ignorierte und erledigte Erwähnungen sowie die stummer Personen ' +
    'zählen nicht.',
  legend: 'Erwähnungen',
  newest: 'Die neuesten davon',
  openAll: 'Im Eingang öffnen',
  mute: (name) => `${name} in dieser Regel stummschalten`,

  authors: 'Stumme Autoren',
  authorsHint: 'Die Regel sendet keine ihrer Erwähnungen. Links zu Profilen, @handles, u/Namen und Namen gehen.',
  authorsNone: 'Niemand ist stumm.',
  author: 'Autor',
  muteAuthor: 'Stummschalten',
  unmute: (name) => `${name} nicht mehr stummschalten`,
  muted: (name) => `${name} ist in der Regel stumm`,
  unmuted: (name) => `${name} ist in der Regel nicht mehr stumm`,

  stats: { week: 'Gesendet in 7 Tagen', last: 'Zuletzt gesendet', next: 'Nächster Lauf' },
  openLog: 'Zustellungen öffnen',
  test: 'Test senden',
  testDone: (count) => `Der Test ist in ${formatPlural(count, 'Kanal', 'Kanälen')} angekommen`,
  outcomeFailed: (label, reason) => `${label}: ${reason}`,
  testFailed: (reasons) => `Der Test ist nicht überall angekommen. ${reasons.join(' ')}`,
  run: 'Zusammenfassung jetzt senden',
  runDone: (count) => `Die Zusammenfassung mit ${formatPlural(count, 'Erwähnung', 'Erwähnungen')} ist gesendet`,
  runFailed: (reasons) =>
    `Die Zusammenfassung ist nicht überall angekommen und wird erneut versucht. ${reasons.join(' ')}`,
  runSkipped: {
    already_sent: 'Die letzte Zusammenfassung wurde schon gesendet.',
    empty: 'Die Zusammenfassung ist leer, und die Regel sendet keine leere.',
  },
  pause: 'Pausieren',
  resume: 'Fortsetzen',
  paused: (name) => `Die Regel ${name} ist pausiert`,
  resumed: (name) => `Die Regel ${name} sendet wieder`,
  actionsOf: (name) => `Aktionen für ${name}`,
  remove: 'Regel löschen',
  removeTitle: (name) => `Regel ${name} löschen?`,
  removeText:
    'Ihre wartenden Zustellungen werden abgebrochen. Gesendetes bleibt im Protokoll. Das lässt sich nicht ' +
    'rückgängig machen.',
  removed: (name) => `Die Regel ${name} ist gelöscht`,
}

function perDay(value: number): string {
  return value < 1 ? 'weniger als eine' : `etwa ${formatCount(Math.round(value))}`
}
