import type { Translation } from './translation.ts'
import type { words as english } from './words.ts'

export const LOCALE = 'de-DE'
export const LIST_LOCALE = 'de'

export const words: Translation<typeof english> = {
  busy: 'In Arbeit',
  control: 'Strg',
  close: 'Schließen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Kopieren ist fehlgeschlagen. Markiere den Text und kopiere ihn von Hand.',
  copyLabel: (label) => `${label} kopieren`,
  dismiss: 'Ausblenden',
  loading: 'Lädt',
  now: 'jetzt',
  period: 'Zeitraum',
  quoted: (text) => `„${text}“`,
  remove: (text) => `${text} entfernen`,
  requestId: 'Anfrage-ID',
  stars: (rating, max) => `${rating} von ${max} Sternen`,
  tryAgain: 'Erneut versuchen',
  units: { day: 'T', hour: 'h', minute: 'min', second: 's', millisecond: 'ms' },
}
