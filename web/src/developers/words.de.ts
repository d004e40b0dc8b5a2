import { formatCount } from '../kit/count.tsx'
import type { Translation } from '../kit/translation.ts'
import { clientNames, clientSteps } from './client-words.de.ts'
import type { words as english } from './words.ts'

export const words: Translation<typeof english> = {
  title: 'Entwicklung',
  clients: 'KI-Client verbinden',
  clientsHint:
    'Fast jede Operation ist auch ein Tool. Ein Client, der sich anmeldet, öffnet eine Seite, auf der du den ' +
    'Arbeitsbereich wählst und was er darf.',
  client: 'Client',
  address: 'Adresse des MCP-Servers',
  allTools: 'Alle Tools auf einmal',
  allToolsHint: 'Die kurze Liste führt zu jedem Tool. Alle zusammen belegen 140 kB von dem, was ein Modell lesen kann.',
  clientNames,
  steps: clientSteps,
  withKey: 'Mit einem API-Schlüssel',
  withKeyHint: 'Statt der Anmeldung beim ersten Aufruf.',
  setup: (client) => `Einrichtung für ${client}`,
  remote:
    'Dieser Client läuft bei seinem Anbieter und erreicht keine Adresse deines Rechners oder Netzes. Öffne ' +
    'Earshot unter einer Adresse im Internet; das ist seine PUBLIC_URL.',
  clientGuide: 'Was ein verbundenes Programm darf',
  makeKey: 'API-Schlüssel anlegen',
  allClients: 'Einrichtung aller Clients',

  api: 'API aufrufen',
  apiHint: 'Das Dashboard nutzt nur diese API. Ein Programm kann also alles, was du hier tust.',
  firstRequest: 'Eine erste Anfrage',
  openApi: 'OpenAPI-Dokument',
  reference: 'API-Referenz',
  guide: 'Anleitung: API aufrufen',
  version: (version) => `Der Dienst antwortet. API-Version ${version}.`,
  listen: 'Webhooks auf deinem Rechner',
  listenHint: 'Leitet die Zustellungen von Webhook-Kanälen signiert an eine lokale Adresse weiter.',
  listenCommand: 'Befehl',

  limits: 'Verbleibende Limits',
  requests: 'Anfragen in dieser Minute',
  requestsLeft: (remaining, limit) => `noch ${formatCount(remaining)} von ${formatCount(limit)} für dich`,
  requestsHint:
    'Personen im Browser haben ein eigenes Limit. Schlüssel und Tokens des Arbeitsbereichs teilen sich ein anderes.',
  limitsGuide: 'Alle Limits für Anfragen',
  limitsCaption: 'Was der Arbeitsbereich haben darf',
  limitColumns: { thing: 'Was', used: 'Belegt', limit: 'Limit' },
  things: {
    keywords: 'Suchbegriffe',
    groups: 'Gruppen',
    views: 'Gespeicherte Ansichten',
    segments: 'Segmente',
    channels: 'Kanäle',
    alerts: 'Regeln',
    apiKeys: 'API-Schlüssel',
    namedSources: 'Feeds und Foren',
  },
  unknown: '–',

  tab: 'Anfragen dieses Tabs',
  anywhere: 'Diese Liste öffnet sich auf jeder Seite.',
}
