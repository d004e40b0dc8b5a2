import { factsOf, PLATFORMS, type Platform } from '../domain/platform/platforms.ts'
import type { MissingSetting } from '../domain/source/missing-setting.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Setting } from '../kernel/settings.ts'
import { appstore } from './appstore/source.ts'
import { bluesky } from './bluesky/source.ts'
import type { Source, SourceSetup } from './contract.ts'
import { devto } from './devto/source.ts'
import { discourse } from './discourse/source.ts'
import { feeds } from './feeds/source.ts'
import { github } from './github/source.ts'
import { googlemaps } from './googlemaps/source.ts'
import { googleplay } from './googleplay/source.ts'
import { hackernews } from './hackernews/source.ts'
import { instagram } from './instagram/source.ts'
import { lemmy } from './lemmy/source.ts'
import { linkedin } from './linkedin/source.ts'
import { lobsters } from './lobsters/source.ts'
import { mastodon } from './mastodon/source.ts'
import { news } from './news/source.ts'
import { type ActedPlatform, PLATFORM_SETTINGS, type PlatformSettings } from './platform-settings.ts'
import { podcasts } from './podcasts/source.ts'
import { producthunt } from './producthunt/source.ts'
import type { ProvidedOptions } from './providers/provider.ts'
import { StackPauses } from './providers/stack/pauses.ts'
import { reddit } from './reddit/source.ts'
import type { SourcesSettings } from './settings.ts'
import { stackexchange } from './stackexchange/source.ts'
import { stackoverflow } from './stackoverflow/source.ts'
import { tiktok } from './tiktok/source.ts'
import { trustpilot } from './trustpilot/source.ts'
import { x } from './x/source.ts'
import { youtube } from './youtube/source.ts'

type SetupSettings = Omit<SourcesSettings, 'sourceUrls'>

type Lacking = { missing: readonly (keyof PlatformSettings)[] } | 'off'

export function createSources(settings: SetupSettings, clock: Clock): readonly SourceSetup[] {
  const shared: Shared = { stackPauses: new StackPauses(clock) }
  return PLATFORMS.map((platform) => {
    const { mode } = factsOf(platform)
    const made = settings.sourcesOff.includes(platform) ? 'off' : SETUPS[platform](settings, shared)
    if (made === 'off') return { platform, mode, source: null, missing: [], off: true }
    if ('missing' in made)
      return { platform, mode, source: null, missing: made.missing.map(describeMissing), off: false }
    return { platform, mode, source: paced(made, settings), missing: [], off: false }
  })
}

function describeMissing(name: keyof PlatformSettings): MissingSetting {
  const { meaning, form, obtain }: Setting = PLATFORM_SETTINGS[name]
  return { name, meaning, form, getAt: [...(obtain?.from ?? [])], price: obtain?.price ?? null }
}

function paced(source: Source, { sourcePollSeconds }: SetupSettings): Source {
  const pollSeconds = sourcePollSeconds.get(source.platform)
  return pollSeconds === undefined || source.mode === 'live' ? source : { ...source, pollSeconds }
}

/** What several sources of a process share. */
interface Shared {
  stackPauses: StackPauses
}

const SETUPS: { readonly [On in Platform]: (settings: SetupSettings, shared: Shared) => Source | Lacking } = {
  bluesky({ jetstreamHosts, sourceSettings: { BSKY_HANDLE: handle, BSKY_APP_PASSWORD: appPassword } }) {
    return bluesky({ hosts: jetstreamHosts ?? [], account: handle && appPassword ? { handle, appPassword } : null })
  },
  hackernews: () => hackernews(),
  github: ({ sourceSettings }) => github({ token: sourceSettings.GITHUB_TOKEN ?? null }),
  stackoverflow: ({ sourceSettings: { STACKEXCHANGE_KEY: key = null } }, { stackPauses: pauses }) =>
    stackoverflow({ key, pauses }),
  devto: ({ sourceSettings }) => devto({ key: sourceSettings.DEVTO_API_KEY ?? null }),
  reddit: redditOf,
  x({ sourceSettings: { X_BEARER_TOKEN: bearerToken, X_DAILY_USD_CAP: dailyMicroUsd } }) {
    return bearerToken ? x({ bearerToken, dailyMicroUsd }) : { missing: ['X_BEARER_TOKEN'] }
  },
  youtube: ({ sourceSettings }) => youtubeOf(sourceSettings),
  news: ({ sourceSettings: { NEWS_SOURCES: indexes, NEWS_EDITIONS: editions } }) => news({ indexes, editions }),
  linkedin: ({ sourceSettings }) => provided('linkedin', sourceSettings, linkedin),
  tiktok: ({ sourceSettings }) => provided('tiktok', sourceSettings, tiktok),
  instagram: ({ sourceSettings }) => provided('instagram', sourceSettings, instagram),
  feeds: ({ sourceSettings: { FEEDS_URLS = [], FEEDS_FILE = [] } }) =>
    feeds({ named: [...new Set([...FEEDS_URLS, ...FEEDS_FILE])] }),
  mastodon: ({ sourceSettings }) =>
    mastodon({
      stream: sourceSettings.MASTODON_STREAM,
      servers: sourceSettings.MASTODON_SERVERS,
      token: sourceSettings.MASTODON_TOKEN ?? null,
      honoured: sourceSettings.MASTODON_HONOUR_NOINDEX,
    }),
  discourse: ({ sourceSettings: { DISCOURSE_FORUMS: named = [], DISCOURSE_KEYS: keys = new Map() } }) =>
    discourse({ named, keys }),
  stackexchange({ sourceSettings: settings }, { stackPauses: pauses }) {
    const { STACKEXCHANGE_SITES: sites, STACKEXCHANGE_KEY: key } = settings
    if (sites && key) return stackexchange({ key, sites, pauses })
    return lacking(settings, 'STACKEXCHANGE_SITES', 'STACKEXCHANGE_KEY')
  },
  lemmy: ({ sourceSettings }) => lemmy({ servers: sourceSettings.LEMMY_SERVERS }),
  lobsters: () => lobsters(),
  podcasts({ sourceSettings: settings }) {
    const { PODCASTINDEX_KEY: key, PODCASTINDEX_SECRET: secret } = settings
    return key && secret ? podcasts({ key, secret }) : lacking(settings, 'PODCASTINDEX_KEY', 'PODCASTINDEX_SECRET')
  },
  producthunt({ sourceSettings: { PRODUCTHUNT_TOKEN: token } }) {
    return token ? producthunt({ token }) : { missing: ['PRODUCTHUNT_TOKEN'] }
  },
  appstore: () => appstore(),
  googleplay: () => googleplay(),
  trustpilot({ sourceSettings: { TRUSTPILOT_API_KEY: key } }) {
    return key ? trustpilot({ key }) : { missing: ['TRUSTPILOT_API_KEY'] }
  },
  googlemaps: ({ sourceSettings }) => googlemapsOf(sourceSettings),
}

