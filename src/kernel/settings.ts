import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { canParse } from './can-parse.ts'
import { type EgressProblem, parseEgressAllow } from './egress.ts'
import { parseIpRange } from './ip-range.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'
import { readSealingKey } from './sealing.ts'
import { StartError } from './start-error.ts'
import { isOfThisMachine } from './this-machine.ts'

/** Every setting of the service with its value; derived once, at start. */
export interface Settings {
  port: number
  host: string
  publicUrl: string
  dataDir: string
  databaseUrl: string | null
  secretKey: string | null
  logLevel: LogLevel
  billing: 'metered' | 'unmetered'
  classifier: 'offline' | 'hybrid' | 'model'
  /**
   * How scoring may use the language model; null where only the offline model scores. Money is in millionths of a
   * dollar.
   */
  secondLook: {
    dailyMicroUsd: number
    callsAtOnce: number
    sureFrom: number
    prices: { input: number; output: number }
  } | null
  /** Who may make an account beyond the first person. */
  signUp: 'open' | 'invited'
  /** Null when the installation sends no mail. */
  mail: { smtpUrl: string; from: string } | null
  /** With what the mail provider signs in to tell of bounces; null when it cannot. */
  emailHookSecret: string | null
  /** Id and secret of the apps through which people may sign in; null where there is none. */
  signInApps: Record<'google' | 'github', { id: string; secret: string } | null>
  /** How payments are taken; null when they are not. The address replaces that of Stripe's interface. */
  stripe: { secretKey: string; webhookSecret: string; apiUrl: string | null } | null
  /**
   * The language model that is asked where rules cannot tell; null when there is none. The address ends with the
   * version of the interface.
   */
  languageModel: {
    provider: 'openai' | 'anthropic'
    url: string
    key: string | null
    model: string
    timeoutSeconds: number
  } | null
  /**
   * The app at Slack; null when there is none. The first address ends with a slash; the other is where people allow the
   * app.
   */
  slack: { clientId: string; clientSecret: string; signingSecret: string; apiUrl: string; authorizeUrl: string } | null
  /**
   * The bot through which Telegram is reached; null when there is none. Without a secret of its own one is derived from
   * the token.
   */
  telegram: { token: string; apiUrl: string; webhookSecret: string | null } | null
  /** Addresses and ranges of proxies whose word on the caller's address counts. */
  trustedProxies: string[]
  egressAllow: string[]
  /** Requests that one host of webhooks gets in a second from one process. */
  webhooksPerHostSecond: number
  /** Addresses and ranges whose callers may read the metrics. */
  operatorAddresses: string[]
  userAgent: string
  /** Threads that read the platforms; 0 when the main thread does. */
  collectThreads: number
  /** Threads that score mentions; 0 when the main thread does. */
  classifyThreads: number
  jetstreamHosts: string[] | null
  /** Per collecting platform, in lower case: the address that replaces its hosts, and the base interval in seconds. */
  sourceUrls: ReadonlyMap<string, string>
  sourcePollSeconds: ReadonlyMap<string, number>
  /** Platforms that the operator does not want to be collected. */
  sourcesOff: readonly string[]
  /** Keys, routes, providers and caps of single platforms, by name; only those that are set. */
  sourceSettings: ReadonlyMap<string, string>
}

/** One row of the table: how a name of the environment becomes a value, and what it means to an operator. */
export interface Setting {
  name: string
  meaning: string
  /** What a value looks like, in words. */
  form: string
  unit?: string
  /** What counts when the name is absent, in words. */
  fallback: string
  secret?: true
  /** Answers what is wrong with a value, or null. */
  problem(value: string): string | null
}

/**
 * The platforms that are asked at intervals, with the seconds between two polls of one query; each has two settings of
 * its own.
 */
const POLLED: readonly (readonly [platform: string, seconds: number])[] = [
  ['hackernews', 60],
  ['github', 300],
  ['stackoverflow', 120],
  ['devto', 120],
  ['reddit', 600],
  ['x', 900],
  ['youtube', 7200],
  ['news', 1800],
  ['linkedin', 43_200],
  ['tiktok', 21_600],
  ['instagram', 43_200],
  ['appstore', 86_400],
  ['googleplay', 86_400],
  ['trustpilot', 86_400],
  ['googlemaps', 86_400],
]
const COLLECTING: readonly string[] = ['bluesky', ...POLLED.map(([platform]) => platform)]
const PROVIDERS = ['scrapecreators', 'apify', 'off']

const anything = () => null
const oneOf = (words: readonly string[]) => (value: string) =>
  words.includes(value) ? null : `must be one of ${words.join(', ')}`

/** Far more than a receiver for people gets, and few enough for a host that many workspaces send to. */
const WEBHOOKS_PER_HOST_SECOND = 100

function wholeNumber(low: number, high: number) {
  return (value: string) =>
    /^\d{1,9}$/.test(value) && Number(value) >= low && Number(value) <= high
      ? null
      : `must be a whole number from ${low} to ${high}`
}

function address(protocols: readonly string[]) {
  return (value: string) => {
    if (!canParse(value)) return 'must be an address such as http://host:port'
    const url = new URL(value)
    if (!protocols.includes(url.protocol))
      return `must begin with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`
    return url.search || url.hash || url.username ? 'must have no user name, query or fragment' : null
  }
}

const originProblem = (value: string) =>
  address(['http:', 'https:'])(value) ?? (new URL(value).pathname === '/' ? null : 'must have no path')

const egressProblem = (value: string) => {
  const parsed: string[] | EgressProblem = parseEgressAllow(value)
  return Array.isArray(parsed) ? null : parsed.problem
}

