import { formatCount } from '../../kit/count.tsx'
import { listAny } from '../../kit/list.ts'
import type { Translation } from '../../kit/translation.ts'
import type { words as english } from './words.ts'

export const words: Translation<typeof english> = {
  term: 'Begriff',
  termHint: 'Ein Name, ein Produkt oder eine Wortfolge von 2 bis 80 Zeichen. Nur ganze Wörter passen.',
  kind: 'Art',
  kinds: { brand: 'Marke', competitor: 'Wettbewerber', topic: 'Thema' },
  kindHints: {
    brand: 'Dein eigener Name oder dein Produkt.',
    competitor: 'Name oder Produkt eines Wettbewerbers.',
    topic: 'Ein Thema, über das deine Kundschaft schreibt.',
  },
  context: 'Kontext',
  contextHint: (left) =>
    `Was der Begriff für dich bedeutet. Der Klassifikator liest den Kontext. Noch ${formatCount(left)} Zeichen.`,
  contextExample: 'Atlas ist der zweiarmige Montageroboter von Acme Robotics.',
  platforms: 'Plattformen',
  allPlatforms: 'Alle Plattformen',
  reviewsOnly: 'Keine Plattform ist gewählt, gesammelt wird nur von verbundenen Rezensionsseiten.',
  notSetUp: 'nicht eingerichtet',
  degraded: 'Sammeln schlägt fehl',
  matchingRules: 'Trefferregeln',
  requiredTerms: 'Pflichtbegriffe',
  requiredTermsHint: 'Ein Beitrag muss auch diese Begriffe enthalten.',
  requiredMode: 'Wie viele davon',
  requiredModes: { any: 'Einer davon genügt', all: 'Alle davon' },
  excludedTerms: 'Ausgeschlossene Begriffe',
  excludedTermsHint:
    'Ein Beitrag mit einem dieser Begriffe wird aussortiert. Ein * am Anfang oder Ende steht für den Rest des Wortes.',
  excludedAuthors: 'Ausgeschlossene Autoren',
  excludedAuthorsHint: 'Links zu Profilen, @handles, u/Namen oder Anzeigenamen.',
  caseSensitive: 'Groß- und Kleinschreibung beachten',
  caseSensitiveHint: 'Beiträge, die den Begriff anders schreiben, werden aussortiert.',
  create: 'Begriff beobachten',
  cancel: 'Abbrechen',
  created: (term) => `„${term}“ wird ab jetzt beobachtet.`,
  openKeyword: 'Suchbegriff öffnen',
  openMentions: 'Erwähnungen öffnen',
  noHints: 'Die ersten Erwähnungen kommen, sobald jemand darüber schreibt.',
  addContext: 'Diesen Kontext verwenden',
  requireTerms: (terms) => `${listAny(terms.map((term) => `„${term}“`))} verlangen`,
  requireHelps: 'Beiträge müssen dann auch eines dieser Wörter enthalten.',
  applied: 'Übernommen',
  contextSet: (term) => `„${term}“ hat einen neuen Kontext`,
  termsRequired: (term) => `„${term}“ verlangt andere Begriffe`,
}
