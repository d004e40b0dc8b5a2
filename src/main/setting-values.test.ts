import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { publicKeyOn } from '../../test/stand-ins/mail-providers.ts'
import { isLive, PLATFORMS } from '../domain/platform/platforms.ts'
import { StartError } from '../kernel/start-error.ts'
import { readSettings, SETTINGS } from './settings.ts'

const PLACES = { projectDir: '/srv/earshot', version: '1.2.3' }
const SUBSCRIPTIONS = join(import.meta.dirname, '../sources/feeds/recorded/subscriptions.opml')
const KEY = 'ab'.repeat(32)

const KEYS = [
  'MAILGUN_SIGNING_KEY',
  'BSKY_APP_PASSWORD',
  'GITHUB_TOKEN',
  'STACKEXCHANGE_KEY',
  'DEVTO_API_KEY',
  'MASTODON_TOKEN',
  'PODCASTINDEX_KEY',
  'PODCASTINDEX_SECRET',
  'PRODUCTHUNT_TOKEN',
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
  BACKUP_DIR: { good: ['/var/backups/earshot', 'backups'], bad: [] },
  BACKUP_EVERY_HOURS: { good: ['1', '24', '8760'], bad: ['0', '8761', '1.5', 'daily'] },
  BACKUP_KEEP: { good: ['1', '1000'], bad: ['0', '1001', 'all'] },
  BACKUP_PASSPHRASE: { good: ['twelve chars', 'Grünes Schloß 7'], bad: ['too short'] },
  DATA_DIR: { good: ['/var/lib/earshot', 'here'], bad: [] },
  DATABASE_URL: {
    good: [
      'postgres://u:p@h:5432/d',
      'postgresql://h/d',
      'postgres://u:p,w@one:5432,two,[::1]:5433/d?target_session_attrs=read-write',
      'postgres://h/d?target_session_attrs=primary&sslmode=require',
    ],
    bad: [
      'mysql://h/d',
      'h:5432',
      'postgres://',
      'postgres://a:1,b:x/d',
      'postgres://h/d?target_session_attrs=any',
      'postgres://h/d?a=b&target_session_attrs=standby',
    ],
  },
  DATABASE_DIRECT_URL: {
    good: ['postgres://u:p@h:5432/d', 'postgres://a:1,b/d'],
    bad: ['h:5432', 'postgres://a,b:x/d'],
  },
  DATABASE_READ_URL: { good: ['postgres://u:p@h:5432/d', 'postgres://a:1,b/d'], bad: ['h:5432'] },
  DATABASE_PREPARED: { good: ['on', 'off'], bad: ['true', 'Off'] },
  EARSHOT_SECRET_KEY: { good: [KEY, Buffer.from(KEY, 'hex').toString('base64')], bad: ['short', 'zz'.repeat(32)] },
  EARSHOT_LOG_LEVEL: { good: ['trace', 'silent'], bad: ['INFO', 'verbose'] },
  MENTIONS_KEPT_DAYS: { good: ['30', '365', '3650'], bad: ['0', '29', '3651', '90.5', 'never'] },
  DELIVERIES_KEPT_DAYS: { good: ['7', '30', '3650'], bad: ['0', '6', '3651', '1.5', 'off'] },
  BILLING: { good: ['metered', 'unmetered'], bad: ['off', 'Metered'] },
  CLASSIFIER: { good: ['offline', 'hybrid', 'model'], bad: ['magic', 'Hybrid'] },
  CLASSIFIER_SURE_FROM: { good: ['0', '0.5', '0.65', '1', '1.00'], bad: ['1.1', '-0.1', '60', '0.655', 'high'] },
  CLASSIFIER_DAILY_USD_CAP: { good: ['0', '2', '0.5'], bad: ['-1', '$2', '1e3'] },
  CLASSIFIER_CALLS_AT_ONCE: { good: ['1', '8'], bad: ['0', '9', '1.5'] },
  EARSHOT_WEB: { good: ['on', 'off'], bad: ['true', 'On'] },
  EARSHOT_PICTURES: { good: ['on', 'off'], bad: ['true', 'On'] },
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
  CELLS: {
    good: ['one=http://10.0.0.1:4400', 'eu-1=https://eu.example, us-1=https://us.example/'],
    bad: [
      ...[
        ',',
        'http://10.0.0.1',
        'One=http://a',
        '-=http://a',
        'one=ftp://a',
        'one=http://a/path',
        'one=',
        '=http://a',
      ],
      ...['a=http://x,a=http://y', 'a=http://x,b=http://x/', `${'x'.repeat(33)}=http://a`],
    ],
  },
  CELLS_NEW: { good: ['one'], bad: ['One', 'one two', '-'] },
  CELLS_SECRET: {
    good: ['x'.repeat(32), '!'.repeat(200)],
    bad: ['x'.repeat(31), 'x'.repeat(201), `${'x'.repeat(40)} y`],
  },
  COLLECTOR_USER_AGENT: { good: ['acme-bot (ops@acme.example)'], bad: ['naïve', 'x'.repeat(201), 'a\nb'] },
  COLLECT_THREADS: { good: ['0', '16'], bad: ['17', '-1', 'all'] },
  STORE_PARTITIONS: { good: ['1', '6'], bad: ['0', '7', '1.5'] },
  POST_STREAM_URL: {
    good: [
      'nats://127.0.0.1',
      'nats://token@nats.example:4222',
      'tls://u:p%40@nats.example',
      'nats://u:p@a.example, nats://u:p@[::1]:4223',
    ],
    bad: [
      'nats.example:4222',
      'http://nats.example',
      'nats://',
      ',',
      'nats://nats.example/posts',
      'nats://u:%zz@nats.example',
      'nats://:secret@nats.example',
      'nats://u:p@a.example,nats://b.example',
      'nats://a.example,tls://b.example',
    ],
  },
  POST_STREAM_KEPT_HOURS: { good: ['1', '720'], bad: ['0', '721', '1.5'] },
  POST_STREAM_KEPT_MB: { good: ['1', '1000000'], bad: ['0', '1000001'] },
  CLASSIFY_THREADS: { good: ['0', '16'], bad: ['17', '-1', 'all'] },
  BSKY_JETSTREAM_HOSTS: {
    good: ['one.example', 'one.example, two.example:443', 'localhost:6008'],
    bad: ['wss://one.example', 'a b', ',', '..', 'one.example:99999'],
  },
  ...casesFor(PLATFORMS, 'SOURCE_*_URL', {
    good: ['http://127.0.0.1:9000'],
    bad: ['127.0.0.1', 'ws://x', 'http://x/?a'],
  }),
  ...casesFor(
    PLATFORMS.filter((platform) => !isLive(platform)),
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
  SES_TOPIC_ARNS: {
    good: [
      'arn:aws:sns:eu-west-1:123456789012:mail',
      'arn:aws-cn:sns:cn-north-1:123456789012:a, arn:aws-us-gov:sns:us-gov-west-1:123456789012:b',
    ],
    bad: [
      ',',
      'mail',
      'arn:aws:sqs:eu-west-1:123456789012:mail',
      'arn:aws:sns:s3-us-west-2:123456789012:mail',
      'arn:aws:sns:eu-west-1:1234:mail',
      'arn:aws:sns:eu-west-1:123456789012:mail:0190',
    ],
  },
  SENDGRID_PUBLIC_KEY: {
    good: [publicKeyOn('prime256v1')],
    bad: ['abc', publicKeyOn('secp384r1'), publicKeyOn('prime256v1').slice(4), 'MCowBQYDK2VwAyEA'],
  },
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
  MASTODON_STREAM: {
    good: ['https://fedi.buzz', 'https://social.example:8443/'],
    bad: ['fedi.buzz', 'http://fedi.buzz', 'https://fedi.buzz/api'],
  },
  MASTODON_SERVERS: {
    good: ['social.example', 'social.example, other.example:8443'],
    bad: ['https://x.example', 'a b', ',', 'mastodon', '..', 'social.example.', 'social.example:99999'],
  },
  LEMMY_SERVERS: { good: ['lemmy.example', 'a.example, b.example:8443'], bad: ['https://lemmy.example', ',', 'lemmy'] },
  STACKEXCHANGE_SITES: {
    good: ['serverfault', 'dba, meta.stackexchange,mathoverflow.net'],
    bad: [
      ',',
      'stackoverflow',
      'dba,dba',
      'Server Fault',
      Array.from({ length: 21 }, (_, at) => `site${at}`).join(','),
    ],
  },
  MASTODON_HONOUR_NOINDEX: { good: ['on', 'noindex', 'off'], bad: ['no'] },
  REDDIT_ROUTE: { good: ['oauth', 'provider', 'atom', 'off'], bad: ['json'] },
  REDDIT_USER_AGENT: { good: ['server:acme:1.0 (by /u/example)'], bad: ['a\nb'] },
  FEEDS_URLS: {
    good: ['https://blog.example/feed', 'https://a.example/x,y\nhttp://b.example/rss'],
    bad: [
      ',',
      'blog.example/feed',
      'https://u@x.example/',
      'https://dev.to/feed',
      'https://a.example https://a.example/',
    ],
  },
  FEEDS_FILE: { good: [SUBSCRIPTIONS], bad: ['missing.opml', import.meta.filename] },
  DISCOURSE_FORUMS: {
    good: ['https://forum.example', 'https://a.example/meta, https://b.example/'],
    bad: [',', 'forum.example', 'https://a.example,https://a.example/latest'],
  },
  DISCOURSE_KEYS: { good: ['forum.example=abc', 'a.example=x, b.example:8080=y'], bad: ['abc', 'forum.example=', ','] },
  ...casesFor(['x', 'reddit', 'linkedin', 'tiktok', 'instagram', 'googlemaps'], '*_DAILY_USD_CAP', {
    good: ['0', '2', '0.5'],
    bad: ['-1', '$2', '1e3'],
  }),
  WEBHOOKS_PER_HOST_SECOND: { good: ['1', '1000'], bad: ['0', 'none'] },
  YOUTUBE_SEARCH_CALLS_PER_DAY: { good: ['1', '10000'], bad: ['0', '1.5'] },
  YOUTUBE_COMMENT_UNITS_PER_DAY: { good: ['0', '5000', '10000'], bad: ['-1', '10001'] },
  YOUTUBE_CHANNELS: {
    good: ['UCabcdefghijklmnopqrstuv'],
    bad: [',', '@handle', Array.from({ length: 21 }, () => 'UCabcdefghijklmnopqrstuv').join(',')],
  },
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
  DATABASE_DIRECT_URL: { DATABASE_URL: 'postgres://h/d' },
  DATABASE_READ_URL: { DATABASE_URL: 'postgres://h/d' },
  CELLS_NEW: { CELLS: 'one=http://10.0.0.1:4400' },
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
  expect(Object.keys(SETTINGS).sort()).toEqual(Object.keys(CASES).sort())
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
