import { listAll } from '../../kit/list.ts'
import type { Translation } from '../../kit/translation.ts'
import type { words as english } from './words.ts'

export const words: Translation<typeof english> = {
  url: 'Adresse',
  urlHint: 'Öffentliche https-Adresse deines Servers.',
  urlExample: 'https://example.com/hooks/mentions',
  createWebhook: 'Webhook anlegen',
  localHelp: 'Ein Empfänger auf diesem Rechner',
  localSteps:
    'Starte den Dienst mit dieser Einstellung, die Anfragen an diesen Rechner erlaubt. Verwende dann die Adresse ' +
    'http://127.0.0.1:4900/.',
  setting: 'Einstellung',
  secret: 'Signaturschlüssel',
  secretWarning:
    'Der Schlüssel wird nicht noch einmal gezeigt. Kopiere ihn jetzt. Ist er verloren, erneuere ihn in den ' +
    'Einstellungen des Kanals.',
  receiverCommand: 'Beispielempfänger mit diesem Schlüssel',
  dismissSecret: 'Der Schlüssel ist gesichert',
  slackConnect: 'Slack verbinden',
  slackConnectHint: 'Slack fragt, ob du die App zulässt, und führt hierher zurück.',
  slackTeam: (team) => `Verbunden mit ${team}.`,
  slackDisconnect: 'Slack trennen',
  slackDisconnectTitle: (team) => `${team} trennen?`,
  slackDisconnectText: 'Kanäle in diesem Team erhalten keine Erwähnungen mehr, bis das Team wieder verbunden ist.',
  slackBroken: 'Slack nimmt die Verbindung nicht mehr an. Verbinde Slack erneut.',
  slackChannel: 'Slack-Kanal',
  slackNoChannel: 'Die App sieht keinen Kanal. Lade sie in einen privaten Kanal ein, oder lege einen öffentlichen an.',
  slackCreate: 'An diesen Kanal senden',
  telegramCreate: 'Link erzeugen',
  telegramHint: 'Der Link öffnet den Bot dieser Installation und verbindet einen Chat.',
  telegramOpen: 'Telegram öffnen',
  telegramWaits: 'Drücke in Telegram auf Start. Diese Seite geht von selbst weiter. Der Link gilt 15 Minuten.',
  telegramNewLink: 'Neuen Link erzeugen',
  email: 'E-Mail-Adresse',
  emailHint: 'Deine eigene Adresse braucht keine Bestätigung. An andere geht eine Mail mit einem Link.',
  emailCreate: 'An diese Adresse senden',
  emailWaits: (address) => `${address} ist noch nicht bestätigt. Die Mail mit dem Link ist verschickt.`,
  emailAgain: 'Mail erneut senden',
  emailSent: 'Die Mail ist erneut verschickt.',

  missing: (settings) =>
    `${settings.length === 1 ? 'Es fehlt die Einstellung' : 'Es fehlen die Einstellungen'} ${listAll(settings)}. ` +
    'Wer den Dienst betreibt, setzt sie und startet ihn neu.',

  verify: 'Signatur prüfen',
  verifyHint: 'Prüfe den unveränderten Inhalt, bevor du ihn liest, mit dem Schlüssel aus der Umgebung.',
  verifyLanguage: 'Sprache',
}