/** Only called once the table found nothing wrong with the value. */
function egressAllowFrom(value: string): string[] {
  const parsed = parseEgressAllow(value)
  return Array.isArray(parsed) ? parsed : []
}

/** Whoever sits at the machine itself is its operator, unless a proxy on the machine may hand on what strangers ask. */
const OPERATORS_AT_HOME = '127.0.0.0/8, ::1'

/** Only `none` and nothing else means nobody: an empty value counts as absent, as everywhere. */
const operatorsFrom = (value: string) => (value === 'none' ? [] : listOf(value))

const rangesProblem = (entries: readonly string[]) => {
  const bad = entries.find((entry) => parseIpRange(entry) === null)
  return bad === undefined ? null : `${JSON.stringify(bad)} is no IP address or range of addresses such as 10.0.0.0/8`
}

const operatorProblem = (value: string) => {
  const entries = operatorsFrom(value)
  return (
    rangesProblem(entries) ??
    (entries.length > 0 || value === 'none' ? null : 'must be IP addresses or ranges separated by commas, or none')
  )
}

const dollarsProblem = (value: string) =>
  /^\d{1,6}(\.\d{1,6})?$/.test(value) ? null : 'must be an amount of dollars such as 2 or 0.5'

const listProblem = (words: readonly string[]) => (value: string) => {
  const bad = listOf(value).find((entry) => !words.includes(entry))
  return bad === undefined && listOf(value).length > 0
    ? null
    : `must be some of ${words.join(', ')}, separated by commas`
}

const editionsProblem = (value: string) =>
  listOf(value).every((edition) => /^[a-z]{2}(-[A-Za-z0-9]{2,4})?:[A-Z]{2}$/.test(edition)) && listOf(value).length > 0
    ? null
    : 'must be language and country pairs such as en-US:US, separated by commas'

/** Keys travel in headers and addresses: a blank or a line break in one is a slip. */
const keyProblem = (value: string) =>
  /^[\x21-\x7e]{1,500}$/.test(value) ? null : 'must be 1 to 500 printable ASCII characters without blanks'

const key = (name: string, meaning: string, fallback: string): Setting => ({
  name,
  meaning,
  form: 'text without blanks',
  fallback,
  secret: true,
  problem: keyProblem,
})

/** Platforms that are reached through actors, and those whose collecting costs money. */
export type ActedPlatform = 'linkedin' | 'tiktok' | 'instagram' | 'googlemaps'
export type PaidPlatform = ActedPlatform | 'reddit' | 'x'

/** A platform's name as it stands at the head of its settings. */
export function upperCased<Name extends string>(platform: Name): Uppercase<Name> {
  return platform.toUpperCase() as Uppercase<Name>
}

const dailyCap = (platform: PaidPlatform): Setting => ({
  name: `${upperCased(platform)}_DAILY_USD_CAP`,
  meaning: `The most that collecting from ${platform} may cost on one day (UTC); checked before each paid request.`,
  form: 'amount such as 5 or 0.5',
  unit: 'dollars',
  fallback: SOURCE_DEFAULTS[`${upperCased(platform)}_DAILY_USD_CAP`],
  problem: dollarsProblem,
})

const provider = (platform: string, names: readonly string[]): Setting => ({
  name: `${platform.toUpperCase()}_PROVIDER`,
  meaning: `The provider through which ${platform} is collected.`,
  form: names.join(', '),
  fallback: platform === 'googlemaps' ? 'the Places API' : `${platform} is not collected`,
  problem: oneOf(names),
})

const actor = (platform: ActedPlatform): Setting => ({
  name: `${upperCased(platform)}_APIFY_ACTOR`,
  meaning: `The Apify actor that collects ${platform}; its input and output must be those of the default one.`,
  form: 'user/actor',
  fallback: SOURCE_DEFAULTS[`${upperCased(platform)}_APIFY_ACTOR`],
  problem: (value) => (/^[\w.-]{1,60}[/~][\w.-]{1,60}$/.test(value) ? null : 'must be user/actor'),
})

/** What counts for a platform where its setting is absent. Sources are set up from these and from what is set. */
export const SOURCE_DEFAULTS = {
  YOUTUBE_SEARCH_CALLS_PER_DAY: '100',
  NEWS_SOURCES: 'gdelt',
  NEWS_EDITIONS: 'en-US:US',
  SCRAPECREATORS_CREDIT_USD: '0.002',
  REDDIT_DAILY_USD_CAP: '2',
  X_DAILY_USD_CAP: '5',
  LINKEDIN_DAILY_USD_CAP: '2',
  TIKTOK_DAILY_USD_CAP: '2',
  INSTAGRAM_DAILY_USD_CAP: '2',
  GOOGLEMAPS_DAILY_USD_CAP: '2',
  LINKEDIN_APIFY_ACTOR: 'harvestapi/linkedin-post-search',
  TIKTOK_APIFY_ACTOR: 'clockworks/tiktok-scraper',
  INSTAGRAM_APIFY_ACTOR: 'apify/instagram-hashtag-scraper',
  GOOGLEMAPS_APIFY_ACTOR: 'compass/google-maps-reviews-scraper',
} as const

