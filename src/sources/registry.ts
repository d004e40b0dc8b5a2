import { factsOf, PLATFORMS, type Platform } from '../domain/platform/platforms.ts'
import {
  type ActedPlatform,
  listOf,
  type PaidPlatform,
  type Settings,
  SOURCE_DEFAULTS,
  upperCased,
} from '../kernel/settings.ts'
import { appstore } from './appstore/source.ts'
import { bluesky } from './bluesky/source.ts'
import type { Source, SourceSetup } from './contract.ts'
import { devto } from './devto/source.ts'
import { github } from './github/source.ts'
import { googlemaps } from './googlemaps/source.ts'
import { googleplay } from './googleplay/source.ts'
import { hackernews } from './hackernews/source.ts'
import { instagram } from './instagram/source.ts'
import { linkedin } from './linkedin/source.ts'
import { news } from './news/source.ts'
import type { ProvidedOptions } from './providers/provider.ts'
import { reddit } from './reddit/source.ts'
import { stackoverflow } from './stackoverflow/source.ts'
import { tiktok } from './tiktok/source.ts'
import { trustpilot } from './trustpilot/source.ts'
import { x } from './x/source.ts'
import { youtube } from './youtube/source.ts'

/** What sources are set up from. */
export type SourcesSettings = Pick<
  Settings,
  'jetstreamHosts' | 'sourceSettings' | 'sourcePollSeconds' | 'sourcesOff' | 'userAgent'
>

/** Settings that a platform lacks, by name; or that the operator does not want it. */
type Lacking = { missing: readonly string[] } | 'off'

/** Every platform as this installation is set up, in their order. */
export function createSources(settings: SourcesSettings): readonly SourceSetup[] {
  return PLATFORMS.map((platform) => {
    const { mode } = factsOf(platform)
    const made = settings.sourcesOff.includes(platform) ? 'off' : SETUPS[platform](settings)
    if (made === 'off') return { platform, mode, source: null, missing: [], off: true }
    if ('missing' in made) return { platform, mode, source: null, missing: made.missing, off: false }
    return { platform, mode, source: paced(made, settings), missing: [], off: false }
  })
}

/** The source with the interval that the operator has chosen for it. */
function paced(source: Source, { sourcePollSeconds }: SourcesSettings): Source {
  const pollSeconds = sourcePollSeconds.get(source.platform)
  return pollSeconds === undefined || source.mode === 'live' ? source : { ...source, pollSeconds }
}

const SETUPS: { readonly [On in Platform]: (settings: SourcesSettings) => Source | Lacking } = {
  bluesky({ jetstreamHosts, sourceSettings }) {
    const [handle, appPassword] = [sourceSettings.get('BSKY_HANDLE'), sourceSettings.get('BSKY_APP_PASSWORD')]
    return bluesky({ hosts: jetstreamHosts ?? [], account: handle && appPassword ? { handle, appPassword } : null })
  },
  hackernews: () => hackernews(),
  github: ({ sourceSettings }) => github({ token: sourceSettings.get('GITHUB_TOKEN') ?? null }),
  stackoverflow: ({ sourceSettings }) => stackoverflow({ key: sourceSettings.get('STACKEXCHANGE_KEY') ?? null }),
  devto: ({ sourceSettings }) => devto({ key: sourceSettings.get('DEVTO_API_KEY') ?? null }),
  reddit: redditOf,
  x({ sourceSettings }) {
    const bearerToken = sourceSettings.get('X_BEARER_TOKEN')
    return bearerToken
      ? x({ bearerToken, dailyMicroUsd: dailyMicroUsd(sourceSettings, 'x') })
      : { missing: ['X_BEARER_TOKEN'] }
  },
  youtube({ sourceSettings }) {
    const key = sourceSettings.get('YOUTUBE_API_KEY')
    const searchesPerDay = Number(inForce(sourceSettings, 'YOUTUBE_SEARCH_CALLS_PER_DAY'))
    return key ? youtube({ key, searchesPerDay }) : { missing: ['YOUTUBE_API_KEY'] }
  },
  news({ sourceSettings }) {
    const indexes = listOf(inForce(sourceSettings, 'NEWS_SOURCES')) as ('gdelt' | 'googlenews' | 'bing')[]
    const editions = listOf(inForce(sourceSettings, 'NEWS_EDITIONS')).map((edition) => {
      const [language = '', country = ''] = edition.split(':')
      return { language, country }
    })
    return news({ indexes, editions })
  },
  linkedin: (settings) => provided('linkedin', settings, linkedin),
  tiktok: (settings) => provided('tiktok', settings, tiktok),
  instagram: (settings) => provided('instagram', settings, instagram),
  appstore: () => appstore(),
  googleplay: () => googleplay(),
  trustpilot({ sourceSettings }) {
    const key = sourceSettings.get('TRUSTPILOT_API_KEY')
    return key ? trustpilot({ key }) : { missing: ['TRUSTPILOT_API_KEY'] }
  },
  googlemaps({ sourceSettings }) {
    const dailyMicro = dailyMicroUsd(sourceSettings, 'googlemaps')
    const [key, token] = [sourceSettings.get('GOOGLE_MAPS_API_KEY'), sourceSettings.get('APIFY_TOKEN')]
    if (sourceSettings.get('GOOGLEMAPS_PROVIDER') === 'apify')
      return token
        ? googlemaps({
            route: 'apify',
            token,
            actor: inForce(sourceSettings, 'GOOGLEMAPS_APIFY_ACTOR'),
            dailyMicroUsd: dailyMicro,
          })
        : { missing: ['APIFY_TOKEN'] }
    return key ? googlemaps({ route: 'places', key, dailyMicroUsd: dailyMicro }) : { missing: ['GOOGLE_MAPS_API_KEY'] }
  },
}

