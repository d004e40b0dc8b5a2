import { vi } from 'vitest'
import { PLATFORMS, type Platform, platformFromNumber, platformNumber } from '../../src/domain/platform/platforms.ts'
import { fromId } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { type Database, openDatabase, sql } from '../../src/store/database.ts'
import { connectionOfRunning } from '../../src/store/embedded/embedded-postgres.ts'
import { type EarshotProcess, type Environment, earshot, temporaryDataDir } from '../stand-ins/earshot-process.ts'
import { freePort } from '../stand-ins/free-port.ts'

/** What the platforms that need something are given; stand-ins take any key that is not bad. */
const CREDENTIALS: Environment = {
  COLLECTOR_USER_AGENT: 'earshot-test/1.0 (+https://example.com/contact)',
  BSKY_HANDLE: 'test.bsky.social',
  BSKY_APP_PASSWORD: 'dummy-app-password',
  GITHUB_TOKEN: 'dummy-github',
  STACKEXCHANGE_KEY: 'dummy-stackexchange',
  DEVTO_API_KEY: 'dummy-devto',
  REDDIT_ROUTE: 'oauth',
  REDDIT_CLIENT_ID: 'dummy-reddit',
  REDDIT_CLIENT_SECRET: 'dummy-secret',
  REDDIT_USER_AGENT: 'server:earshot-test:1.0 (by /u/example)',
  X_BEARER_TOKEN: 'dummy-x',
  YOUTUBE_API_KEY: 'dummy-youtube',
  NEWS_SOURCES: 'gdelt,googlenews',
  SCRAPECREATORS_API_KEY: 'dummy-scrapecreators',
  LINKEDIN_PROVIDER: 'scrapecreators',
  TIKTOK_PROVIDER: 'scrapecreators',
  INSTAGRAM_PROVIDER: 'scrapecreators',
  TRUSTPILOT_API_KEY: 'dummy-trustpilot',
  GOOGLE_MAPS_API_KEY: 'dummy-maps',
  FEEDS_URLS: [
    'https://blog.example/blog/feed',
    'https://newsletter.example/newsletter/feed',
    'https://code.example/releases.atom',
    'https://notes.example/notes/feed.json',
    'https://wire.example/wire/index.rdf',
    'https://plain.example/plain/rss.xml',
  ].join(' '),
  DISCOURSE_FORUMS: ['meta', 'help', 'build'].map((name) => `https://forum.example/${name}`).join(','),
  LEMMY_SERVERS: 'lemmy.example',
  PODCASTINDEX_KEY: 'dummy-podcastindex',
  PODCASTINDEX_SECRET: 'dummy-secret',
  PRODUCTHUNT_TOKEN: 'full-dummy',
}

/** Asks for pauses of minutes after a few polls. */
const LEFT_OUT: ReadonlySet<Platform> = new Set(['stackexchange'])

/** The platforms that these tests try together. */
export const TRIED: readonly Platform[] = PLATFORMS.filter((platform) => !LEFT_OUT.has(platform))

/** Waits for what takes several polls; it is asked for rarely, because the answer is long. */
export async function sooner(check: () => Promise<unknown>, withinMs: number): Promise<void> {
  await vi.waitFor(check, { timeout: withinMs, interval: 150 })
}

/** A mention with the post that it is about, as they are stored. */
export interface StoredMention {
  keywordId: string
  platform: Platform
  nativeId: string
  text: string
  publishedAt: Date
  scored: boolean
}

/** The service in a process of its own, collecting from the stand-ins, with one workspace that has credit. */
export interface CollectingService {
  readonly db: Database
  /** Asks the interface; throws when it refuses. */
  call<Answer>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<Answer>
  /** Of one platform, or of all. */
  mentions(platform?: Platform): Promise<StoredMention[]>
  /** Ends it without any warning. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** Asks every platform again after so many seconds, as `pollSeconds` says for each. */
export async function startService(
  platformsUrl: string,
  pollSeconds: (platform: Platform) => number,
  more: Environment = {},
): Promise<CollectingService> {
  const folder = temporaryDataDir()
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const environment = {
    ...CREDENTIALS,
    ...Object.fromEntries(
      PLATFORMS.map((platform) => [`SOURCE_${platform.toUpperCase()}_URL`, `${platformsUrl}/${platform}`]),
    ),
    ...Object.fromEntries(
      PLATFORMS.map((platform) => [`SOURCE_${platform.toUpperCase()}_POLL_SECONDS`, String(pollSeconds(platform))]),
    ),
    SOURCES_OFF: [...LEFT_OUT].join(','),
    DATA_DIR: folder.dataDir,
    PORT: String(port),
    EGRESS_ALLOW: '127.0.0.1',
    EARSHOT_LOG_LEVEL: 'warn',
    ...more,
  }
  let service: EarshotProcess
  const start = async () => {
    service = earshot(['start'], environment)
    await service.says('Earshot is running')
  }
  await start()
  const db = openDatabase({ connection: (await connectionOfRunning(folder.dataDir))!, poolSize: 2, log: silentLog })
  const key = await said(['keys', 'create', '--workspace', 'Platforms', '--scope', 'write'], environment)
  // A credit lifts the welcome limit of 200 mentions.
  await said(['grant', 'Platforms', '10000'], environment)
  return {
    db,
    start,
    mentions: (platform) => readMentions(db, platform === undefined ? TRIED : [platform]),
    async call<Answer>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const reply = await fetch(`${origin}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`)
      return (await reply.json()) as Answer
    },
    async kill() {
      service.signal('SIGKILL')
      await service.ended
    },
    async close() {
      service.signal('SIGTERM')
      await service.ended
      await db.close()
      await folder.remove()
    },
  }
}

async function said(args: readonly string[], environment: Environment): Promise<string> {
  const { code, stdout, stderr } = await earshot(args, environment).ended
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout.trim()
}

async function readMentions(db: Database, platforms: readonly Platform[]): Promise<StoredMention[]> {
  const rows = await db.query<{
    keyword_id: string
    platform: number
    native_id: string
    text: string
    published_at: Date
    scored: boolean
  }>(sql`
    select m.keyword_id, p.platform, p.native_id, concat_ws(' ', p.title, p.body) as text, p.published_at,
      m.scored_at is not null as scored
    from mention m join post p on p.id = m.post_id
      where m.platform = any(${platforms.map(platformNumber)}::smallint[])`)
  return rows.map((row) => ({
    keywordId: row.keyword_id,
    platform: platformFromNumber(row.platform),
    nativeId: row.native_id,
    text: row.text,
    publishedAt: row.published_at,
    scored: row.scored,
  }))
}

/** The stored form of a keyword's public id. */
export function keywordIdOf(id: string): string {
  return fromId('kw', id)!
}