/** What single platforms need or take. */
const SOURCE_SETTINGS: readonly Setting[] = [
  {
    name: 'BSKY_HANDLE',
    meaning: 'The account that searches Bluesky for live search; the feed itself needs none.',
    form: 'handle such as name.bsky.social',
    fallback: 'no live search on Bluesky',
    problem: (value) => (/^[a-z0-9.-]{3,253}$/i.test(value) ? null : 'must be a handle such as name.bsky.social'),
  },
  key('BSKY_APP_PASSWORD', 'The app password of that account.', 'no live search on Bluesky'),
  key(
    'GITHUB_TOKEN',
    'A token for the REST API of GitHub; it needs no permission.',
    '10 searches a minute instead of 30, no discussions',
  ),
  key('STACKEXCHANGE_KEY', 'A key for the Stack Exchange API.', '300 requests a day instead of 10,000'),
  key('DEVTO_API_KEY', 'A key for the API of dev.to.', 'the public limits'),
  {
    name: 'REDDIT_ROUTE',
    meaning:
      'How Reddit is collected: with an approved app (oauth), through ScrapeCreators (provider), or from the ' +
      'public feeds (atom), which Reddit may refuse.',
    form: 'oauth, provider, atom, off',
    fallback: 'oauth when REDDIT_CLIENT_ID is set, else Reddit is not collected',
    problem: oneOf(['oauth', 'provider', 'atom', 'off']),
  },
  key('REDDIT_CLIENT_ID', 'The id of the approved Reddit app.', 'no oauth route'),
  key('REDDIT_CLIENT_SECRET', 'The secret of the approved Reddit app.', 'no oauth route'),
  {
    name: 'REDDIT_USER_AGENT',
    meaning: 'How the collector introduces itself to Reddit.',
    form: 'platform:app-id:version (by /u/name)',
    fallback: 'COLLECTOR_USER_AGENT',
    problem: (value) => (/^[\x20-\x7e]{1,200}$/.test(value) ? null : 'must be 1 to 200 printable ASCII characters'),
  },
  dailyCap('reddit'),
  key('X_BEARER_TOKEN', 'The bearer token of an X app with pay-per-use access.', 'X is not collected'),
  dailyCap('x'),
  key('YOUTUBE_API_KEY', 'A key for the YouTube Data API.', 'YouTube is not collected'),
  {
    name: 'YOUTUBE_SEARCH_CALLS_PER_DAY',
    meaning: 'How many searches the key may make a day (Pacific time).',
    form: 'whole number from 1 to 1000000',
    fallback: SOURCE_DEFAULTS.YOUTUBE_SEARCH_CALLS_PER_DAY,
    problem: wholeNumber(1, 1_000_000),
  },
  {
    name: 'NEWS_SOURCES',
    meaning: 'The news indexes that are searched. The terms of googlenews and bing allow personal use.',
    form: 'gdelt, googlenews, bing, separated by commas',
    fallback: SOURCE_DEFAULTS.NEWS_SOURCES,
    problem: listProblem(['gdelt', 'googlenews', 'bing']),
  },
  {
    name: 'NEWS_EDITIONS',
    meaning: 'The editions that googlenews and bing are searched in.',
    form: 'language:country pairs separated by commas',
    fallback: SOURCE_DEFAULTS.NEWS_EDITIONS,
    problem: editionsProblem,
  },
  key('SCRAPECREATORS_API_KEY', 'The key of ScrapeCreators, for the platforms whose provider it is.', 'not used'),
  {
    name: 'SCRAPECREATORS_CREDIT_USD',
    meaning: 'What one credit of ScrapeCreators costs you; counted against the daily caps.',
    form: 'amount such as 0.002',
    unit: 'dollars',
    fallback: SOURCE_DEFAULTS.SCRAPECREATORS_CREDIT_USD,
    problem: dollarsProblem,
  },
  key('APIFY_TOKEN', 'The token of Apify, for the platforms whose provider it is.', 'not used'),
  ...(['linkedin', 'tiktok', 'instagram'] as const).flatMap((platform) => [
    provider(platform, PROVIDERS),
    dailyCap(platform),
  ]),
  actor('linkedin'),
  actor('tiktok'),
  actor('instagram'),
  key('TRUSTPILOT_API_KEY', 'A key for the Business Units API of Trustpilot.', 'Trustpilot is not collected'),
  key(
    'GOOGLE_MAPS_API_KEY',
    'A key for the Places API (New); it shows the five most relevant reviews of a place.',
    'no Places API',
  ),
  provider('googlemaps', ['apify', 'off']),
  actor('googlemaps'),
  dailyCap('googlemaps'),
]

const SLACK_API_URL = 'https://slack.com/api/'
/** An app at Slack is of use only with all of these. */
const SLACK_APP = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_SIGNING_SECRET'] as const

const TELEGRAM_API_URL = 'https://api.telegram.org'

/** Where the interfaces of language models are unless told otherwise. */
const LANGUAGE_MODEL_URLS = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com/v1' } as const
const LANGUAGE_MODEL_SECONDS = 30
const LANGUAGE_MODEL_PRICES = ['LANGUAGE_MODEL_INPUT_USD', 'LANGUAGE_MODEL_OUTPUT_USD'] as const

/** The classifiers that ask the language model, and what counts for them where nothing is set. */
const ASKING_CLASSIFIERS = ['hybrid', 'model']
const SECOND_LOOK_DEFAULTS = { sureFrom: '0.6', dailyUsd: '1', callsAtOnce: '4' }

const sealingProblem = (value: string) => {
  const key = readSealingKey(value)
  return 'problem' in key ? key.problem : null
}

