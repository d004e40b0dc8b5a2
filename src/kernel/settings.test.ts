import { describe, expect, test } from 'vitest'
import { PLATFORMS } from '../domain/platform/platforms.ts'
import { describeSettings, readSettings, renderSettings, SETTINGS } from './settings.ts'
import { StartError } from './start-error.ts'

const PLACES = { projectDir: '/srv/earshot', version: '1.2.3' }
const KEY = 'ab'.repeat(32)

const KEYS = [
  'BSKY_APP_PASSWORD',
  'GITHUB_TOKEN',
  'STACKEXCHANGE_KEY',
  'DEVTO_API_KEY',
  'REDDIT_CLIENT_ID',
  'REDDIT_CLIENT_SECRET',
  'X_BEARER_TOKEN',
  'YOUTUBE_API_KEY',
  'SCRAPECREATORS_API_KEY',
  'APIFY_TOKEN',
  'TRUSTPILOT_API_KEY',
  'GOOGLE_MAPS_API_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SLACK_CLIENT_ID',
  'SLACK_CLIENT_SECRET',
  'SLACK_SIGNING_SECRET',
  'LANGUAGE_MODEL_KEY',
  'LANGUAGE_MODEL_NAME',
]

/** The same cases for a family of settings, whose names have the platform's or their own name for the star. */
function casesFor(
  names: readonly string[],
  pattern: string,
  cases: { good: string[]; bad: string[] },
): Record<string, { good: string[]; bad: string[] }> {
  return Object.fromEntries(names.map((name) => [pattern.replace('*', name.toUpperCase()), cases]))
}

