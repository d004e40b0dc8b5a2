import type { Channel } from '../api/channels.ts'
import { formatCount, formatPlural } from '../kit/count.tsx'
import { listAll } from '../kit/list.ts'
import { formatDuration } from '../kit/time.tsx'
import type { Translation } from '../kit/translation.ts'
import type { words as english } from './words.ts'

const channelKinds = { webhook: 'Webhook', slack: 'Slack', telegram: 'Telegram', email: 'E-Mail' }

export const words: Translation<typeof english> = {
  title: 'Start',
  intro:
    'Vom Begriff zur signierten Zustellung in sechs Schritten. Jeder Schritt ist erledigt, sobald der ' +
    'Arbeitsbereich hat, was er braucht.',
  titles: {
    term: 'Worüber möchtest du auf dem Laufenden sein?',
    mention: 'Erste Erwähnung',
    channel: 'Wohin sollen Erwähnungen gehen?',
    test: 'Test senden',
    rule: 'Alles Relevante senden',
    delivery: 'Zugestellt',
  },
  states: { done: 'erledigt', open: 'offen', ahead: 'später' },

  term: 'Begriff',
  termHint: 'Ein Name, ein Produkt oder eine Wortfolge von 2 bis 80 Zeichen.',
  termExample: 'Acme Robotics',
  search: 'Sofort suchen',
  searching: 'Die Plattformen werden durchsucht. Das dauert höchstens zehn Sekunden.',
  watch: (term) => `„${term}“ beobachten`,
  watchNothing: 'Begriff beobachten',
  kind: 'Art',
  watching: (count, term) =>
    count === 1 && term !== null
      ? `„${term}“ wird beobachtet.`
      : `${formatPlural(count, 'Begriff wird', 'Begriffe werden')} beobachtet.`,
  toKeywords: 'Suchbegriffe öffnen',
  anotherTerm: 'Weiteren Begriff beobachten',
  found: (posts, matched) =>
    `${formatPlural(posts, 'Beitrag', 'Beiträge')} gefunden, davon würden ${formatCount(matched)} zu einem ` +
    'Suchbegriff passen. Nichts wird gespeichert.',
  searchedNone: 'Keine Plattform konnte durchsucht werden.',
  foundNone: (term) => `Auf den durchsuchten Plattformen hat in letzter Zeit niemand „${term}“ geschrieben.`,
  foundNoneHelp:
    'Beobachte den Begriff trotzdem: Live-Quellen werden geprüft, sobald Beiträge erscheinen. Oder versuche eine ' +
    'kürzere Schreibweise oder ein gebräuchlicheres Wort.',
  morePosts: (count) => `und ${formatPlural(count, 'weiterer Beitrag', 'weitere Beiträge')}`,
  notSearched: (names) => `In dieser Installation nicht eingerichtet: ${listAll(names)}.`,
  noAnswer: (names) => `Keine rechtzeitige Antwort: ${listAll(names)}.`,
  author: (name) => `von ${name}`,
  openPost: 'Beitrag öffnen',

  waitingFor: (term) => `Wartet auf „${term}“. Live-Quellen finden einen Beitrag binnen einer Sekunde.`,
  waitingForAny: 'Wartet auf deine Begriffe. Live-Quellen finden einen Beitrag binnen einer Sekunde.',
  rareTerm:
    'Noch nichts. Seltene Begriffe brauchen Zeit, und die Beiträge, die die Suche fand, werden nicht gespeichert.',
  trialOffer: (term) => `Mit „${term}“ live ausprobieren`,
  trialCost: (mentions, cents) =>
    `Ein Thema mit höchstens ${formatCount(mentions)} Erwähnungen und ${formatCount(cents)} Cent deines ` +
    'Guthabens, mit einem Klick wieder weg.',
  trialRuns: (term) => `„${term}“ wird beobachtet, um zu zeigen, wie Erwähnungen eintreffen.`,
  trialEnd: (term) => `„${term}“ löschen`,
  arrived: (term, seconds) =>
    `Die erste Erwähnung von „${term}“ kam ${formatDuration(seconds * 1000)} nach dem Beitrag.`,
  mentionArrived: (term) => `Eine Erwähnung von „${term}“ ist eingetroffen.`,
  mentionExists: 'Erwähnungen treffen ein.',
  foundAfter: (seconds) => `${formatDuration(seconds * 1000)} nach der Veröffentlichung gefunden`,
  openMention: 'Erwähnung öffnen',
  toInbox: 'Eingang öffnen',
  unclassified: 'Die Bewertung ist fehlgeschlagen.',

  where: 'Ziel',
  kindNames: {
    browser: 'Dieser Browser',
    webhook: 'Webhook',
    slack: 'Slack',
    telegram: 'Telegram',
    email: 'E-Mail',
    feed: 'Atom-Feed',
  },
  kindHints: {
    browser: 'Der Dienst nimmt die Anfragen selbst an, und diese Seite zeigt sie.',
    webhook: 'Eine signierte Anfrage an deinen Server.',
    slack: 'Eine Nachricht mit Knöpfen in einem Kanal.',
    telegram: 'Eine Nachricht des Bots in einem Chat.',
    email: 'Eine Mail an eine Adresse.',
    feed: 'Ein Link für einen Feedreader.',
  },
  channelIs: ({ label, kind }: Pick<Channel, 'label' | 'kind'>) =>
    `Erwähnungen gehen an ${label} (${channelKinds[kind]}).`,
  anotherChannel: 'Weiteren Kanal hinzufügen',
  createInbox: 'In diesem Browser empfangen',
  inboxName: 'Start',
  inboxLabel: 'Dieser Browser',
  inboxHint:
    'Ein Webhook-Kanal zu einem Postfach dieses Dienstes. Das Postfach endet nach 24 Stunden. Füge danach einen ' +
    'eigenen Kanal hinzu.',
  feedName: 'Alles Relevante',
  feedCreate: 'Feed anlegen',
  feedHint: 'Legt eine Ansicht aller relevanten Erwähnungen an, deren Feed jeder Feedreader lesen kann.',
  feedLink: 'Link zum Feed',
  feedReady:
    'Feedreader holen den Link von selbst ab, ein Feed braucht also weder Test noch Regel. Wer den Link hat, ' +
    'liest ihn.',
  feedMissing: 'In dieser Installation gibt es keine Feed-Links, weil ihr geheimer Schlüssel fehlt.',

  testHint: (label) => `Eine signierte Testanfrage an ${label}, sofort.`,
  sendTest: 'Test senden',
  testAgain: 'Weiteren Test senden',
  testArrived: (label) => `Der Test ist bei ${label} angekommen.`,
  testFailed: (label) => `Der Test ist bei ${label} nicht angekommen.`,
  testSkipped: 'Der Test wurde ausgelassen.',
  testKnown: 'Der Kanal hat schon eine Regel.',
  withoutTest: 'Ohne Test weiter',
  requestOf: 'Anfrage, wie sie ankam',
  answer: (status) => (status === null ? 'Keine Antwort' : `Antwort ${status}`),
  emptyAnswer: 'Die Antwort hat keinen Inhalt.',
  took: (milliseconds) => formatDuration(milliseconds),

  ruleHint: (label) => `Jede relevante Erwähnung geht an ${label}, sobald sie bewertet ist.`,
  ruleName: 'Alles Relevante',
  preview: (count, days) =>
    count === 0
      ? `In den letzten ${days} Tagen hätte die Regel nichts gesendet.`
      : `In den letzten ${days} Tagen hätte die Regel ${formatPlural(count, 'Erwähnung', 'Erwähnungen')} gesendet.`,
  previewOpen: 'Die neuesten davon',
  createRule: 'Alles Relevante senden',
  ruleExists: (name) => `Die Regel „${name}“ sendet Erwähnungen.`,

  waitingDelivery: 'Wartet auf die nächste relevante Erwähnung. Die Regel sendet sie, sobald sie bewertet ist.',
  slowDelivery: 'Noch wurde nichts gesendet. Seltene Begriffe brauchen Zeit.',
  deliveryStates: {
    pending: 'Eine Zustellung wartet auf ihren ersten Versuch.',
    held: 'Eine Zustellung wird zurückgehalten.',
    delivered: 'Zugestellt.',
    failed: 'Eine Zustellung ist fehlgeschlagen.',
    cancelled: 'Eine Zustellung wurde abgebrochen.',
  },
  deliveredTo: (label) => `Eine Erwähnung wurde an ${label} zugestellt.`,
  noRequest: 'Die Zustellung hat keine Anfrage, die sich zeigen lässt.',
  requestSent: 'Anfrage, wie sie gesendet wurde',
  milestones: (mentionSeconds, deliverySeconds) =>
    [
      mentionSeconds === null ? null : `erste Erwähnung nach ${formatCount(mentionSeconds)} s`,
      deliverySeconds === null ? null : `erste Zustellung nach ${formatCount(deliverySeconds)} s`,
    ]
      .filter((part) => part !== null)
      .join(', '),
  next: 'Wie es weitergeht',
  nextInbox: 'Eingang',
  nextInboxHint: 'Erwähnungen lesen, beurteilen und sichten.',
  nextGuide: 'Anleitung',
  nextGuideHint: 'Filter, Zusammenfassungen, Signaturen und neue Versuche.',
  nextKeys: 'API-Schlüssel',
  nextKeysHint: 'All das per Programm oder mit einem KI-Client.',
}