export const SETTINGS: readonly Setting[] = [
  {
    name: 'PORT',
    meaning: 'The port on which the service listens.',
    form: 'whole number from 1 to 65535',
    fallback: '4400',
    problem: wholeNumber(1, 65_535),
  },
  {
    name: 'EARSHOT_HOST',
    meaning: 'The address of the network interface to listen on.',
    form: 'host name or IP address',
    fallback: '127.0.0.1; 0.0.0.0 inside a container',
    problem: (value) => (/^[\w.:-]{1,253}$/.test(value) ? null : 'must be a host name or an IP address'),
  },
  {
    name: 'PUBLIC_URL',
    meaning: 'The address under which callers reach the service; it stands in links and in the API description.',
    form: 'http or https address without a path',
    fallback: 'http://localhost:PORT',
    problem: originProblem,
  },
  {
    name: 'DATA_DIR',
    meaning: 'The folder of the embedded database, its log and the keys of this installation.',
    form: 'path',
    fallback: 'data below the project folder',
    problem: anything,
  },
  {
    name: 'DATABASE_URL',
    meaning: 'An existing PostgreSQL (15 or newer) to use instead of the embedded one.',
    form: 'postgres://user:password@host:port/database',
    fallback: 'the embedded database',
    secret: true,
    problem: (value) =>
      /^postgres(ql)?:\/\/./.test(value) && canParse(value)
        ? null
        : 'must be an address such as postgres://user:password@host:5432/database',
  },
  {
    name: 'EARSHOT_SECRET_KEY',
    meaning:
      'The key that seals the secrets of channels and waiting mails in the database, and links of invitations. ' +
      'Machines that share a database need the same one.',
    form: '32 bytes in base64 or hexadecimal',
    fallback: 'made once and kept in DATA_DIR/secret.key',
    secret: true,
    problem: sealingProblem,
  },
  {
    name: 'EARSHOT_LOG_LEVEL',
    meaning: 'The least level that is logged.',
    form: LOG_LEVELS.join(', '),
    fallback: 'info',
    problem: oneOf(LOG_LEVELS),
  },
  {
    name: 'BILLING',
    meaning:
      'Whether use is charged to the prepaid wallets (metered), or only counted (unmetered): nothing is then ' +
      'charged, paused or capped by the wallet.',
    form: 'metered, unmetered',
    fallback: 'metered',
    problem: oneOf(['metered', 'unmetered']),
  },
  {
    name: 'CLASSIFIER',
    meaning:
      'What scores mentions: the built-in model, which needs no network (offline); this and the language model ' +
      'where it is not sure (hybrid); or the language model for all (model). The last two need LANGUAGE_MODEL and ' +
      'its prices, and show it posts.',
    form: 'offline, hybrid, model',
    fallback: 'offline',
    problem: oneOf(['offline', ...ASKING_CLASSIFIERS]),
  },
  {
    name: 'CLASSIFIER_SURE_FROM',
    meaning:
      'From which confidence on the hybrid classifier believes the built-in model. Near the line between noise ' +
      'and relevant it never does.',
    form: 'number from 0 to 1, with two decimals at most',
    fallback: SECOND_LOOK_DEFAULTS.sureFrom,
    problem: (value) =>
      /^(0(\.\d{1,2})?|1(\.0{1,2})?)$/.test(value) ? null : 'must be a number from 0 to 1, with two decimals at most',
  },
  {
    name: 'CLASSIFIER_DAILY_USD_CAP',
    meaning:
      'The most that scoring by the language model may cost on one day (UTC), shared out fairly between ' +
      'workspaces; checked before each call.',
    form: 'amount such as 5 or 0.5',
    unit: 'dollars',
    fallback: SECOND_LOOK_DEFAULTS.dailyUsd,
    problem: dollarsProblem,
  },
  {
    name: 'CLASSIFIER_CALLS_AT_ONCE',
    meaning: 'How many calls to the language model each process that scores has on their way at once.',
    form: 'whole number from 1 to 8',
    fallback: SECOND_LOOK_DEFAULTS.callsAtOnce,
    problem: wholeNumber(1, 8),
  },
  {
    name: 'SIGN_UP',
    meaning:
      'Who may make an account. The first person may in any case, and owns the first workspace; then whoever is ' +
      'invited (invited), or anybody who can read mail at an address (open), which needs SMTP_URL.',
    form: 'invited, open',
    fallback: 'invited',
    problem: oneOf(['invited', 'open']),
  },
  {
    name: 'SMTP_URL',
    meaning:
      'The mail server for e-mail channels, links that people sign in with, invitations and forgotten passwords.',
    form: 'smtp://user:password@host:587 or smtps://user:password@host:465',
    fallback: 'no mail is sent: people sign in with passwords, and invitations are handed on by whoever invites',
    secret: true,
    problem: (value) =>
      /^smtps?:\/\/./.test(value) && canParse(value) && new URL(value).hostname !== ''
        ? null
        : 'must be an address such as smtp://user:password@host:587',
  },
  {
    name: 'MAIL_FROM',
    meaning: 'The sender of mail.',
    form: 'address, or name and address such as Earshot <earshot@example.com>',
    fallback:
      'Earshot <no-reply@HOST>, with the host of PUBLIC_URL; must be set beside SMTP_URL when that is localhost ' +
      'or an IP address',
    problem: (value) =>
      /^[^\r\n<>]{0,100}<[^\s<>@]{1,64}@[^\s<>@]{1,255}>$|^[^\s<>@]{1,64}@[^\s<>@]{1,255}$/.test(value)
        ? null
        : 'must be an address such as Earshot <earshot@example.com>',
  },
  {
    ...key(
      'EMAIL_HOOK_SECRET',
      'With what the mail provider signs in to PUBLIC_URL/hooks/email, as a bearer token or as the password, to ' +
        'tell of bounces and complaints.',
      'only what the mail server refuses at once is known to bounce',
    ),
    form: '16 characters or more without blanks',
    problem: (value) =>
      /^\S{16,1000}$/.test(value)
        ? null
        : 'must be 16 characters or more without blanks; "openssl rand -hex 32" makes one',
  },
  ...(['GOOGLE', 'GITHUB'] as const).flatMap((provider) => [
    {
      name: `${provider}_CLIENT_ID`,
      meaning:
        `The app at ${provider === 'GOOGLE' ? 'Google' : 'GitHub'} through which people may sign in. Its redirect ` +
        `address is PUBLIC_URL/sign-in/${provider.toLowerCase()}/callback.`,
      form: 'text without blanks',
      fallback: `no sign-in through ${provider === 'GOOGLE' ? 'Google' : 'GitHub'}`,
      problem: keyProblem,
    },
    key(`${provider}_CLIENT_SECRET`, 'The secret of that app.', 'the app is not used'),
  ]),
  key(
    'STRIPE_SECRET_KEY',
    'The key of the Stripe account through which balances are topped up.',
    'nothing can be topped up by payment',
  ),
  key(
    'STRIPE_WEBHOOK_SECRET',
    'What Stripe signs its messages to PUBLIC_URL/hooks/stripe with.',
    'nothing can be topped up by payment',
  ),
  {
    name: 'STRIPE_API_URL',
    meaning: 'Replaces the address of Stripe’s interface; for proxies and tests.',
    form: 'http or https address without a path',
    fallback: 'the real address',
    problem: originProblem,
  },
  {
    name: 'LANGUAGE_MODEL',
    meaning:
      'The interface of a language model that may suggest contexts of keywords and, as CLASSIFIER says, score ' +
      'mentions; it is shown posts. Needs LANGUAGE_MODEL_NAME.',
    form: 'openai (also for any server that speaks it), anthropic',
    fallback: 'no language model is asked',
    problem: oneOf(Object.keys(LANGUAGE_MODEL_URLS)),
  },
  {
    name: 'LANGUAGE_MODEL_URL',
    meaning: 'Where that interface is, with its version; may be an address of this machine or network.',
    form: 'http or https address such as http://localhost:11434/v1',
    fallback: 'that of the provider',
    problem: address(['http:', 'https:']),
  },
  {
    name: 'LANGUAGE_MODEL_NAME',
    meaning: 'The model, as its provider calls it.',
    form: 'text without blanks',
    fallback: 'none',
    problem: keyProblem,
  },
  key('LANGUAGE_MODEL_KEY', 'The key for that interface.', 'asked without a key, as servers of one’s own allow'),
  {
    name: 'LANGUAGE_MODEL_TIMEOUT_SECONDS',
    meaning: 'How long one question to it may take, repeated tries included.',
    form: 'whole number from 1 to 300',
    unit: 'seconds',
    fallback: String(LANGUAGE_MODEL_SECONDS),
    problem: wholeNumber(1, 300),
  },
  ...(['input', 'output'] as const).map((direction) => ({
    name: `LANGUAGE_MODEL_${upperCased(direction)}_USD`,
    meaning:
      `What the model costs for a million tokens that it ${direction === 'input' ? 'reads' : 'writes'}, counted ` +
      'against CLASSIFIER_DAILY_USD_CAP; 0 where it costs nothing.',
    form: 'amount from 0 to 1000, such as 0.15',
    unit: 'dollars',
    fallback: 'no mention is scored by the language model',
    problem: (value: string) => dollarsProblem(value) ?? (Number(value) <= 1000 ? null : 'must be 1000 at most'),
  })),
  {
    name: 'SLACK_CLIENT_ID',
    meaning:
      'The app at Slack through which Slack channels post. Its redirect address is PUBLIC_URL/hooks/slack/oauth.',
    form: 'text without blanks',
    fallback: 'there are no Slack channels',
    problem: keyProblem,
  },
  key('SLACK_CLIENT_SECRET', 'The secret of that app.', 'there are no Slack channels'),
  key(
    'SLACK_SIGNING_SECRET',
    'What Slack signs its messages to PUBLIC_URL/hooks/slack/actions and /hooks/slack/events with.',
    'there are no Slack channels',
  ),
  {
    name: 'SLACK_API_URL',
    meaning:
      'Where the Web API of Slack is; for proxies and tests. Buttons are answered on the same host, and on the ' +
      'one of its name with hooks. before it.',
    form: 'http or https address',
    fallback: SLACK_API_URL,
    problem: address(['http:', 'https:']),
  },
  {
    name: 'SLACK_AUTHORIZE_URL',
    meaning: 'Where people allow the app in their workspace at Slack.',
    form: 'http or https address',
    fallback: '/oauth/v2/authorize on the host of SLACK_API_URL',
    problem: address(['http:', 'https:']),
  },
  {
    name: 'TELEGRAM_BOT_TOKEN',
    meaning: 'The token of the bot, made with @BotFather, through which Telegram channels send.',
    form: 'number, colon and letters, as in 123456789:AbC_d-EfG',
    fallback: 'there are no Telegram channels',
    secret: true,
    problem: (value) =>
      /^\d{1,20}:[A-Za-z0-9_-]{1,200}$/.test(value) ? null : 'must be a token of a bot, such as 123456789:AbC_d-EfG',
  },
  {
    name: 'TELEGRAM_API_URL',
    meaning: 'Where the Bot API is; for a server of one’s own, proxies and tests.',
    form: 'http or https address',
    fallback: TELEGRAM_API_URL,
    problem: address(['http:', 'https:']),
  },
  {
    name: 'TELEGRAM_WEBHOOK_SECRET',
    meaning: 'What Telegram sends along with every message to PUBLIC_URL/hooks/telegram, so that nobody else can.',
    form: '16 to 256 letters, digits, hyphens and underscores',
    fallback: 'derived from the token of the bot',
    secret: true,
    problem: (value) =>
      /^[A-Za-z0-9_-]{16,256}$/.test(value)
        ? null
        : 'must be 16 to 256 letters, digits, hyphens and underscores; "openssl rand -hex 32" makes one',
  },
  {
    name: 'TRUSTED_PROXIES',
    meaning:
      'Proxies whose X-Forwarded-For tells the address of a caller, for the limits on sign-in. Without them the ' +
      'address of the connection counts.',
    form: 'IP addresses or networks such as 10.0.0.0/8, separated by commas',
    fallback: 'none',
    problem: (value) => rangesProblem(listOf(value)),
  },
  {
    name: 'WEBHOOKS_PER_HOST_SECOND',
    meaning:
      'Requests that one host gets in a second from each working process, over all webhooks of all workspaces, ' +
      'which take turns; the others wait, and nothing is lost.',
    form: 'whole number from 1 to 100000',
    fallback: String(WEBHOOKS_PER_HOST_SECOND),
    problem: wholeNumber(1, 100_000),
  },
  {
    name: 'EGRESS_ALLOW',
    meaning:
      'Hosts and networks exempt from the ban on private addresses for webhooks and collectors; plain http is ' +
      'allowed to them.',
    form: 'host names, host:port, IP addresses or networks such as 10.0.0.0/8, separated by commas',
    fallback: 'none',
    problem: egressProblem,
  },
  {
    name: 'OPERATOR_ADDRESSES',
    meaning:
      'From where the metrics may be read at /metrics, judged by the address of the connection. Requests that ' +
      'came through a proxy are refused in any case.',
    form: 'IP addresses or networks such as 10.0.0.0/8, separated by commas, or none',
    fallback:
      `${OPERATORS_AT_HOME}; none when PUBLIC_URL names another host, because a proxy on this machine would look ` +
      'the same',
    problem: operatorProblem,
  },
  {
    name: 'COLLECTOR_USER_AGENT',
    meaning: 'How collectors introduce themselves to the platforms; it should carry a contact address.',
    form: '1 to 200 printable ASCII characters',
    fallback: 'earshot/VERSION',
    problem: (value) => (/^[\x20-\x7e]{1,200}$/.test(value) ? null : 'must be 1 to 200 printable ASCII characters'),
  },
  {
    name: 'COLLECT_THREADS',
    meaning:
      'Threads that read the platforms and match posts beside the main thread, which then only stores them. At ' +
      'most one per platform is used; 0 leaves everything to the main thread.',
    form: 'whole number from 0 to 16',
    fallback: '0',
    problem: wholeNumber(0, 16),
  },
  {
    name: 'CLASSIFY_THREADS',
    meaning:
      'Threads that score mentions beside the main thread. They begin with the first full batch; 0 leaves ' +
      'everything to the main thread.',
    form: 'whole number from 0 to 16',
    fallback: '1',
    problem: wholeNumber(0, 16),
  },
  {
    name: 'BSKY_JETSTREAM_HOSTS',
    meaning: 'The Jetstream servers of Bluesky to follow, in the order in which they are tried.',
    form: 'host names separated by commas',
    fallback: 'all public servers',
    problem: (value) =>
      listOf(value).every((host) => /^[a-z0-9.-]+(:\d{1,5})?$/i.test(host)) && listOf(value).length > 0
        ? null
        : 'must be host names separated by commas',
  },
  ...COLLECTING.map((platform) => ({
    name: `SOURCE_${platform.toUpperCase()}_URL`,
    meaning: `Replaces every host of ${platform} by one address, paths unchanged; for proxies and tests.`,
    form: 'http or https address',
    fallback: 'the real hosts',
    problem: address(['http:', 'https:']),
  })),
  ...POLLED.map(([platform, seconds]) => ({
    name: `SOURCE_${platform.toUpperCase()}_POLL_SECONDS`,
    meaning: `The time between two polls of ${platform}, of one term or page where it is asked for each.`,
    form: 'whole number from 1 to 604800',
    unit: 'seconds',
    fallback: String(seconds),
    problem: wholeNumber(1, 604_800),
  })),
  {
    name: 'SOURCES_OFF',
    meaning: 'Platforms that are not to be collected from.',
    form: 'names of platforms separated by commas',
    fallback: 'none',
    problem: listProblem(COLLECTING),
  },
  ...SOURCE_SETTINGS,
]

