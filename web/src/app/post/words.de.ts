import type { Translation } from '../../kit/translation.ts'
import type { Intent } from './intent-list.ts'
import type { words as english } from './words.ts'

const INTENTS: Readonly<Record<Intent, string>> = {
  bug_report: 'Fehlerbericht',
  buy_intent: 'Kaufabsicht',
  churn_intent: 'Wechselabsicht',
  comparison: 'Vergleich',
  complaint: 'Beschwerde',
  event: 'Veranstaltung',
  feedback: 'Rückmeldung',
  hiring: 'Stellenanzeige',
  industry_insight: 'Branchenwissen',
  launch: 'Ankündigung',
  praise: 'Lob',
  pricing: 'Preise',
  promotional: 'Werbung',
  question: 'Frage',
  testimonial: 'Erfahrungsbericht',
}

export const words: Translation<typeof english> = {
  unknownAuthor: 'Unbekannt',
  postPicture: 'Bild des Beitrags',
  relevanceOf: (relevance) => `Relevanz ${relevance} von 100`,
  toward: (sentiment, term) => `${sentiment} gegenüber ${term}`,
  sentiments: { positive: 'Positiv', neutral: 'Neutral', negative: 'Negativ' },
  sentimentSigns: { positive: '▲', neutral: '■', negative: '▼' },
  intent: (intent) => INTENTS[intent as Intent] ?? intent.replaceAll('_', ' '),
  because: (reason) => `Aussortiert: ${reason}`,
  openOn: (platform) => `Auf ${platform} öffnen`,
  steps: {
    term: 'Begriff',
    boundaries: 'Ganzes Wort',
    case: 'Groß- und Kleinschreibung',
    platform: 'Plattform',
    excluded_authors: 'Ausgeschlossene Autoren',
    excluded_terms: 'Ausgeschlossene Begriffe',
    required_terms: 'Pflichtbegriffe',
    workspace_filters: 'Filter des Arbeitsbereichs',
    muted: 'Stumm',
    cap: 'Monatslimit',
    source: 'Quelle',
    time: 'Zeit',
  },
}
