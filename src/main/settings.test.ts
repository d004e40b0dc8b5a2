import { describe, expect, test } from 'vitest'
import { publicKeyOn } from '../../test/stand-ins/mail-providers.ts'
import { describeSettings, readSettings, renderSettings, SETTINGS } from './settings.ts'

const PLACES = { projectDir: '/srv/earshot', version: '1.2.3' }
const KEY = 'ab'.repeat(32)
const SENDGRID_KEY = publicKeyOn('prime256v1')
const NAMES = Object.keys(SETTINGS)

/** What counts for single platforms where nothing is set. */
const PLATFORM_DEFAULTS = {
  MASTODON_STREAM: 'https://fedi.buzz',
  MASTODON_SERVERS: ['mastodon.social'],
  MASTODON_HONOUR_NOINDEX: 'on',
  YOUTUBE_SEARCH_CALLS_PER_DAY: 100,
  YOUTUBE_COMMENT_UNITS_PER_DAY: 5000,
  LEMMY_SERVERS: ['lemmy.world'],
  NEWS_SOURCES: ['gdelt'],
  NEWS_EDITIONS: [{ language: 'en-US', country: 'US' }],
  SCRAPECREATORS_CREDIT_USD: 2000,
  REDDIT_DAILY_USD_CAP: 2_000_000,
  X_DAILY_USD_CAP: 5_000_000,
  LINKEDIN_DAILY_USD_CAP: 2_000_000,
  TIKTOK_DAILY_USD_CAP: 2_000_000,
  INSTAGRAM_DAILY_USD_CAP: 2_000_000,
  GOOGLEMAPS_DAILY_USD_CAP: 2_000_000,
  LINKEDIN_APIFY_ACTOR: 'harvestapi/linkedin-post-search',
  TIKTOK_APIFY_ACTOR: 'clockworks/tiktok-scraper',
  INSTAGRAM_APIFY_ACTOR: 'apify/instagram-hashtag-scraper',
  GOOGLEMAPS_APIFY_ACTOR: 'compass/google-maps-reviews-scraper',
}

test('nothing set gives a service for this machine', () => {
  const { host, ...others } = readSettings({}, PLACES)
  expect(['127.0.0.1', '0.0.0.0']).toContain(host)
  expect(others).toEqual({
    port: 4400,
    publicUrl: 'http://localhost:4400',
    hasDashboard: true,
    hasPictures: true,
    dataDir: '/srv/earshot/data',
    databaseUrl: null,
    databaseDirectUrl: null,
    databaseReadUrl: null,
    preparesStatements: true,
    backups: null,
    backupPassphrase: null,
    secretKey: null,
    logLevel: 'info',
    retention: { mentionDays: null, deliveryDays: 30 },
    billing: 'metered',
    classifier: 'offline',
    secondLook: null,
    signUp: 'invited',
    mail: null,
    postStream: null,
    mailReports: { secret: null, sesTopics: [], mailgunKey: null, sendgridKey: null },
    signInApps: { google: null, github: null },
    stripe: null,
    languageModel: null,
    slack: null,
    telegram: null,
    trustedProxies: [],
    webhooksPerHostSecond: 100,
    egressAllow: [],
    operatorAddresses: ['127.0.0.0/8', '::1'],
    cells: [],
    newCell: null,
    cellsSecret: null,
    userAgent: 'earshot/1.2.3',
    collectThreads: 0,
    partitions: 1,
    classifyThreads: 1,
    sourceUrls: new Map(),
    sourcePollSeconds: new Map(),
    sourcesOff: [],
    sourceSettings: PLATFORM_DEFAULTS,
  })
})

