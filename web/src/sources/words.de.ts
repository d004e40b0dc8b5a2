import { formatCount, formatPlural } from '../kit/count.tsx'
import { listAll } from '../kit/list.ts'
import { formatDuration } from '../kit/time.tsx'
import type { Translation } from '../kit/translation.ts'
import type { words as english } from './words.ts'

export const words: Translation<typeof english> = {
  title: 'Quellen',
  collected: 'Plattformen, von denen gesammelt wird',
  caption: 'Plattformen mit Zustand, Verzögerungen und Verbrauch des Tages',
  count: (collected, all) =>
    `${formatCount(collected)} von ${formatPlural(all, 'Plattform', 'Plattformen')} in Betrieb`,
  columns: {
    platform: 'Plattform',
    state: 'Zustand',
    newest: 'Neuester Beitrag',
    success: 'Letzter Erfolg',
    found: 'Beitrag bis Erwähnung',
    sent: 'Erwähnung bis Zustellung',
    use: 'Verbrauch heute',
  },
  modes: { live: 'Live-Quelle', search: 'Abgefragt', reviews: 'Rezensionen' },
  states: {
    ready: 'In Betrieb',
    degraded: 'Gestört',
    needs_configuration: 'Nicht eingerichtet',
    off: 'Aus',
  },
  never: 'noch nie',
  ago: (seconds) => `${formatDuration(seconds * 1000)} alt`,
  notMeasured: '–',
  median: (seconds) => formatDuration(seconds * 1000),
  p95: (seconds, count) => `95 % in ${formatDuration(seconds * 1000)}, von ${formatCount(count)}`,
  money: (spent, limit) => (limit === null ? spent : `${spent} von ${limit}`),
  quota: (name, used, limit) =>
    limit === null ? `${formatCount(used)} ${name}` : `${formatCount(used)} von ${formatCount(limit)} ${name}`,
  quotaLabel: (name) => `Verbrauch von ${name}`,
  nothingUsed: 'nichts gezählt',
  silent: 'Seit mehreren Abfrageintervallen wurde nichts gesammelt.',
  delays:
    'Beide Verzögerungen gelten für die letzte Stunde und die Erwähnungen dieses ' +
    'Arbeitsbereichs: Die Hälfte brauchte höchstens die Zeit in der ersten Zeile. ' +
    'Das Alter des neuesten Beitrags wächst auch, wenn niemand schreibt.',
  guide: 'Wie Verzögerungen gemessen werden',

  lacking: 'Nicht eingerichtet',
  lackingHint:
    'Wer die Installation betreibt, setzt diese Einstellungen in der Umgebung und startet den Dienst neu. ' +
    'Suchbegriffe sammeln dann von selbst auf der Plattform.',
  lackingCount: (count) => formatPlural(count, 'Plattform', 'Plattformen'),
  price: 'Preis',
  free: 'kostenlos',
  getAt: 'Zu bekommen bei',
  form: (form) => `Wert: ${form}`,
  needs: (count) => (count === 1 ? 'Braucht eine Einstellung' : `Braucht ${formatCount(count)} Einstellungen`),
  copyName: (name) => `den Namen ${name}`,
  toPlatforms: 'Anleitung zu den Plattformen',
  off: 'Abgeschaltet',
  offText: (names) =>
    `Wer die Installation betreibt, hat ${listAll(names)} abgeschaltet. Das tun SOURCES_OFF und die ` +
    'Einstellungen von Anbietern.',
  none: 'Keine Plattform ist bekannt',
  noneHint: 'Diese Installation wurde ohne Sammeln gestartet.',
}
