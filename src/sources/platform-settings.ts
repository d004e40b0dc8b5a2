import {
  headerText,
  key,
  listWhere,
  microUsd,
  oneOf,
  publicHostNames,
  someOf,
  textLike,
  webOrigin,
  wholeNumber,
} from '../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../kernel/settings.ts'
import { DISCOURSE_SETTINGS } from './discourse/settings.ts'
import { FEEDS_SETTINGS } from './feeds/settings.ts'

export type ActedPlatform = 'linkedin' | 'tiktok' | 'instagram' | 'googlemaps'
type PaidPlatform = ActedPlatform | 'reddit' | 'x'

const dailyCap = (platform: PaidPlatform, dollars: string) => ({
  meaning: `The most that collecting from ${platform} may cost on one day (UTC); checked before each paid request.`,
  form: 'amount such as 5 or 0.5',
  unit: 'dollars',
  default: dollars,
  schema: microUsd,
})

const SCRAPECREATORS = 'https://app.scrapecreators.com'
const APIFY = 'https://console.apify.com/settings/integrations'
const GOOGLE = 'https://console.cloud.google.com/apis/credentials'
const PODCAST_INDEX = { from: ['https://api.podcastindex.org'], price: null }
const REDDIT_APP = { from: ['https://www.reddit.com/prefs/apps'], price: 'nothing, once Reddit has approved the app' }

const provider = (platform: Exclude<ActedPlatform, 'googlemaps'>, price: string) => ({
  meaning: `The provider through which ${platform} is collected.`,
  form: 'scrapecreators, apify, off',
  fallback: `${platform} is not collected`,
  obtain: { from: [SCRAPECREATORS, APIFY], price },
  schema: oneOf(['scrapecreators', 'apify', 'off']),
})

const actor = (platform: ActedPlatform, ofDefault: string) => ({
  meaning: `The Apify actor that collects ${platform}; its input and output must be those of the default one.`,
  form: 'user/actor',
  default: ofDefault,
  schema: textLike(/^[\w.-]{1,60}[/~][\w.-]{1,60}$/, 'must be user/actor'),
})

const editions = listWhere(
  (edition) => /^[a-z]{2}(-[A-Za-z0-9]{2,4})?:[A-Z]{2}$/.test(edition),
  'must be language and country pairs such as en-US:US, separated by commas',
).transform((pairs) =>
  pairs.map((pair) => {
    const [language = '', country = ''] = pair.split(':')
    return { language, country }
  }),
)

/** With two requests each every ten minutes, twenty take most of the 10,000 that there are. */
const MOST_STACK_SITES = 20

const stackSites = listWhere(
  (name) => /^[a-z0-9][a-z0-9.-]{1,60}$/.test(name) && name !== 'stackoverflow',
  'must be names of sites such as serverfault, separated by commas; stackoverflow is a platform of its own',
)
  .refine((names) => names.length <= MOST_STACK_SITES, `must name at most ${MOST_STACK_SITES} sites`)
  .refine((names) => new Set(names).size === names.length, 'must name each site once')

const REDDIT_SETTINGS = {
  REDDIT_ROUTE: {
    meaning:
      'How Reddit is collected: with an approved app (oauth), through ScrapeCreators (provider), or from the ' +
      'public feeds (atom), which Reddit may refuse.',
    form: 'oauth, provider, atom, off',
    fallback: 'oauth when REDDIT_CLIENT_ID is set, else Reddit is not collected',
    schema: oneOf(['oauth', 'provider', 'atom', 'off']),
  },
  REDDIT_CLIENT_ID: key('The id of the approved Reddit app.', 'no oauth route', REDDIT_APP),
  REDDIT_CLIENT_SECRET: key('The secret of the approved Reddit app.', 'no oauth route', REDDIT_APP),
  REDDIT_USER_AGENT: {
    meaning: 'How the collector introduces itself to Reddit.',
    form: 'platform:app-id:version (by /u/name)',
    fallback: 'COLLECTOR_USER_AGENT',
    schema: headerText,
  },
  REDDIT_DAILY_USD_CAP: dailyCap('reddit', '2'),
} satisfies SettingsTable

const NEWS_SETTINGS = {
  NEWS_SOURCES: {
    meaning: 'The news indexes that are searched. The terms of googlenews and bing allow personal use.',
    form: 'gdelt, googlenews, bing, separated by commas',
    default: 'gdelt',
    schema: someOf(['gdelt', 'googlenews', 'bing']),
  },
  NEWS_EDITIONS: {
    meaning: 'The editions that googlenews and bing are searched in.',
    form: 'language:country pairs separated by commas',
    default: 'en-US:US',
    schema: editions,
  },
} satisfies SettingsTable