/** For each setting: values that count and values that stop the start. */
const CASES: Record<string, { good: string[]; bad: string[] }> = {
  PORT: { good: ['1', '4400', '65535', ' 8080 '], bad: ['0', '65536', '-1', '80.5', 'http', '1e3', '9999999999'] },
  EARSHOT_HOST: { good: ['0.0.0.0', '::1', 'node-1.internal'], bad: ['a b', 'host/path', 'x'.repeat(254)] },
  PUBLIC_URL: {
    good: ['https://earshot.example', 'http://localhost:1/'],
    bad: ['earshot.example', 'ftp://x', 'https://x/path', 'https://x/?q=1', 'https://u@x', 'https://x#y'],
  },
  DATA_DIR: { good: ['/var/lib/earshot', 'here'], bad: [] },
  DATABASE_URL: {
    good: ['postgres://u:p@h:5432/d', 'postgresql://h/d'],
    bad: ['mysql://h/d', 'h:5432', 'postgres://'],
  },
  EARSHOT_SECRET_KEY: { good: [KEY, Buffer.from(KEY, 'hex').toString('base64')], bad: ['short', 'zz'.repeat(32)] },
  EARSHOT_LOG_LEVEL: { good: ['trace', 'silent'], bad: ['INFO', 'verbose'] },
  BILLING: { good: ['metered', 'unmetered'], bad: ['off', 'Metered'] },
  CLASSIFIER: { good: ['offline', 'hybrid', 'model'], bad: ['magic', 'Hybrid'] },
  CLASSIFIER_SURE_FROM: { good: ['0', '0.5', '0.65', '1', '1.00'], bad: ['1.1', '-0.1', '60', '0.655', 'high'] },
  CLASSIFIER_DAILY_USD_CAP: { good: ['0', '2', '0.5'], bad: ['-1', '$2', '1e3'] },
  CLASSIFIER_CALLS_AT_ONCE: { good: ['1', '8'], bad: ['0', '9', '1.5'] },
  SIGN_UP: { good: ['invited', 'open'], bad: ['closed', 'Open'] },
  SMTP_URL: {
    good: ['smtp://u:p@mail.example:587', 'smtps://mail.example'],
    bad: ['mail.example', 'http://mail.example', 'smtp://'],
  },
  MAIL_FROM: {
    good: ['earshot@example.com', 'Earshot <earshot@example.com>'],
    bad: ['Earshot', 'a@b@c', 'a@b\nBcc: c@d', '<a@b> c'],
  },
  ...casesFor(['google', 'github'], '*_CLIENT_ID', { good: ['abc-123'], bad: ['a b'] }),
  ...casesFor(['google', 'github'], '*_CLIENT_SECRET', { good: ['abc-123'], bad: ['a b'] }),
  TRUSTED_PROXIES: { good: ['10.0.0.0/8, ::1'], bad: ['localhost', '10.0.0.0/33'] },
  EGRESS_ALLOW: { good: ['10.0.0.0/8', 'receiver.internal, 127.0.0.1'], bad: ['10.0.0.0/99', 'http://x y'] },
  OPERATOR_ADDRESSES: {
    good: ['none', '10.0.0.0/8, ::1', '192.168.1.7', 'fd00::/8'],
    bad: ['localhost', '10.0.0.0/33', '10.0.0', '[::1]', '1.2.3.4:80', 'none, ::1', ','],
  },
  COLLECTOR_USER_AGENT: { good: ['acme-bot (ops@acme.example)'], bad: ['naïve', 'x'.repeat(201), 'a\nb'] },
  COLLECT_THREADS: { good: ['0', '16'], bad: ['17', '-1', 'all'] },
  CLASSIFY_THREADS: { good: ['0', '16'], bad: ['17', '-1', 'all'] },
  BSKY_JETSTREAM_HOSTS: {
    good: ['one.example', 'one.example, two.example:443'],
    bad: ['wss://one.example', 'a b', ','],
  },
  ...casesFor(PLATFORMS, 'SOURCE_*_URL', {
    good: ['http://127.0.0.1:9000'],
    bad: ['127.0.0.1', 'ws://x', 'http://x/?a'],
  }),
  ...casesFor(
    PLATFORMS.filter((platform) => platform !== 'bluesky'),
    'SOURCE_*_POLL_SECONDS',
    { good: ['1', '604800'], bad: ['0', '604801', '1.5'] },
  ),
  STRIPE_API_URL: {
    good: ['http://localhost:4900', 'https://proxy.example'],
    bad: ['stripe.example', 'ftp://x', 'https://proxy.example/v1'],
  },
  ...casesFor(['api', 'authorize'], 'SLACK_*_URL', {
    good: ['http://localhost:4900/slack/api', 'https://slack.example/'],
    bad: ['slack.example', 'ftp://x', 'https://u@x', 'https://x/?a'],
  }),
  TELEGRAM_BOT_TOKEN: { good: ['123456789:AbC_d-EfG'], bad: ['123456789', 'bot123:abc', '1:a b', '1:a/b'] },
  TELEGRAM_API_URL: {
    good: ['http://localhost:8081', 'https://proxy.example/telegram'],
    bad: ['api.telegram.org', 'ftp://x', 'https://u@x', 'https://x/?a'],
  },
  TELEGRAM_WEBHOOK_SECRET: {
    good: ['0123456789abcdef', 'Ab_c-9_Ab_c-9_Ab'],
    bad: ['a', '0123456789abcde', 'a b', 'ä', 'x'.repeat(257)],
  },
  EMAIL_HOOK_SECRET: { good: ['0123456789abcdef', 'ä'.repeat(16)], bad: ['a', '0123456789abcde', 'a b'.repeat(9)] },
  LANGUAGE_MODEL: { good: ['openai', 'anthropic'], bad: ['OpenAI', 'llama'] },
  LANGUAGE_MODEL_URL: {
    good: ['http://localhost:11434/v1', 'https://models.example/v1/'],
    bad: ['localhost:11434', 'ftp://x', 'https://u@x/v1', 'https://x/v1?a'],
  },
  ...casesFor(['input', 'output'], 'LANGUAGE_MODEL_*_USD', {
    good: ['0', '0.15', '1000'],
    bad: ['-1', '$1', '1000.01', 'free'],
  }),
  LANGUAGE_MODEL_TIMEOUT_SECONDS: { good: ['1', '300'], bad: ['0', '301', '1.5'] },
  SOURCES_OFF: { good: ['x', 'x, tiktok,googlemaps'], bad: ['twitter', ',', 'x y'] },
  BSKY_HANDLE: { good: ['name.bsky.social'], bad: ['@name', 'a b'] },
  ...casesFor(KEYS, '*', { good: ['abc-123_/+='], bad: ['a b', 'naïve', 'x'.repeat(501)] }),
  REDDIT_ROUTE: { good: ['oauth', 'provider', 'atom', 'off'], bad: ['json'] },
  REDDIT_USER_AGENT: { good: ['server:acme:1.0 (by /u/example)'], bad: ['a\nb'] },
  ...casesFor(['x', 'reddit', 'linkedin', 'tiktok', 'instagram', 'googlemaps'], '*_DAILY_USD_CAP', {
    good: ['0', '2', '0.5'],
    bad: ['-1', '$2', '1e3'],
  }),
  WEBHOOKS_PER_HOST_SECOND: { good: ['1', '1000'], bad: ['0', 'none'] },
  YOUTUBE_SEARCH_CALLS_PER_DAY: { good: ['1', '10000'], bad: ['0', '1.5'] },
  NEWS_SOURCES: { good: ['gdelt', 'gdelt, googlenews,bing'], bad: ['yahoo', ','] },
  NEWS_EDITIONS: { good: ['en-US:US', 'de:DE, fr:FR'], bad: ['en', 'en:usa', ','] },
  SCRAPECREATORS_CREDIT_USD: { good: ['0.002'], bad: ['free'] },
  ...casesFor(['linkedin', 'tiktok', 'instagram'], '*_PROVIDER', {
    good: ['scrapecreators', 'apify', 'off'],
    bad: ['none'],
  }),
  GOOGLEMAPS_PROVIDER: { good: ['apify', 'off'], bad: ['scrapecreators'] },
  ...casesFor(['linkedin', 'tiktok', 'instagram', 'googlemaps'], '*_APIFY_ACTOR', {
    good: ['user/actor', 'user~actor'],
    bad: ['actor', 'a b/c', 'https://x/y'],
  }),
}