test('everything set is taken as it is', () => {
  const settings = readSettings(
    {
      PORT: '8080',
      EARSHOT_HOST: '::1',
      PUBLIC_URL: 'https://earshot.example/',
      DATA_DIR: '/var/lib/earshot',
      BACKUP_DIR: '/var/backups/earshot',
      BACKUP_EVERY_HOURS: '6',
      BACKUP_KEEP: '28',
      BACKUP_PASSPHRASE: 'words for a key',
      DATABASE_URL: 'postgres://u:p@h/d',
      DATABASE_DIRECT_URL: 'postgres://u:p@one,two/d',
      DATABASE_READ_URL: 'postgres://u:p@three/d',
      DATABASE_PREPARED: 'off',
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
      SES_TOPIC_ARNS: 'arn:aws:sns:eu-west-1:123456789012:bounces, arn:aws:sns:eu-west-1:123456789012:complaints',
      MAILGUN_SIGNING_KEY: 'mailgun-key',
      SENDGRID_PUBLIC_KEY: SENDGRID_KEY,
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
      CELLS: 'one=http://10.0.0.1:4400/, two=https://two.example',
      CELLS_NEW: 'two',
      CELLS_SECRET: 'c'.repeat(32),
      COLLECTOR_USER_AGENT: 'acme-bot',
      COLLECT_THREADS: '4',
      STORE_PARTITIONS: '3',
      POST_STREAM_URL: 'tls://cell:p%40ss@one.example,tls://cell:p%40ss@two.example:4333',
      POST_STREAM_KEPT_HOURS: '48',
      POST_STREAM_KEPT_MB: '500',
      CLASSIFY_THREADS: '2',
      BSKY_JETSTREAM_HOSTS: 'one.example, two.example',
      SOURCE_BLUESKY_URL: 'http://127.0.0.1:1',
      SOURCE_HACKERNEWS_URL: 'http://127.0.0.1:2',
      SOURCE_HACKERNEWS_POLL_SECONDS: '5',
      SOURCES_OFF: 'x, news',
      GITHUB_TOKEN: 'abc',
      X_DAILY_USD_CAP: '7.5',
      HOME: '/root',
    },
    PLACES,
  )
  expect(settings).toEqual({
    port: 8080,
    host: '::1',
    publicUrl: 'https://earshot.example',
    hasDashboard: true,
    hasPictures: true,
    dataDir: '/var/lib/earshot',
    databaseUrl: 'postgres://u:p@h/d',
    databaseDirectUrl: 'postgres://u:p@one,two/d',
    databaseReadUrl: 'postgres://u:p@three/d',
    preparesStatements: false,
    backups: { folder: '/var/backups/earshot', everyHours: 6, kept: 28 },
    backupPassphrase: 'words for a key',
    secretKey: KEY,
    logLevel: 'warn',
    retention: { mentionDays: null, deliveryDays: 30 },
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
    mailReports: {
      secret: 'what-the-provider-says',
      sesTopics: ['arn:aws:sns:eu-west-1:123456789012:bounces', 'arn:aws:sns:eu-west-1:123456789012:complaints'],
      mailgunKey: 'mailgun-key',
      sendgridKey: SENDGRID_KEY,
    },
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
    cells: [
      { name: 'one', origin: 'http://10.0.0.1:4400' },
      { name: 'two', origin: 'https://two.example' },
    ],
    newCell: 'two',
    cellsSecret: 'c'.repeat(32),
    userAgent: 'acme-bot',
    collectThreads: 4,
    partitions: 3,
    postStream: {
      servers: ['one.example:4222', 'two.example:4333'],
      user: 'cell',
      password: 'p@ss',
      token: null,
      tls: true,
      keptHours: 48,
      keptMb: 500,
    },
    classifyThreads: 2,
    sourceUrls: new Map([
      ['bluesky', 'http://127.0.0.1:1'],
      ['hackernews', 'http://127.0.0.1:2'],
    ]),
    sourcePollSeconds: new Map([['hackernews', 5]]),
    sourcesOff: ['x', 'news'],
    sourceSettings: {
      ...PLATFORM_DEFAULTS,
      BSKY_JETSTREAM_HOSTS: ['one.example', 'two.example'],
      GITHUB_TOKEN: 'abc',
      X_DAILY_USD_CAP: 7_500_000,
    },
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
  [{ DATABASE_DIRECT_URL: 'postgres://h/d' }, 'DATABASE_URL: is missing beside DATABASE_DIRECT_URL'],
  [{ DATABASE_READ_URL: 'postgres://h/d' }, 'DATABASE_URL: is missing beside DATABASE_READ_URL'],
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

test('new accounts go to the first cell, or to one that there is', () => {
  expect(readSettings({ CELLS: 'a=http://x, b=http://y' }, PLACES).newCell).toBe('a')
  expect(() => readSettings({ CELLS: 'a=http://x', CELLS_NEW: 'b' }, PLACES)).toThrow(
    'CELLS_NEW: must be the name of one of CELLS',
  )
  expect(() => readSettings({ CELLS_NEW: 'b' }, PLACES)).toThrow('CELLS_NEW: CELLS is missing beside it')
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
  for (const [name] of Object.entries(SETTINGS).filter(([, setting]) => 'secret' in setting))
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
    expect(shown.map(({ name }) => name)).toEqual(NAMES)
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
    expect(rows.map((row) => row.split('`')[1])).toEqual(NAMES)
    for (const row of rows) expect(row.split('|')).toHaveLength(6)
  })
})
