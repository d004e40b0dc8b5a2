import { listAll } from '../../kit/list.ts'

export const words = {
  url: 'Address',
  urlHint: 'Public https address of your server.',
  urlExample: 'https://example.com/hooks/mentions',
  createWebhook: 'Create the webhook',
  localHelp: 'A receiver on this machine',
  localSteps:
    'Start the service with this setting, which allows requests to this machine. Then use the address ' +
    'http://127.0.0.1:4900/.',
  setting: 'Setting',
  secret: 'Signing secret',
  secretWarning: 'The secret is not shown again. Copy it now. If the secret is lost, rotate it.',
  receiverCommand: 'Example receiver with this secret',
  dismissSecret: 'The secret is stored',
  slackConnect: 'Connect Slack',
  slackConnectHint: 'Slack asks you to allow the app, and leads back here.',
  slackTeam: (team: string) => `Connected to ${team}.`,
  slackDisconnect: 'Disconnect Slack',
  slackDisconnectTitle: (team: string) => `Disconnect ${team}?`,
  slackDisconnectText: 'Channels in this team stop receiving mentions until the team is connected again.',
  slackBroken: 'Slack no longer accepts the connection. Connect again.',
  slackChannel: 'Slack channel',
  slackNoChannel: 'The app sees no channel. Invite the app to a private channel, or create a public one.',
  slackCreate: 'Send to this channel',
  telegramCreate: 'Create the link',
  telegramHint: 'The link opens the bot of this installation and connects one chat.',
  telegramOpen: 'Open Telegram',
  telegramWaits: 'Press Start in Telegram. This page goes on by itself. The link works for 15 minutes.',
  telegramNewLink: 'Create a new link',
  email: 'E-mail address',
  emailHint: 'Your own address needs no confirmation. Others get a mail with a link.',
  emailCreate: 'Send to this address',
  emailWaits: (address: string) => `${address} is not confirmed yet. The mail with the link was sent.`,
  emailAgain: 'Send the mail again',
  emailSent: 'The mail was sent again.',

  missing: (settings: readonly string[]) =>
    `Missing ${settings.length === 1 ? 'setting' : 'settings'}: ${listAll(settings)}. An operator sets them and ` +
    'starts the service again.',

  verify: 'Check the signature',
  verifyHint: 'Check the raw body before you parse it, with the secret from the environment.',
  verifyLanguage: 'Language',
}