function redditOf({ sourceSettings, userAgent: ownAgent }: SourcesSettings): Source | Lacking {
  const [clientId, clientSecret] = [sourceSettings.get('REDDIT_CLIENT_ID'), sourceSettings.get('REDDIT_CLIENT_SECRET')]
  const userAgent = sourceSettings.get('REDDIT_USER_AGENT') ?? ownAgent
  const route = sourceSettings.get('REDDIT_ROUTE') ?? (clientId ? 'oauth' : null)
  if (route === null) return { missing: ['REDDIT_ROUTE', 'REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET'] }
  if (route === 'off') return 'off'
  if (route === 'atom') return reddit({ route, userAgent })
  if (route === 'provider') {
    const key = sourceSettings.get('SCRAPECREATORS_API_KEY')
    if (!key) return { missing: ['SCRAPECREATORS_API_KEY'] }
    return reddit({
      route,
      key,
      creditMicroUsd: creditMicroUsd(sourceSettings),
      dailyMicroUsd: dailyMicroUsd(sourceSettings, 'reddit'),
    })
  }
  if (clientId && clientSecret) return reddit({ route: 'oauth', clientId, clientSecret, userAgent })
  return { missing: [...(clientId ? [] : ['REDDIT_CLIENT_ID']), ...(clientSecret ? [] : ['REDDIT_CLIENT_SECRET'])] }
}

/** A platform that is reached through a provider of the operator's choice. */
function provided(
  platform: Exclude<ActedPlatform, 'googlemaps'>,
  { sourceSettings }: SourcesSettings,
  make: (options: ProvidedOptions) => Source,
): Source | Lacking {
  const name = upperCased(platform)
  const provider = sourceSettings.get(`${name}_PROVIDER`)
  const cap = dailyMicroUsd(sourceSettings, platform)
  if (provider === 'off') return 'off'
  if (provider === 'scrapecreators') {
    const key = sourceSettings.get('SCRAPECREATORS_API_KEY')
    return key
      ? make({ provider, key, creditMicroUsd: creditMicroUsd(sourceSettings), dailyMicroUsd: cap })
      : { missing: ['SCRAPECREATORS_API_KEY'] }
  }
  if (provider === 'apify') {
    const token = sourceSettings.get('APIFY_TOKEN')
    return token
      ? make({ provider, token, actor: inForce(sourceSettings, `${name}_APIFY_ACTOR`), dailyMicroUsd: cap })
      : { missing: ['APIFY_TOKEN'] }
  }
  return { missing: [`${name}_PROVIDER`] }
}

function microUsd(dollars: string): number {
  return Math.round(Number(dollars) * 1_000_000)
}

function dailyMicroUsd(settings: ReadonlyMap<string, string>, platform: PaidPlatform): number {
  return microUsd(inForce(settings, `${upperCased(platform)}_DAILY_USD_CAP`))
}

function creditMicroUsd(settings: ReadonlyMap<string, string>): number {
  return microUsd(inForce(settings, 'SCRAPECREATORS_CREDIT_USD'))
}

/** What is set, else what counts without. */
function inForce(settings: ReadonlyMap<string, string>, name: keyof typeof SOURCE_DEFAULTS): string {
  return settings.get(name) ?? SOURCE_DEFAULTS[name]
}
