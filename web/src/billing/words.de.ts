import { formatCount, formatPlural } from '../kit/count.tsx'
import type { Translation } from '../kit/translation.ts'
import type { words as english } from './words.ts'

const BYS = { keyword: 'Suchbegriff', group: 'Gruppe', platform: 'Plattform', day: 'Tag' }

export const words: Translation<typeof english> = {
  title: 'Guthaben',
  tabsLabel: 'Teile des Guthabens',
  tabs: { overview: 'Guthaben', usage: 'Verbrauch', ledger: 'Buchungen', invoices: 'Rechnungen' },
  figures: {
    balance: 'Guthaben',
    daysLeft: 'Verbleibende Tage',
    burn: 'Verbrauch pro Tag',
    nextDay: 'Der nächste Tag kostet',
  },
  pending: (pending) => `${pending} davon warten auf die tägliche Abrechnung und sind schon abgezogen`,
  nothingPending: 'Nichts wartet auf die Abrechnung',
  endless: 'Kein Ende in Sicht',
  ends: (date) => `Endet bei gleichem Verbrauch etwa am ${date}`,
  burnNote: 'Mittel der letzten sieben Tage',
  keywords: (active) => `${formatPlural(active, 'Suchbegriff wird', 'Suchbegriffe werden')} täglich berechnet`,
  stopped: (keywords, cost) =>
    `Das Guthaben ist aufgebraucht, deshalb ${keywords === 1 ? 'pausiert' : 'pausieren'} ` +
    `${formatPlural(keywords, 'Suchbegriff', 'Suchbegriffe')}. ${keywords === 1 ? 'Er beginnt' : 'Sie beginnen'} ` +
    `von selbst wieder, wenn das Guthaben ${cost} deckt, einen Tag für alle.`,
  low: 'Das Guthaben ist knapp: Höchstens ein Fünftel der letzten Gutschrift ist übrig.',
  paid: 'Danke. Das Guthaben wächst, sobald der Zahlungsdienst die Zahlung meldet, meist binnen einer Minute.',
  credit: (amount, date) => `Startguthaben von ${amount} am ${date}.`,
  lastTopUp: (date) => `Letzte Aufladung am ${date}.`,
  noTopUp: 'Noch wurde nichts aufgeladen.',

  topUp: 'Aufladen',
  topUpHint:
    'Du zahlst auf einer Seite des Zahlungsdienstes und kommst hierher zurück. Der Dienst speichert das ' +
    'Zahlungsmittel.',
  amount: 'Betrag in US-Dollar',
  between: (least, most) => `Von ${least} bis ${most}.`,
  pay: 'Zur Zahlungsseite',
  whoManages:
    'Admins und Inhaber des Arbeitsbereichs können das Guthaben aufladen und die automatische Aufladung ändern.',
  notConfigured:
    'Diese Installation nimmt keine Zahlungen an. Wer sie betreibt, kann STRIPE_SECRET_KEY und ' +
    'STRIPE_WEBHOOK_SECRET setzen oder mit „earshot grant“ Guthaben gewähren.',

  recharge: 'Automatische Aufladung',
  rechargeHint:
    'Belastet das gespeicherte Zahlungsmittel, wenn das Guthaben unter einen Betrag fällt, höchstens einmal je Stunde.',
  rechargeOn: 'Von selbst aufladen',
  noMethod: 'Belastungen beginnen mit der ersten bezahlten Aufladung, die ein Zahlungsmittel speichert.',
  threshold: 'Wenn das Guthaben darunter fällt, in US-Dollar',
  rechargeAmount: 'Aufladen um, in US-Dollar',
  save: 'Automatische Aufladung speichern',
  saved: 'Die automatische Aufladung ist gespeichert',
  lastRun: 'Letzte Belastung',
  lastError: (reason) => `Die letzte Belastung ist fehlgeschlagen: ${reason}`,

  usageCaption: 'Verbrauch und Kosten des Monats',
  by: 'Nach',
  bys: BYS,
  byOne: (dimension) => `Nach ${BYS[dimension]}`,
  usageFigures: {
    total: 'Kosten des Monats',
    perRelevant: 'Eine relevante Erwähnung kostet',
    mentions: 'Berechnete Erwähnungen',
    days: 'Suchbegriff-Tage',
  },
  relevantOf: (count) => `${formatPlural(count, 'relevante Erwähnung', 'relevante Erwähnungen')} im Monat`,
  ofCents: (cost) => `${cost} insgesamt`,
  waiting: (count) =>
    count === 0
      ? ''
      : `${formatPlural(count, 'weitere Erwähnung ist', 'weitere Erwähnungen sind')} noch nicht bewertet`,
  columns: {
    mentions: 'Erwähnungen',
    charged: 'Berechnet',
    days: 'Suchbegriff-Tage',
    cost: 'Kosten',
    perRelevant: 'Pro relevante',
    share: 'Anteil',
  },
  keywordDays: 'Suchbegriff-Tage',
  removed: 'gelöscht',
  noUsage: 'In diesem Monat wurde nichts berechnet.',
  noUsageHint: 'Ein sammelnder Suchbegriff hat einen festen Preis pro Tag, und jede bewertete Erwähnung den ihren.',
  moreRows: (shown) => `Gezeigt sind die ${formatCount(shown)} teuersten.`,
  settlement:
    'Erwähnungen werden am Tag nach ihrer Bewertung abgerechnet. Beträge werden einzeln gerundet, Summen können ' +
    'daher um einen Cent abweichen.',

  ledgerCaption: 'Buchungen, neueste zuerst',
  ledgerHint: 'Jede Änderung des Guthabens. Buchungen werden nie geändert oder entfernt.',
  kind: 'Art',
  allKinds: 'Alle Arten',
  kinds: {
    signup_credit: 'Startguthaben',
    topup: 'Aufladung',
    auto_recharge: 'Automatische Aufladung',
    refund: 'Erstattung',
    dispute: 'Angefochtene Zahlung',
    debit_keyword_days: 'Suchbegriff-Tage',
    debit_mentions: 'Erwähnungen',
    grant: 'Gutschrift des Betreibers',
    adjustment: 'Korrektur',
  },
  ledgerColumns: { at: 'Zeit', kind: 'Was', day: 'Für', amount: 'Betrag', balance: 'Guthaben danach' },
  units: (kind, units) =>
    kind === 'debit_mentions'
      ? formatPlural(units, 'Erwähnung', 'Erwähnungen')
      : formatPlural(units, 'Suchbegriff', 'Suchbegriffe'),
  noEntry: 'Noch keine Buchung',
  noEntryHint: 'Die erste Buchung ist eine Gutschrift.',
  noEntryOfKind: 'Keine Buchung dieser Art',
  showAll: 'Alle Arten zeigen',
  older: 'Ältere zeigen',
  whoSeesLedger: 'Buchungen und Rechnungen sind für Admins und Inhaber des Arbeitsbereichs. Frage jemanden von ihnen.',

  invoicesCaption: 'Rechnungen, neueste zuerst',
  invoicesHint:
    'Rechnungen für Aufladungen, wie der Zahlungsdienst sie führt. Für automatische Belastungen schickt er einen ' +
    'Beleg per Mail.',
  invoiceColumns: { number: 'Nummer', date: 'Datum', status: 'Status', amount: 'Betrag', open: 'Rechnung' },
  invoiceStatuses: {
    draft: 'Entwurf',
    open: 'Offen',
    paid: 'Bezahlt',
    uncollectible: 'Uneinbringlich',
    void: 'Storniert',
  },
  noNumber: 'noch nicht endgültig',
  open: 'Öffnen',
  noInvoice: 'Noch keine Rechnung',
  noInvoiceHint: 'Mit der ersten Aufladung entsteht eine.',
}