const PROVIDER_SETTINGS = {
  SCRAPECREATORS_API_KEY: key('The key of ScrapeCreators, for the platforms whose provider it is.', 'not used', {
    from: [SCRAPECREATORS],
    price: 'a credit for each page of results',
  }),
  SCRAPECREATORS_CREDIT_USD: {
    meaning: 'What one credit of ScrapeCreators costs you; counted against the daily caps.',
    form: 'amount such as 0.002',
    unit: 'dollars',
    default: '0.002',
    schema: microUsd,
  },
  APIFY_TOKEN: key('The token of Apify, for the platforms whose provider it is.', 'not used', {
    from: [APIFY],
    price: 'a part of a cent for each post or review, as the actor charges',
  }),
  LINKEDIN_PROVIDER: provider('linkedin', 'a credit of ScrapeCreators a page, or 0.2 cents a post at Apify'),
  LINKEDIN_DAILY_USD_CAP: dailyCap('linkedin', '2'),
  TIKTOK_PROVIDER: provider('tiktok', 'a credit of ScrapeCreators a page, or half a cent a video at Apify'),
  TIKTOK_DAILY_USD_CAP: dailyCap('tiktok', '2'),
  INSTAGRAM_PROVIDER: provider('instagram', 'a credit of ScrapeCreators a page, or 0.3 cents a post at Apify'),
  INSTAGRAM_DAILY_USD_CAP: dailyCap('instagram', '2'),
  LINKEDIN_APIFY_ACTOR: actor('linkedin', 'harvestapi/linkedin-post-search'),
  TIKTOK_APIFY_ACTOR: actor('tiktok', 'clockworks/tiktok-scraper'),
  INSTAGRAM_APIFY_ACTOR: actor('instagram', 'apify/instagram-hashtag-scraper'),
} satisfies SettingsTable

const REVIEW_SETTINGS = {
  TRUSTPILOT_API_KEY: key('A key for the Business Units API of Trustpilot.', 'Trustpilot is not collected', {
    from: ['https://developers.trustpilot.com'],
    price: 'a paid addition to an account of Trustpilot',
  }),
  GOOGLE_MAPS_API_KEY: key(
    'A key for the Places API (New); it shows the five most relevant reviews of a place.',
    'no Places API',
    { from: [GOOGLE], price: '25 dollars for a thousand requests, the first thousand of a month free' },
  ),
  GOOGLEMAPS_PROVIDER: {
    meaning: 'The provider through which googlemaps is collected.',
    obtain: { from: [APIFY], price: 'about 50 cents for a thousand reviews' },
    form: 'apify, off',
    fallback: 'the Places API',
    schema: oneOf(['apify', 'off']),
  },
  GOOGLEMAPS_APIFY_ACTOR: actor('googlemaps', 'compass/google-maps-reviews-scraper'),
  GOOGLEMAPS_DAILY_USD_CAP: dailyCap('googlemaps', '2'),
} satisfies SettingsTable

const MASTODON_SETTINGS = {
  MASTODON_STREAM: {
    meaning:
      'The relay or server whose stream of public posts is followed. A server needs MASTODON_TOKEN and must be the ' +
      'first of MASTODON_SERVERS.',
    form: 'https address without path',
    default: 'https://fedi.buzz',
    schema: textLike(/^https:/i, 'must begin with https://')
      .pipe(webOrigin)
      .transform((text) => new URL(text).origin),
  },
  MASTODON_SERVERS: {
    meaning: 'The servers whose public timelines bring what the stream missed during a break.',
    form: 'host names separated by commas',
    default: 'mastodon.social',
    schema: publicHostNames,
  },
  MASTODON_TOKEN: key(
    'A token of an account at the first of MASTODON_SERVERS, with the scopes read:statuses and read:search.',
    'no live search on Mastodon; timelines and streams as far as servers show them to visitors',
    { from: ['https://mastodon.social/settings/applications'], price: null },
  ),
  MASTODON_HONOUR_NOINDEX: {
    meaning:
      'Whose posts are left out: of people who do not want search engines (noindex) or programs (#nobot in the ' +
      'profile); on also leaves out people who did not agree to be discovered.',
    form: 'on, noindex, off',
    default: 'on',
    schema: oneOf(['on', 'noindex', 'off']),
  },
} satisfies SettingsTable

