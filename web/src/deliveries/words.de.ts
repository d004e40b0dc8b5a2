import type { Delivery } from '../api/deliveries.ts'
import { formatCount, formatPlural } from '../kit/count.tsx'
import { formatDuration } from '../kit/time.tsx'
import type { Translation } from '../kit/translation.ts'
import type { words as english } from './words.ts'

function deliveries(count: number): string {
  return formatPlural(count, 'Zustellung', 'Zustellungen')
}

export const words: Translation<typeof english> = {
  title: 'Zustellungen',
  delivery: 'Zustellung',
  log: 'Protokoll der Zustellungen',
  filter: 'Filter des Protokolls',
  statuses: {
    pending: 'Wartet',
    held: 'Zurückgehalten',
    delivered: 'Zugestellt',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  kinds: { mention: 'Erwähnungen', digest: 'Zusammenfassungen', event: 'Ereignisse' },
  status: 'Status',
  channel: 'Kanal',
  allChannels: 'Alle Kanäle',
  rule: 'Regel',
  allRules: 'Alle Regeln',
  kind: 'Art',
  allKinds: 'Alle Arten',
  since: 'Seit',
  anySince: 'Ganzes Protokoll',
  sincePresets: { hour: 'Letzte Stunde', day: 'Letzte 24 Stunden', week: 'Letzte 7 Tage' },
  sinceTime: (time) => `Seit ${time}`,
  mention: 'Einer Erwähnung',
  removeMention: 'Zustellungen aller Erwähnungen zeigen',
  clearFilter: 'Filter aufheben',
  newOnes: (count) => `${formatCount(count)} neu`,
  announced: (count) => `${deliveries(count)} eingetroffen`,
  more: 'Ältere Zustellungen zeigen',
  endOfLog: 'Ende des Protokolls. Ältere Zustellungen werden nicht aufbewahrt.',
  shown: (count, more) => (more ? `${formatCount(count)} gezeigt` : deliveries(count)),

  noMatch: 'Keine Zustellung passt',
  noMatchHint: 'Ältere Zustellungen werden nicht aufbewahrt.',
  none: 'Noch wurde nichts gesendet',
  noneHint: 'Eine Regel sendet relevante Erwähnungen an einen Kanal. Ihre Zustellungen erscheinen hier sofort.',
  toStart: 'Kanal und Regel einrichten',

  subject: ({ kind, event, alerts, mention }: Pick<Delivery, 'kind' | 'event' | 'alerts' | 'mention'>): string => {
    if (mention !== null) return mention.text
    if (kind === 'digest') return `Zusammenfassung: ${alerts[0]?.name ?? 'gelöschte Regel'}`
    return event.replaceAll('_', ' ').replaceAll('.', ': ')
  },
  deletedChannel: 'Gelöschter Kanal',
  attempts: (count) => (count === 0 ? 'noch kein Versuch' : formatPlural(count, 'Versuch', 'Versuche')),
  ofRules: (names) => names.join(', '),

  choose: 'Zustellung auswählen',
  chooseHint: 'Hier stehen dann ihre Versuche, die signierte Anfrage und die Antwort.',
  back: 'Zurück zum Protokoll',
  inLog: 'Im Protokoll öffnen',
  gone: 'Diese Zustellung gibt es nicht',
  goneHint:
    'Ältere Zustellungen werden nicht aufbewahrt. Vielleicht gehört die Zustellung zu einem anderen Arbeitsbereich.',
  created: 'Angelegt',
  accepted: 'Angenommen',
  nextAttempt: 'Nächster Versuch',
  event: 'Ereignis',
  rules: 'Regeln',
  id: 'ID',
  copyId: 'ID der Zustellung',
  openMention: 'Erwähnung öffnen',

  outcome: (status, attempts) => {
    if (status === 'delivered')
      return attempts === 1 ? 'Beim ersten Versuch angenommen.' : `Beim Versuch ${formatCount(attempts)} angenommen.`
    if (status === 'failed')
      return attempts === 0
        ? 'Sie wurde nicht gesendet.'
        : `Aufgegeben nach ${formatPlural(attempts, 'Versuch', 'Versuchen')}.`
    if (status === 'held') return 'Zurückgehalten, bis die Ursache unten endet.'
    if (status === 'cancelled') return 'Nicht mehr erwünscht, deshalb nicht gesendet.'
    return attempts === 0
      ? 'Wartet auf den ersten Versuch.'
      : 'Der letzte Versuch ist fehlgeschlagen. Es wird erneut versucht.'
  },
  advice: {
    pending: null,
    held: 'Behebe die Ursache und versuche es dann erneut. Wird nur auf Platz gewartet, geht es von selbst weiter.',
    delivered: null,
    failed:
      'Bringe den Empfänger in Ordnung und versuche es dann erneut. Die Zustellung behält ihre ID, sodass ein ' +
      'Empfänger sie nur einmal annimmt.',
    cancelled: 'Eine Wiederholung sendet den Inhalt, wenn Kanal und Erwähnung es zulassen.',
  },
  why: {
    pending: 'Letzter Fehler',
    held: 'Warum sie zurückgehalten wird',
    delivered: 'Anmerkung',
    failed: 'Warum sie fehlgeschlagen ist',
    cancelled: 'Warum sie abgebrochen wurde',
  },

  attemptLog: 'Versuche',
  noAttempt: 'Bisher ging nichts an den Empfänger.',
  attemptList: 'Versuch auswählen',
  attempt: (number) => `Versuch ${formatCount(number)}`,
  outcomes: {
    delivered: 'Angenommen',
    temporary_failure: 'Fehlgeschlagen, neuer Versuch folgt',
    permanent_failure: 'Endgültig abgewiesen',
  },
  lastTemporary: 'Fehlgeschlagen, aufgegeben',
  took: (milliseconds) => formatDuration(milliseconds),
  requestSent: 'Anfrage, wie sie gesendet wurde',
  noRequest:
    'Die Anfrage dieses Versuchs ist nicht gespeichert. Das Protokoll behält die Anfragen der letzten zehn Versuche.',
  meanings: {
    '3': 'er leitet um, und Umleitungen werden nicht befolgt; trage die endgültige Adresse ein',
    '401': 'er weist die Signatur oder die Zugangsdaten ab',
    '403': 'er weist die Signatur oder die Zugangsdaten ab',
    '404': 'unter der Adresse ist nichts',
    '405': 'er nimmt unter der Adresse kein POST an',
    '410': 'er möchte unter der Adresse keine Zustellungen mehr',
    '413': 'der Inhalt ist zu groß für ihn',
    '429': 'er nimmt gerade keine Anfragen mehr an',
    '4': 'er weist die Anfrage ab',
    '5': 'er ist gestört oder nicht in Betrieb',
  },
  receiverAnswered: (status, meaning) =>
    `Der Empfänger hat mit ${status} geantwortet${meaning === undefined ? '' : `: ${meaning}`}.`,
  answerTitle: 'Antwort',
  answer: (status) => (status === null ? 'Kein Status' : `Status ${status}`),
  noAnswer: 'Der Empfänger hat nicht geantwortet.',
  emptyAnswer: 'Die Antwort hat keinen Inhalt.',

  ways: { retry: 'Erneut versuchen', replay: 'Wiederholen' },
  wayHints: { retry: 'Geht unter derselben ID weiter', replay: 'Sendet den Inhalt noch einmal unter einer neuen ID' },
  retried: 'Die Zustellung wird erneut versucht',
  replayed: 'Der Inhalt wird als neue Zustellung noch einmal gesendet',
  openReplay: 'Neue Zustellung zeigen',

  sendFailed: 'Fehlgeschlagene erneut senden',
  sendFailedHint:
    'Sendet jede fehlgeschlagene Zustellung der gewählten Zeit erneut, eine nach der anderen, die älteste zuerst.',
  how: 'Wie',
  howHints: {
    retry: 'Unter derselben ID. Ein Empfänger, der IDs behält, nimmt jede Zustellung einmal an.',
    replay:
      'Unter einer neuen ID, auch wo ein erneuter Versuch nicht mehr möglich ist. Ein Empfänger kann Inhalte ' +
      'doppelt bekommen.',
  },
  counting: 'Zählt',
  failedCount: (count, more) =>
    count === 0
      ? 'In dieser Zeit ist keine Zustellung fehlgeschlagen.'
      : `${more ? 'Mehr als ' : ''}${deliveries(count)} in dieser Zeit fehlgeschlagen.`,
  begin: (count) => (count === 0 ? 'Erneut senden' : `${deliveries(count)} erneut senden`),
  stop: 'Anhalten',
  close: 'Schließen',
  progress: (done, total) => `${formatCount(done)} von ${formatCount(total)}`,
  progressLabel: 'Fortschritt',
  waiting: (seconds) =>
    `Das Limit der Anfragen ist erreicht. Weiter in ${formatPlural(seconds, 'Sekunde', 'Sekunden')}.`,
  sent: (count) => `${deliveries(count)} ${count === 1 ? 'wird' : 'werden'} erneut gesendet.`,
  stopped: (left) => `Angehalten. ${deliveries(left)} ${left === 1 ? 'blieb, wie sie war' : 'blieben, wie sie waren'}.`,
  refused: (count, reason) => `${deliveries(count)} nicht gesendet: ${reason}`,
}
