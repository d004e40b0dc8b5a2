import type { AtomFeed, JsonFeed, RdfFeed, RssFeed } from 'feedsmith'
import type { ParsedFeed } from './parse.ts'

/** An item in one form, whatever the feed's. */
export interface Item {
  id: string | null
  link: string | null
  /** Against which the item's links are resolved, before the feed's own. */
  base: string | null
  /** May be HTML, as may `html`. */
  title: string | null
  html: string | null
  /** Plain, where the feed says so; counts without `html`. */
  plain: string | null
  publishedAt: string | null
  authorName: string | null
  authorUrl: string | null
  avatarUrl: string | null
  imageUrl: string | null
  otherLink: string | null
  languageTag: string | null
  replies: number | null
}

export interface FeedHead {
  title: string | null
  /** The site behind the feed. */
  link: string | null
  /** Seconds that the feed asks its readers to wait; null if it does not. */
  restSeconds: number | null
  items: Item[]
}

export function headOf(parsed: ParsedFeed): FeedHead {
  switch (parsed.format) {
    case 'rss':
      return fromRss(parsed.feed)
    case 'rdf':
      return fromRdf(parsed.feed)
    case 'atom':
      return fromAtom(parsed.feed)
    case 'json':
      return fromJson(parsed.feed)
  }
}

const NO_ITEM: Item = {
  id: null,
  link: null,
  base: null,
  title: null,
  html: null,
  plain: null,
  publishedAt: null,
  authorName: null,
  authorUrl: null,
  avatarUrl: null,
  imageUrl: null,
  otherLink: null,
  languageTag: null,
  replies: null,
}

function fromRss(feed: RssFeed.Feed<string>): FeedHead {
  const language = feed.language ?? feed.dc?.languages?.[0] ?? null
  return {
    title: feed.title ?? null,
    link: feed.link ?? null,
    restSeconds: longest(feed.ttl === undefined ? null : feed.ttl * 60, updateSeconds(feed.sy)),
    items: (feed.items ?? []).map((item) => ({
      ...NO_ITEM,
      ...textOf(item.content?.encoded, item.description, item.itunes?.summary),
      id: item.guid?.value ?? null,
      link: item.link ?? (item.guid?.isPermaLink === false ? null : (item.guid?.value ?? null)),
      base: item.xml?.base ?? null,
      title: item.title ?? null,
      publishedAt: item.pubDate ?? item.dc?.dates?.[0] ?? item.atom?.published ?? item.atom?.updated ?? null,
      authorName: item.dc?.creators?.[0] ?? nameOf(item.authors?.[0]) ?? item.itunes?.author ?? feed.title ?? null,
      authorUrl: item.authors?.[0]?.link ?? null,
      imageUrl: imageOf(item.media) ?? item.enclosures?.find(({ type }) => type?.startsWith('image/'))?.url ?? null,
      languageTag: language,
      replies: item.slash?.comments ?? null,
    })),
  }
}

function fromRdf(feed: RdfFeed.Feed<string>): FeedHead {
  return {
    title: feed.title ?? null,
    link: feed.link ?? null,
    restSeconds: updateSeconds(feed.sy),
    items: (feed.items ?? []).map((item) => ({
      ...NO_ITEM,
      ...textOf(item.content?.encoded, item.description),
      id: item.rdf?.about ?? null,
      link: item.link ?? item.rdf?.about ?? null,
      title: item.title ?? null,
      publishedAt: item.dc?.dates?.[0] ?? null,
      authorName: item.dc?.creators?.[0] ?? feed.title ?? null,
      imageUrl: imageOf(item.media),
      languageTag: item.dc?.languages?.[0] ?? feed.dc?.languages?.[0] ?? null,
      replies: item.slash?.comments ?? null,
    })),
  }
}

function fromAtom(feed: AtomFeed.Feed<string>): FeedHead {
  const [feedAuthor] = feed.authors ?? []
  return {
    title: feed.title?.value ?? null,
    link: alternateOf(feed.links) ?? null,
    restSeconds: updateSeconds(feed.sy),
    items: (feed.entries ?? []).map((entry) => {
      const author = entry.authors?.[0] ?? feedAuthor
      return {
        ...NO_ITEM,
        ...textOf(entry.content?.value, entry.summary?.value),
        id: entry.id ?? null,
        link: alternateOf(entry.links) ?? entry.content?.src ?? null,
        base: entry.xml?.base ?? feed.xml?.base ?? null,
        title: entry.title?.value ?? null,
        publishedAt: entry.published ?? entry.updated ?? null,
        authorName: author?.name ?? entry.dc?.creators?.[0] ?? feed.title?.value ?? null,
        authorUrl: author?.uri ?? null,
        imageUrl: imageOf(entry.media) ?? enclosedImage(entry.links),
        languageTag: entry.xml?.lang ?? feed.xml?.lang ?? null,
        replies: entry.thr?.total ?? entry.slash?.comments ?? null,
      }
    }),
  }
}

function fromJson(feed: JsonFeed.Feed<string>): FeedHead {
  return {
    title: feed.title ?? null,
    link: feed.home_page_url ?? null,
    restSeconds: null,
    items: (feed.items ?? []).map((item) => {
      const author = item.authors?.[0] ?? feed.authors?.[0]
      return {
        ...NO_ITEM,
        html: item.content_html ?? null,
        plain: item.content_text ?? item.summary ?? null,
        id: item.id ?? null,
        link: item.url ?? item.external_url ?? null,
        title: item.title ?? null,
        publishedAt: item.date_published ?? null,
        authorName: author?.name ?? feed.title ?? null,
        authorUrl: author?.url ?? null,
        avatarUrl: author?.avatar ?? null,
        imageUrl: item.image ?? item.banner_image ?? null,
        otherLink: item.external_url ?? null,
        languageTag: item.language ?? feed.language ?? null,
      }
    }),
  }
}

/** The first that is there. */
function textOf(...candidates: (string | undefined)[]): Pick<Item, 'html'> {
  return { html: candidates.find((text) => text !== undefined && text !== '') ?? null }
}

function nameOf(person: RssFeed.Person | undefined): string | undefined {
  return person?.name ?? person?.email
}

type Media = NonNullable<RssFeed.Item<string>['media']>

function imageOf(media: Media | undefined): string | null {
  const content = media?.contents?.find(({ medium, type }) => medium === 'image' || type?.startsWith('image/'))
  return content?.url ?? media?.thumbnails?.[0]?.url ?? null
}

type Links = AtomFeed.Entry<string>['links']

function alternateOf(links: Links): string | undefined {
  return links?.find(({ rel }) => rel === undefined || rel === 'alternate')?.href
}

function enclosedImage(links: Links): string | null {
  return links?.find(({ rel, type }) => rel === 'enclosure' && type?.startsWith('image/'))?.href ?? null
}

const PERIODS = new Map([
  ['hourly', 3600],
  ['daily', 86_400],
  ['weekly', 604_800],
  ['monthly', 2_592_000],
  ['yearly', 31_536_000],
])

function updateSeconds(sy: RssFeed.Feed<string>['sy']): number | null {
  const seconds = PERIODS.get(sy?.updatePeriod ?? '')
  return seconds === undefined ? null : seconds / Math.max(1, sy?.updateFrequency ?? 1)
}

export function longest(...seconds: (number | null)[]): number | null {
  const given = seconds.filter((value): value is number => value !== null && Number.isFinite(value) && value > 0)
  return given.length === 0 ? null : Math.max(...given)
}