export const PLATFORM_SETTINGS = {
  BSKY_HANDLE: {
    meaning: 'The account that searches Bluesky for live search; the feed itself needs none.',
    form: 'handle such as name.bsky.social',
    fallback: 'no live search on Bluesky',
    schema: textLike(/^[a-z0-9.-]{3,253}$/i, 'must be a handle such as name.bsky.social'),
  },
  BSKY_APP_PASSWORD: key('The app password of that account.', 'no live search on Bluesky', {
    from: ['https://bsky.app/settings/app-passwords'],
    price: null,
  }),
  GITHUB_TOKEN: key(
    'A token for the REST API of GitHub; it needs no permission.',
    '10 searches a minute instead of 30, no discussions',
    { from: ['https://github.com/settings/tokens'], price: null },
  ),
  STACKEXCHANGE_KEY: key('A key for the Stack Exchange API.', '300 requests a day instead of 10,000', {
    from: ['https://stackapps.com/apps/oauth/register'],
    price: null,
  }),
  STACKEXCHANGE_SITES: {
    meaning: 'Sites of the Stack Exchange network that are read beside Stack Overflow, within the same quota.',
    form: 'names such as serverfault or dba, separated by commas, at most 20',
    fallback: 'Stack Exchange is not collected',
    obtain: { from: ['https://stackexchange.com/sites'], price: null },
    schema: stackSites,
  },
  DEVTO_API_KEY: key('A key for the API of dev.to.', 'the public limits'),
  ...MASTODON_SETTINGS,
  ...REDDIT_SETTINGS,
  X_BEARER_TOKEN: key('The bearer token of an X app with pay-per-use access.', 'X is not collected', {
    from: ['https://developer.x.com'],
    price: 'half a cent for each post read, one cent for each person looked up',
  }),
  X_DAILY_USD_CAP: dailyCap('x', '5'),
  YOUTUBE_API_KEY: key('A key for the YouTube Data API.', 'YouTube is not collected', {
    from: [GOOGLE],
    price: 'nothing for 100 searches a day',
  }),
  YOUTUBE_SEARCH_CALLS_PER_DAY: {
    meaning: 'How many searches the key may make a day (Pacific time).',
    form: 'whole number from 1 to 1000000',
    default: '100',
    schema: wholeNumber(1, 1_000_000),
  },
  YOUTUBE_COMMENT_UNITS_PER_DAY: {
    meaning: 'How many of the 10,000 units of a day comments may take, one for a hundred comments. 0 reads none.',
    form: 'whole number from 0 to 10000',
    default: '5000',
    schema: wholeNumber(0, 10_000),
  },
  YOUTUBE_CHANNELS: {
    meaning: 'Channels of YouTube whose comments are read below all their videos, such as your own.',
    form: 'ids of channels such as UCabcdefghijklmnopqrstuv, separated by commas, at most 20',
    fallback: 'only comments below videos that were found',
    schema: listWhere((id) => /^UC[\w-]{22}$/.test(id), 'must be ids of channels, separated by commas').refine(
      (ids) => ids.length <= 20,
      'must name at most 20 channels',
    ),
  },
  ...NEWS_SETTINGS,
  LEMMY_SERVERS: {
    meaning: 'The servers of Lemmy that are read. Each shows posts of all; a second one helps while the first is down.',
    form: 'host names separated by commas',
    default: 'lemmy.world',
    schema: publicHostNames,
  },
  PODCASTINDEX_KEY: key('The key of the Podcast Index.', 'Podcasts are not collected', PODCAST_INDEX),
  PODCASTINDEX_SECRET: key('The secret of that key.', 'Podcasts are not collected', PODCAST_INDEX),
  PRODUCTHUNT_TOKEN: key(
    'A developer token of Product Hunt, whose terms forbid commercial use without permission.',
    'Product Hunt is not collected',
    { from: ['https://www.producthunt.com/v2/oauth/applications'], price: 'nothing, for use that is not commercial' },
  ),
  ...PROVIDER_SETTINGS,
  ...FEEDS_SETTINGS,
  ...DISCOURSE_SETTINGS,
  ...REVIEW_SETTINGS,
} satisfies SettingsTable

export type PlatformSettings = ValuesOf<typeof PLATFORM_SETTINGS>