/**
 * Reads the environment. Every bad value and every unknown name that begins with EARSHOT_ is named in one StartError;
 * an empty value counts as absent.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  places: { projectDir: string; version: string },
): Settings {
  const given = new Map(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()] as const] : [])),
  )
  const problems = problemsOf(given)
  if (problems.length > 0) throw new StartError(problems.join('\n'))
  const port = Number(given.get('PORT') ?? 4400)
  const publicUrl = new URL(given.get('PUBLIC_URL') ?? `http://localhost:${port}`).origin
  return {
    port,
    host: given.get('EARSHOT_HOST') ?? (insideContainer(given) ? '0.0.0.0' : '127.0.0.1'),
    publicUrl,
    dataDir: resolve(places.projectDir, given.get('DATA_DIR') ?? 'data'),
    databaseUrl: given.get('DATABASE_URL') ?? null,
    secretKey: given.get('EARSHOT_SECRET_KEY') ?? null,
    logLevel: (given.get('EARSHOT_LOG_LEVEL') ?? 'info') as LogLevel,
    billing: (given.get('BILLING') ?? 'metered') as Settings['billing'],
    classifier: (given.get('CLASSIFIER') ?? 'offline') as Settings['classifier'],
    secondLook: secondLookOf(given),
    signUp: (given.get('SIGN_UP') ?? 'invited') as Settings['signUp'],
    mail: given.has('SMTP_URL')
      ? {
          smtpUrl: given.get('SMTP_URL')!,
          from: given.get('MAIL_FROM') ?? `Earshot <no-reply@${new URL(publicUrl).hostname}>`,
        }
      : null,
    emailHookSecret: given.get('EMAIL_HOOK_SECRET') ?? null,
    signInApps: { google: appOf(given, 'GOOGLE'), github: appOf(given, 'GITHUB') },
    stripe: stripeOf(given),
    languageModel: languageModelOf(given),
    slack: slackOf(given),
    telegram: telegramOf(given),
    trustedProxies: listOf(given.get('TRUSTED_PROXIES') ?? ''),
    webhooksPerHostSecond: Number(given.get('WEBHOOKS_PER_HOST_SECOND') ?? WEBHOOKS_PER_HOST_SECOND),
    egressAllow: egressAllowFrom(given.get('EGRESS_ALLOW') ?? ''),
    operatorAddresses: operatorsFrom(
      given.get('OPERATOR_ADDRESSES') ?? (isOfThisMachine(publicUrl) ? OPERATORS_AT_HOME : 'none'),
    ),
    userAgent: given.get('COLLECTOR_USER_AGENT') ?? `earshot/${places.version}`,
    collectThreads: Number(given.get('COLLECT_THREADS') ?? 0),
    classifyThreads: Number(given.get('CLASSIFY_THREADS') ?? 1),
    jetstreamHosts: given.has('BSKY_JETSTREAM_HOSTS') ? listOf(given.get('BSKY_JETSTREAM_HOSTS')!) : null,
    sourceUrls: new Map(
      COLLECTING.flatMap((platform) => pairOf(platform, given.get(`SOURCE_${platform.toUpperCase()}_URL`))),
    ),
    sourcePollSeconds: new Map(
      POLLED.flatMap(([platform]) => pairOf(platform, given.get(`SOURCE_${platform.toUpperCase()}_POLL_SECONDS`))).map(
        ([platform, value]) => [platform, Number(value)],
      ),
    ),
    sourcesOff: listOf(given.get('SOURCES_OFF') ?? ''),
    sourceSettings: new Map(SOURCE_SETTINGS.flatMap(({ name }) => pairOf(name, given.get(name)))),
  }
}

/** The settings in force for an operator to read: name, value (secrets hidden) and where it comes from. */
export function describeSettings(
  environment: Readonly<Record<string, string | undefined>>,
): { name: string; value: string; set: boolean }[] {
  return SETTINGS.map(({ name, fallback, secret }) => {
    const value = environment[name]?.trim()
    return { name, value: value ? (secret ? '(set, hidden)' : value) : fallback, set: Boolean(value) }
  })
}