function lacking(settings: PlatformSettings, ...needed: (keyof PlatformSettings)[]): Lacking {
  return { missing: needed.filter((name) => !settings[name]) }
}

function youtubeOf(settings: PlatformSettings): Source | Lacking {
  const { YOUTUBE_API_KEY: key, YOUTUBE_SEARCH_CALLS_PER_DAY: searchesPerDay } = settings
  if (!key) return { missing: ['YOUTUBE_API_KEY'] }
  const { YOUTUBE_COMMENT_UNITS_PER_DAY: unitsPerDay, YOUTUBE_CHANNELS: channels = [] } = settings
  return youtube({ key, searchesPerDay, ...(unitsPerDay === 0 ? {} : { comments: { unitsPerDay, channels } }) })
}

function googlemapsOf(settings: PlatformSettings): Source | Lacking {
  const { GOOGLE_MAPS_API_KEY: key, APIFY_TOKEN: token, GOOGLEMAPS_DAILY_USD_CAP: dailyMicroUsd } = settings
  if (settings.GOOGLEMAPS_PROVIDER !== 'apify')
    return key ? googlemaps({ route: 'places', key, dailyMicroUsd }) : { missing: ['GOOGLE_MAPS_API_KEY'] }
  return token
    ? googlemaps({ route: 'apify', token, actor: settings.GOOGLEMAPS_APIFY_ACTOR, dailyMicroUsd })
    : { missing: ['APIFY_TOKEN'] }
}

function redditOf({ sourceSettings: settings, userAgent: ownAgent }: SetupSettings): Source | Lacking {
  const { REDDIT_CLIENT_ID: clientId, REDDIT_CLIENT_SECRET: clientSecret } = settings
  const { REDDIT_USER_AGENT: userAgent = ownAgent, REDDIT_ROUTE: route = clientId ? 'oauth' : null } = settings
  if (route === null) return { missing: ['REDDIT_ROUTE', 'REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET'] }
  if (route === 'off') return 'off'
  if (route === 'atom') return reddit({ route, userAgent })
  if (route === 'provider') {
    const { SCRAPECREATORS_API_KEY: key, SCRAPECREATORS_CREDIT_USD: creditMicroUsd } = settings
    if (!key) return { missing: ['SCRAPECREATORS_API_KEY'] }
    return reddit({ route, key, creditMicroUsd, dailyMicroUsd: settings.REDDIT_DAILY_USD_CAP })
  }
  if (clientId && clientSecret) return reddit({ route: 'oauth', clientId, clientSecret, userAgent })
  return lacking(settings, 'REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET')
}

function provided(
  platform: Exclude<ActedPlatform, 'googlemaps'>,
  settings: PlatformSettings,
  make: (options: ProvidedOptions) => Source,
): Source | Lacking {
  const name = platform.toUpperCase() as Uppercase<typeof platform>
  const provider = settings[`${name}_PROVIDER`]
  const dailyMicroUsd = settings[`${name}_DAILY_USD_CAP`]
  if (provider === undefined) return { missing: [`${name}_PROVIDER`] }
  if (provider === 'off') return 'off'
  if (provider === 'scrapecreators') {
    const { SCRAPECREATORS_API_KEY: key, SCRAPECREATORS_CREDIT_USD: creditMicroUsd } = settings
    return key ? make({ provider, key, creditMicroUsd, dailyMicroUsd }) : { missing: ['SCRAPECREATORS_API_KEY'] }
  }
  const token = settings.APIFY_TOKEN
  return token
    ? make({ provider, token, actor: settings[`${name}_APIFY_ACTOR`], dailyMicroUsd })
    : { missing: ['APIFY_TOKEN'] }
}
