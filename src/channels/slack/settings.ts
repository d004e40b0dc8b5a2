import { key, keyText, webAddress } from '../../kernel/setting-forms.ts'
import { findMissing, type GivenSettings, type SettingsTable, type ValuesOf } from '../../kernel/settings.ts'

export interface SlackSettings {
  /** `apiUrl` ends with a slash; `authorizeUrl` is the page of authorization. */
  slack: { clientId: string; clientSecret: string; signingSecret: string; apiUrl: string; authorizeUrl: string } | null
}

export const SLACK_SETTINGS = {
  SLACK_CLIENT_ID: {
    meaning:
      'The app at Slack through which Slack channels post. Its redirect address is PUBLIC_URL/hooks/slack/oauth.',
    form: 'text without blanks',
    fallback: 'there are no Slack channels',
    schema: keyText,
  },
  SLACK_CLIENT_SECRET: key('The secret of that app.', 'there are no Slack channels'),
  SLACK_SIGNING_SECRET: key(
    'Signing secret of Slack for PUBLIC_URL/hooks/slack/actions and /hooks/slack/events.',
    'there are no Slack channels',
  ),
  SLACK_API_URL: {
    meaning:
      "Address of Slack's Web API, for proxies and tests. Buttons are answered on the same host and on " +
      'hooks.<host>.',
    form: 'http or https address',
    default: 'https://slack.com/api/',
    schema: webAddress.transform((address) => `${address.replace(/\/+$/, '')}/`),
  },
  SLACK_AUTHORIZE_URL: {
    meaning: 'Where people allow the app in their workspace at Slack.',
    form: 'http or https address',
    fallback: '/oauth/v2/authorize on the host of SLACK_API_URL',
    schema: webAddress,
  },
} satisfies SettingsTable

export function findSlackProblems(given: GivenSettings): string[] {
  return findMissing(given, ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_SIGNING_SECRET'])
}

export function slackSettingsOf(values: ValuesOf<typeof SLACK_SETTINGS>): SlackSettings {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, SLACK_SIGNING_SECRET: signingSecret } = values
  if (clientId === undefined || clientSecret === undefined || signingSecret === undefined) return { slack: null }
  const apiUrl = values.SLACK_API_URL
  const authorizeUrl = values.SLACK_AUTHORIZE_URL ?? new URL('/oauth/v2/authorize', apiUrl).href
  return { slack: { clientId, clientSecret, signingSecret, apiUrl, authorizeUrl } }
}
