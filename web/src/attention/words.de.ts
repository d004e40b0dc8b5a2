import { formatPlural } from '../kit/count.tsx'
import type { Translation } from '../kit/translation.ts'
import type { words as english } from './words.ts'

export const words: Translation<typeof english> = {
  title: 'Hinweise',
  states: 'Zustände',
  statuses: { open: 'Offen', resolved: 'Beendet', dismissed: 'Verworfen' },
  kinds: {
    'mention.spike': 'Viele Erwähnungen',
    'sentiment.negative_spike': 'Viele negative Erwähnungen',
    'keyword.noisy': 'Ein verrauschter Suchbegriff',
    'channel.failing': 'Ein gestörter Kanal',
    'deliveries.waiting': 'Zurückgehaltene Zustellungen',
    'disk.filling': 'Eine Festplatte, die voll wird',
  },
  meanings: {
    'mention.spike':
      'Neue Beiträge kamen weit häufiger als in der Woche davor. Vielleicht ist etwas geschehen, oder das Wort ' +
      'ist gebräuchlich geworden.',
    'sentiment.negative_spike':
      'Ein weit größerer Anteil der relevanten Erwähnungen ist negativ als in der Woche davor. Vielleicht ärgern ' +
      'sich viele über dieselbe Sache.',
    'keyword.noisy':
      'Die meisten Beiträge des Suchbegriffs handeln nicht von dem, was er meint, und jeder kostet. Seine Seite ' +
      '„Zustand“ nennt Regeln, die sie fernhalten würden, mit ihrer Wirkung.',
    'channel.failing':
      'Der Empfänger hat keine der letzten Zustellungen angenommen. Nichts ist verloren: Das Protokoll behält ' +
      'sie, und fehlgeschlagene lassen sich erneut senden.',
    'deliveries.waiting':
      'Es warten mehr Zustellungen, als im Arbeitsbereich warten dürfen. Sie gehen von selbst hinaus, sobald ' +
      'Platz ist; die übliche Ursache ist ein langsamer oder gestörter Kanal.',
    'disk.filling':
      'Die Datenbank wächst, und ihre Festplatte hat keine drei Wochen mehr Platz. Ist sie voll, wird nichts mehr ' +
      'gesammelt und gesendet. Schaffen Sie Platz, oder bewahren Sie Erwähnungen kürzer auf.',
  },
  ends: {
    'mention.spike': 'Endet von selbst, wenn die Stunde wieder üblich ist.',
    'sentiment.negative_spike': 'Endet von selbst, wenn der Anteil wieder üblich ist.',
    'keyword.noisy': 'Endet von selbst, wenn der Suchbegriff nicht mehr verrauscht ist.',
    'channel.failing': 'Endet von selbst mit der nächsten angenommenen Zustellung.',
    'deliveries.waiting': 'Endet von selbst, wenn keine Zustellung mehr zurückgehalten wird.',
    'disk.filling': 'Endet von selbst, wenn der Platz wieder drei Wochen reicht.',
  },
  actions: {
    readMentions: 'Erwähnungen lesen',
    readNegative: 'Negative Erwähnungen lesen',
    keyword: 'Suchbegriff öffnen',
    tidyKeyword: 'Ansehen, was Rauschen fernhält',
    failed: 'Fehlgeschlagene ansehen',
    channel: 'Kanal öffnen',
    held: 'Zurückgehaltene ansehen',
    retention: 'Festlegen, wie lange Erwähnungen bleiben',
  },
  since: 'Seit',
  until: 'Bis',
  dismissedAt: 'Verworfen',
  dismiss: 'Verwerfen',
  dismissTitle: 'Diesen Hinweis verwerfen?',
  dismissText:
    'Er kommt erst wieder, wenn sein Anlass einmal geendet hat und neu beginnt. Das lässt sich nicht rückgängig ' +
    'machen.',
  dismissed: 'Der Hinweis ist verworfen',
  dismissAll: 'Alle verwerfen',
  dismissAllTitle: (count) => `${formatPlural(count, 'Hinweis', 'Hinweise')} verwerfen?`,
  dismissAllText:
    'Sie kommen erst wieder, wenn ihre Anlässe einmal geendet haben und neu beginnen. Das lässt sich nicht ' +
    'rückgängig machen.',
  dismissedAll: (count) => `${formatPlural(count, 'Hinweis ist', 'Hinweise sind')} verworfen`,
  linked: 'Der Hinweis deines Links',
  gone: 'Den Hinweis deines Links gibt es nicht',
  goneHint: 'Hinweise bleiben 90 Tage nach ihrem Ende. Vielleicht gehört der Hinweis zu einem anderen Arbeitsbereich.',
  toWorkspaces: 'Anderen Arbeitsbereich wählen',
  none: {
    open: 'Nichts braucht deine Aufmerksamkeit',
    resolved: 'Kein Hinweis hat geendet',
    dismissed: 'Kein Hinweis wurde verworfen',
  },
  noneHints: {
    open:
      'Hier stehen ungewöhnliche Erwähnungen, verrauschte Suchbegriffe, gestörte Kanäle, zurückgehaltene ' +
      'Zustellungen und eine Festplatte, die voll wird. Geprüft wird nach jeder vollen Stunde.',
    resolved: 'Hinweise, deren Anlass geendet hat, bleiben hier 90 Tage.',
    dismissed: 'Verworfene Hinweise bleiben hier bis 90 Tage nach dem Ende ihres Anlasses.',
  },
  checks: 'Geprüft wird nach jeder vollen Stunde. Ein Hinweis endet mit seinem Anlass.',
  guide: 'Wann Hinweise entstehen',
  more: 'Ältere Hinweise zeigen',
}