/** The table as a page of the documentation. */
export function renderSettings(): string {
  const rows = SETTINGS.map(
    ({ name, meaning, form, unit, fallback }) =>
      `| \`${name}\` | ${meaning} | ${form}${unit ? ` (${unit})` : ''} | ${fallback} |`,
  )
  return [
    '# Settings',
    '',
    'Settings are read from the environment when the service starts. An empty value counts as absent. A bad ' +
      'value, and any',
    'unknown name that begins with `EARSHOT_`, stops the start with a line that names it. `earshot doctor` shows ' +
      'what is in force.',
    '',
    '| Name | Meaning | Form | When absent |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

/** Read by the commands that are clients of an installation; it may stand in the environment of a service too. */
const CLIENT_KEY = 'EARSHOT_API_KEY'

function problemsOf(given: ReadonlyMap<string, string>): string[] {
  const bad = SETTINGS.flatMap(({ name, problem }) => {
    const value = given.get(name)
    const complaint = value === undefined ? null : problem(value)
    return complaint ? [`${name}: ${complaint}`] : []
  })
  const known = new Set(SETTINGS.map(({ name }) => name))
  const unknown = [...given.keys()]
    .filter((name) => name.startsWith('EARSHOT_') && !known.has(name) && name !== CLIENT_KEY)
    .map((name) => `${name}: there is no setting of this name`)
  return [...bad, ...unknown, ...combinationProblems(given)]
}

/** Settings that make sense only together. */
function combinationProblems(given: ReadonlyMap<string, string>): string[] {
  const halves = ['GOOGLE', 'GITHUB'].flatMap((provider) => {
    const [id, secret] = [`${provider}_CLIENT_ID`, `${provider}_CLIENT_SECRET`]
    if (given.has(id!) === given.has(secret!)) return []
    return given.has(id!) ? [`${secret}: is missing beside ${id}`] : [`${id}: is missing beside ${secret}`]
  })
  const [stripeKey, stripeMessages] = [given.has('STRIPE_SECRET_KEY'), given.has('STRIPE_WEBHOOK_SECRET')]
  if (stripeKey && !stripeMessages)
    halves.push(
      'STRIPE_WEBHOOK_SECRET: is missing beside STRIPE_SECRET_KEY, and without it no payment would be credited',
    )
  if (stripeMessages && !stripeKey) halves.push('STRIPE_SECRET_KEY: is missing beside STRIPE_WEBHOOK_SECRET')
  const slackGiven = SLACK_APP.find((name) => given.has(name))
  if (slackGiven !== undefined)
    for (const name of SLACK_APP) if (!given.has(name)) halves.push(`${name}: is missing beside ${slackGiven}`)
  const [modelKind, modelName] = [given.has('LANGUAGE_MODEL'), given.has('LANGUAGE_MODEL_NAME')]
  if (modelKind && !modelName) halves.push('LANGUAGE_MODEL_NAME: is missing beside LANGUAGE_MODEL')
  if (modelName && !modelKind) halves.push('LANGUAGE_MODEL: is missing beside LANGUAGE_MODEL_NAME')
  if (asksModel(given))
    for (const name of ['LANGUAGE_MODEL', ...LANGUAGE_MODEL_PRICES])
      if (!given.has(name)) halves.push(`${name}: is missing beside CLASSIFIER=${given.get('CLASSIFIER')}`)
  const unproven = given.get('SIGN_UP') === 'open' && !given.has('SMTP_URL')
  if (unproven)
    halves.push('SIGN_UP: open needs SMTP_URL, because an address is shown to be somebody’s by a mail to it')
  const senderless =
    given.has('SMTP_URL') && !given.has('MAIL_FROM') && !hasMailDomain(given.get('PUBLIC_URL') ?? 'http://localhost')
  if (senderless)
    halves.push(
      'MAIL_FROM: must be set beside SMTP_URL, because no mail server takes a sender at the host of PUBLIC_URL',
    )
  return halves
}

/**
 * Whether senders could have their addresses at the host of an address; one that cannot be read is complained of
 * elsewhere.
 */
function hasMailDomain(origin: string): boolean {
  if (!canParse(origin)) return true
  const { hostname } = new URL(origin)
  return !/^((.+\.)?localhost|[\d.]+|\[.*\])\.?$/.test(hostname)
}

function languageModelOf(given: ReadonlyMap<string, string>): Settings['languageModel'] {
  const [provider, model] = [given.get('LANGUAGE_MODEL'), given.get('LANGUAGE_MODEL_NAME')]
  if (provider === undefined || model === undefined) return null
  return {
    provider: provider as keyof typeof LANGUAGE_MODEL_URLS,
    url: (given.get('LANGUAGE_MODEL_URL') ?? LANGUAGE_MODEL_URLS[provider as keyof typeof LANGUAGE_MODEL_URLS]).replace(
      /\/+$/,
      '',
    ),
    key: given.get('LANGUAGE_MODEL_KEY') ?? null,
    model,
    timeoutSeconds: Number(given.get('LANGUAGE_MODEL_TIMEOUT_SECONDS') ?? LANGUAGE_MODEL_SECONDS),
  }
}

function asksModel(given: ReadonlyMap<string, string>): boolean {
  return ASKING_CLASSIFIERS.includes(given.get('CLASSIFIER') ?? 'offline')
}

function secondLookOf(given: ReadonlyMap<string, string>): Settings['secondLook'] {
  if (!asksModel(given)) return null
  const [input, output] = LANGUAGE_MODEL_PRICES.map((name) => microUsd(given.get(name)!))
  return {
    dailyMicroUsd: microUsd(given.get('CLASSIFIER_DAILY_USD_CAP') ?? SECOND_LOOK_DEFAULTS.dailyUsd),
    callsAtOnce: Number(given.get('CLASSIFIER_CALLS_AT_ONCE') ?? SECOND_LOOK_DEFAULTS.callsAtOnce),
    sureFrom: Number(given.get('CLASSIFIER_SURE_FROM') ?? SECOND_LOOK_DEFAULTS.sureFrom),
    prices: { input: input!, output: output! },
  }
}

/** An amount of dollars in millionths of one. */
function microUsd(dollars: string): number {
  return Math.round(Number(dollars) * 1_000_000)
}

function stripeOf(given: ReadonlyMap<string, string>): Settings['stripe'] {
  const [secretKey, webhookSecret] = [given.get('STRIPE_SECRET_KEY'), given.get('STRIPE_WEBHOOK_SECRET')]
  if (secretKey === undefined || webhookSecret === undefined) return null
  return { secretKey, webhookSecret, apiUrl: given.get('STRIPE_API_URL') ?? null }
}

function slackOf(given: ReadonlyMap<string, string>): Settings['slack'] {
  const [clientId, clientSecret, signingSecret] = SLACK_APP.map((name) => given.get(name))
  if (clientId === undefined || clientSecret === undefined || signingSecret === undefined) return null
  const apiUrl = `${(given.get('SLACK_API_URL') ?? SLACK_API_URL).replace(/\/+$/, '')}/`
  return {
    clientId,
    clientSecret,
    signingSecret,
    apiUrl,
    authorizeUrl: given.get('SLACK_AUTHORIZE_URL') ?? new URL('/oauth/v2/authorize', apiUrl).href,
  }
}

function telegramOf(given: ReadonlyMap<string, string>): Settings['telegram'] {
  const token = given.get('TELEGRAM_BOT_TOKEN')
  if (token === undefined) return null
  const apiUrl = (given.get('TELEGRAM_API_URL') ?? TELEGRAM_API_URL).replace(/\/+$/, '')
  return { token, apiUrl, webhookSecret: given.get('TELEGRAM_WEBHOOK_SECRET') ?? null }
}

function appOf(
  given: ReadonlyMap<string, string>,
  provider: 'GOOGLE' | 'GITHUB',
): { id: string; secret: string } | null {
  const [id, secret] = [given.get(`${provider}_CLIENT_ID`), given.get(`${provider}_CLIENT_SECRET`)]
  return id === undefined || secret === undefined ? null : { id, secret }
}

/** The entries of a list that is separated by commas. */
export function listOf(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

function pairOf(platform: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[platform, value]]
}

/** A container forwards its ports to an address of its own, so listening on loopback would be listening to nobody. */
function insideContainer(given: ReadonlyMap<string, string>): boolean {
  return given.has('KUBERNETES_SERVICE_HOST') || existsSync('/.dockerenv') || existsSync('/run/.containerenv')
}