/** What has to be there too for a setting to make sense. */
const BESIDE: Readonly<Record<string, Record<string, string>>> = {
  SIGN_UP: { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@b.example' },
  SMTP_URL: { MAIL_FROM: 'a@b.example' },
  STRIPE_SECRET_KEY: { STRIPE_WEBHOOK_SECRET: 'whsec_x' },
  STRIPE_WEBHOOK_SECRET: { STRIPE_SECRET_KEY: 'sk_x' },
  SLACK_CLIENT_ID: { SLACK_CLIENT_SECRET: 'x', SLACK_SIGNING_SECRET: 'y' },
  SLACK_CLIENT_SECRET: { SLACK_CLIENT_ID: 'x', SLACK_SIGNING_SECRET: 'y' },
  SLACK_SIGNING_SECRET: { SLACK_CLIENT_ID: 'x', SLACK_CLIENT_SECRET: 'y' },
  LANGUAGE_MODEL: { LANGUAGE_MODEL_NAME: 'small' },
  CLASSIFIER: {
    LANGUAGE_MODEL: 'openai',
    LANGUAGE_MODEL_NAME: 'small',
    LANGUAGE_MODEL_INPUT_USD: '0',
    LANGUAGE_MODEL_OUTPUT_USD: '0',
  },
  LANGUAGE_MODEL_NAME: { LANGUAGE_MODEL: 'openai' },
  GOOGLE_CLIENT_ID: { GOOGLE_CLIENT_SECRET: 'x' },
  GOOGLE_CLIENT_SECRET: { GOOGLE_CLIENT_ID: 'x' },
  GITHUB_CLIENT_ID: { GITHUB_CLIENT_SECRET: 'x' },
  GITHUB_CLIENT_SECRET: { GITHUB_CLIENT_ID: 'x' },
}

test('every setting has its cases here', () => {
  expect(SETTINGS.map(({ name }) => name).sort()).toEqual(Object.keys(CASES).sort())
})

describe.each(Object.entries(CASES))('%s', (name, { good, bad }) => {
  test.each(good)('may be %j', (value) => {
    expect(() => readSettings({ ...BESIDE[name], [name]: value }, PLACES)).not.toThrow()
  })

  if (bad.length > 0)
    test.each(bad)('may not be %j, and the error names it', (value) => {
      expect(() => readSettings({ [name]: value }, PLACES)).toThrow(StartError)
      expect(() => readSettings({ [name]: value }, PLACES)).toThrow(new RegExp(`^${name}: `))
    })

  test.each(['', '   '])('counts as absent when it is %j', (value) => {
    expect(readSettings({ [name]: value }, PLACES)).toEqual(readSettings({}, PLACES))
  })
})

test('nothing set gives a service for this machine', () => {
  const { host, ...others } = readSettings({}, PLACES)
  expect(['127.0.0.1', '0.0.0.0']).toContain(host)
  expect(others).toEqual({
    port: 4400,
    publicUrl: 'http://localhost:4400',
    dataDir: '/srv/earshot/data',
    databaseUrl: null,
    secretKey: null,
    logLevel: 'info',
    billing: 'metered',
    classifier: 'offline',
    secondLook: null,
    signUp: 'invited',
    mail: null,
    emailHookSecret: null,
    signInApps: { google: null, github: null },
    stripe: null,
    languageModel: null,
    slack: null,
    telegram: null,
    trustedProxies: [],
    webhooksPerHostSecond: 100,
    egressAllow: [],
    operatorAddresses: ['127.0.0.0/8', '::1'],
    userAgent: 'earshot/1.2.3',
    collectThreads: 0,
    classifyThreads: 1,
    jetstreamHosts: null,
    sourceUrls: new Map(),
    sourcePollSeconds: new Map(),
    sourcesOff: [],
    sourceSettings: new Map(),
  })
})

test('everything set is taken as it is', () => {
  const settings = readSettings(
    {
      PORT: '8080',
      EARSHOT_HOST: '::1',
      PUBLIC_URL: 'https://earshot.example/',
      DATA_DIR: '/var/lib/earshot',
      DATABASE_URL: 'postgres://u:p@h/d',
      EARSHOT_SECRET_KEY: KEY,
      EARSHOT_LOG_LEVEL: 'warn',
      BILLING: 'unmetered',
      CLASSIFIER: 'hybrid',
      CLASSIFIER_SURE_FROM: '0.75',
      CLASSIFIER_DAILY_USD_CAP: '2.5',
      CLASSIFIER_CALLS_AT_ONCE: '2',
      SIGN_UP: 'open',
      SMTP_URL: 'smtp://u:p@mail.example:587',
      EMAIL_HOOK_SECRET: 'what-the-provider-says',
      MAIL_FROM: 'Earshot <earshot@mail.example>',
      GOOGLE_CLIENT_ID: 'id',
      GOOGLE_CLIENT_SECRET: 'secret',
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      STRIPE_API_URL: 'http://127.0.0.1:4900',
      SLACK_CLIENT_ID: '12.34',
      SLACK_CLIENT_SECRET: 'app-secret',
      SLACK_SIGNING_SECRET: 'signing',
      SLACK_API_URL: 'http://127.0.0.1:4900/slack/api',
      TELEGRAM_BOT_TOKEN: '123:abc',
      TELEGRAM_API_URL: 'http://127.0.0.1:8081/bots/',
      TELEGRAM_WEBHOOK_SECRET: 'what-is-said-along',
      LANGUAGE_MODEL: 'openai',
      LANGUAGE_MODEL_URL: 'http://127.0.0.1:11434/v1/',
      LANGUAGE_MODEL_NAME: 'small',
      LANGUAGE_MODEL_KEY: 'model-key',
      LANGUAGE_MODEL_TIMEOUT_SECONDS: '5',
      LANGUAGE_MODEL_INPUT_USD: '0.15',
      LANGUAGE_MODEL_OUTPUT_USD: '0.6',
      TRUSTED_PROXIES: '10.0.0.1, fd00::/8',
      EGRESS_ALLOW: '10.0.0.0/8, receiver.internal',
      OPERATOR_ADDRESSES: '10.1.0.0/16,192.168.1.7',
      COLLECTOR_USER_AGENT: 'acme-bot',
      COLLECT_THREADS: '4',
      CLASSIFY_THREADS: '2',
      BSKY_JETSTREAM_HOSTS: 'one.example, two.example',
      SOURCE_BLUESKY_URL: 'http://127.0.0.1:1',
      SOURCE_HACKERNEWS_URL: 'http://127.0.0.1:2',
      SOURCE_HACKERNEWS_POLL_SECONDS: '5',
      SOURCES_OFF: 'x, news',
      GITHUB_TOKEN: 'abc',
      X_DAILY_USD_CAP: '5',
      HOME: '/root',
    },
    PLACES,
  )
  expect(settings).toEqual({
    port: 8080,
    host: '::1',
    publicUrl: 'https://earshot.example',
    dataDir: '/var/lib/earshot',
    databaseUrl: 'postgres://u:p@h/d',
    secretKey: KEY,
    logLevel: 'warn',
    billing: 'unmetered',
    classifier: 'hybrid',
    secondLook: {
      dailyMicroUsd: 2_500_000,
      callsAtOnce: 2,
      sureFrom: 0.75,
      prices: { input: 150_000, output: 600_000 },
    },
    signUp: 'open',
    mail: { smtpUrl: 'smtp://u:p@mail.example:587', from: 'Earshot <earshot@mail.example>' },
    emailHookSecret: 'what-the-provider-says',
    signInApps: { google: { id: 'id', secret: 'secret' }, github: null },
    stripe: { secretKey: 'sk_test_x', webhookSecret: 'whsec_x', apiUrl: 'http://127.0.0.1:4900' },
    languageModel: {
      provider: 'openai',
      url: 'http://127.0.0.1:11434/v1',
      key: 'model-key',
      model: 'small',
      timeoutSeconds: 5,
    },
    slack: {
      clientId: '12.34',
      clientSecret: 'app-secret',
      signingSecret: 'signing',
      apiUrl: 'http://127.0.0.1:4900/slack/api/',
      authorizeUrl: 'http://127.0.0.1:4900/oauth/v2/authorize',
    },
    telegram: { token: '123:abc', apiUrl: 'http://127.0.0.1:8081/bots', webhookSecret: 'what-is-said-along' },
    trustedProxies: ['10.0.0.1', 'fd00::/8'],
    webhooksPerHostSecond: 100,
    egressAllow: ['10.0.0.0/8', 'receiver.internal'],
    operatorAddresses: ['10.1.0.0/16', '192.168.1.7'],
    userAgent: 'acme-bot',
    collectThreads: 4,
    classifyThreads: 2,
    jetstreamHosts: ['one.example', 'two.example'],
    sourceUrls: new Map([
      ['bluesky', 'http://127.0.0.1:1'],
      ['hackernews', 'http://127.0.0.1:2'],
    ]),
    sourcePollSeconds: new Map([['hackernews', 5]]),
    sourcesOff: ['x', 'news'],
    sourceSettings: new Map([
      ['GITHUB_TOKEN', 'abc'],
      ['X_DAILY_USD_CAP', '5'],
    ]),
  })
})

test('mail comes from the host of the installation unless told otherwise', () => {
  const { mail } = readSettings({ SMTP_URL: 'smtp://mail.example', PUBLIC_URL: 'https://listen.example:8443' }, PLACES)
  expect(mail?.from).toBe('Earshot <no-reply@listen.example>')
})

test.each([
  undefined,
  'http://localhost:4400',
  'https://ears.localhost',
  'http://192.168.1.7:4400',
  'https://203.0.113.9',
  'http://[2001:db8::1]',
  'http://127.1',
])('mail of an installation at %s needs a sender, because nobody could have an address there', (publicUrl) => {
  const environment = { SMTP_URL: 'smtp://mail.example', ...(publicUrl === undefined ? {} : { PUBLIC_URL: publicUrl }) }
  expect(() => readSettings(environment, PLACES)).toThrow(/^MAIL_FROM: must be set beside SMTP_URL/)
  expect(readSettings({ ...environment, MAIL_FROM: 'ears@listen.example' }, PLACES).mail?.from).toBe(
    'ears@listen.example',
  )
})

test.each([
  [{ SIGN_UP: 'open' }, 'SIGN_UP: open needs SMTP_URL'],
  [{ LANGUAGE_MODEL: 'openai' }, 'LANGUAGE_MODEL_NAME: is missing beside LANGUAGE_MODEL'],
  [{ CLASSIFIER: 'hybrid' }, 'LANGUAGE_MODEL: is missing beside CLASSIFIER=hybrid'],
  [
    { CLASSIFIER: 'model', LANGUAGE_MODEL: 'openai', LANGUAGE_MODEL_NAME: 'x' },
    'LANGUAGE_MODEL_INPUT_USD: is missing beside CLASSIFIER=model',
  ],
  [{ LANGUAGE_MODEL_NAME: 'small' }, 'LANGUAGE_MODEL: is missing beside LANGUAGE_MODEL_NAME'],
  [{ STRIPE_SECRET_KEY: 'x' }, 'STRIPE_WEBHOOK_SECRET: is missing beside STRIPE_SECRET_KEY'],
  [{ SLACK_CLIENT_ID: 'x', SLACK_SIGNING_SECRET: 'y' }, 'SLACK_CLIENT_SECRET: is missing beside SLACK_CLIENT_ID'],
  [{ SLACK_CLIENT_SECRET: 'x', SLACK_SIGNING_SECRET: 'y' }, 'SLACK_CLIENT_ID: is missing beside SLACK_CLIENT_SECRET'],
  [{ STRIPE_WEBHOOK_SECRET: 'x' }, 'STRIPE_SECRET_KEY: is missing beside STRIPE_WEBHOOK_SECRET'],
  [{ GOOGLE_CLIENT_ID: 'x' }, 'GOOGLE_CLIENT_SECRET: is missing beside GOOGLE_CLIENT_ID'],
  [{ GITHUB_CLIENT_SECRET: 'x' }, 'GITHUB_CLIENT_ID: is missing beside GITHUB_CLIENT_SECRET'],
])('%j is half of something', (environment, problem) => {
  expect(() => readSettings(environment, PLACES)).toThrow(problem)
})

test('a second look costs a dollar a day at most unless told otherwise', () => {
  const prices = {
    LANGUAGE_MODEL: 'anthropic',
    LANGUAGE_MODEL_NAME: 'small',
    LANGUAGE_MODEL_INPUT_USD: '1',
    LANGUAGE_MODEL_OUTPUT_USD: '5',
  }
  expect(readSettings({ CLASSIFIER: 'model', ...prices }, PLACES).secondLook).toEqual({
    dailyMicroUsd: 1_000_000,
    callsAtOnce: 4,
    sureFrom: 0.6,
    prices: { input: 1_000_000, output: 5_000_000 },
  })
  expect(readSettings(prices, PLACES).secondLook).toBeNull()
})

test('nobody is an operator when there is none', () => {
  expect(readSettings({ OPERATOR_ADDRESSES: 'none' }, PLACES).operatorAddresses).toEqual([])
})

test('where callers come from elsewhere a proxy may stand in between, so the machine itself has to be named', () => {
  expect(readSettings({ PUBLIC_URL: 'https://listen.example' }, PLACES).operatorAddresses).toEqual([])
  expect(
    readSettings({ PUBLIC_URL: 'https://listen.example', OPERATOR_ADDRESSES: '127.0.0.1' }, PLACES).operatorAddresses,
  ).toEqual(['127.0.0.1'])
  expect(readSettings({ PUBLIC_URL: 'http://127.0.0.1:8080' }, PLACES).operatorAddresses).toEqual([
    '127.0.0.0/8',
    '::1',
  ])
})

test('the public address follows the port', () => {
  expect(readSettings({ PORT: '9000' }, PLACES).publicUrl).toBe('http://localhost:9000')
})

test('a container listens on every interface', () => {
  expect(readSettings({ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, PLACES).host).toBe('0.0.0.0')
})

test('all problems are named at once, unknown names of our own among them', () => {
  let message = ''
  try {
    readSettings({ PORT: 'x', BILLING: 'x', EARSHOT_LOG_LEVLE: 'info', UNRELATED: 'x' }, PLACES)
  } catch (error) {
    message = (error as Error).message
  }
  expect(message.split('\n').map((line) => line.split(':')[0])).toEqual(['PORT', 'BILLING', 'EARSHOT_LOG_LEVLE'])
})

test('a problem does not repeat a secret', () => {
  for (const { name } of SETTINGS.filter(({ secret }) => secret))
    expect(() => readSettings({ [name]: 'hush hush' }, PLACES)).toThrow(/^(?!.*hush)/s)
})

describe('what an operator is shown', () => {
  test('holds every setting in force and no secret', () => {
    const shown = describeSettings({
      PORT: '9',
      DATABASE_URL: 'postgres://u:hush@h/d',
      EARSHOT_SECRET_KEY: KEY,
      BILLING: ' ',
    })
    expect(shown.map(({ name }) => name)).toEqual(SETTINGS.map(({ name }) => name))
    expect(shown.find(({ name }) => name === 'PORT')).toEqual({ name: 'PORT', value: '9', set: true })
    expect(shown.find(({ name }) => name === 'BILLING')).toEqual({ name: 'BILLING', value: 'metered', set: false })
    expect(shown.find(({ name }) => name === 'DATABASE_URL')).toEqual({
      name: 'DATABASE_URL',
      value: '(set, hidden)',
      set: true,
    })
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`hush|${KEY}`))
  })

  test('is a table with a row for each setting', () => {
    const rows = renderSettings()
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    expect(rows.map((row) => row.split('`')[1])).toEqual(SETTINGS.map(({ name }) => name))
    for (const row of rows) expect(row.split('|')).toHaveLength(6)
  })
})
