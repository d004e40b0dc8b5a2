import type { CollectContext, Limit } from '../contract.ts'
import { readRss } from '../read-rss.ts'
import { type Article, articleAddress, domainOf, withoutPublisher } from './article.ts'
import { type Edition, known, type NewsQuery, readArticles } from './ask.ts'
import { anyOf, quoted } from './phrases.ts'
import { type GoogleItem, googleItem } from './wire.ts'

export const GOOGLE_HOST = 'news.google.com'
/** Undocumented; a human reader's rate. */
export const GOOGLE_LIMIT: Limit = { quota: 'googlenews', kind: 'paced', most: 30, perSeconds: 60, burst: 5 }

const DAY_MS = 86_400_000
/** The feed has no second page. */
const MOST_ITEMS = 100
/** A window with more articles is halved, up to this many requests. */
const MOST_REQUESTS = 8
/** Editions whose feed name differs from the language. */
const NAMED_EDITIONS = new Map([
  ['pt-BR', 'pt-419'],
  ['zh-CN', 'zh-Hans'],
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
])

/** `to` is exclusive; null for no end. */
interface Days {
  from: number
  to: number | null
}

export async function* askGoogleNews(context: CollectContext, query: NewsQuery): AsyncIterable<Article[]> {
  for (const edition of query.editions) yield* askEdition(context, query, edition)
}

async function* askEdition(
  context: CollectContext,
  { phrases, since, limit }: NewsQuery,
  edition: Edition,
): AsyncIterable<Article[]> {
  // Days in an unknown time zone: one more is requested.
  const waiting: Days[] = [{ from: Math.floor(since.getTime() / DAY_MS) - 1, to: null }]
  const tomorrow = Math.floor(context.at.getTime() / DAY_MS) + 1
  let found = 0
  for (let requests = 0; requests < MOST_REQUESTS && found < limit; requests += 1) {
    const days = waiting.pop()
    if (days === undefined) return
    const raw = readRss(await context.fetch(urlOf(phrases, days, edition), { cost: { googlenews: 1 } }), context.at)
    const articles = known(readArticles(raw, googleItem, 'googlenews', context).map((item) => toArticle(item, edition)))
    yield articles
    found += articles.length
    const to = days.to ?? tomorrow
    if (raw.length < MOST_ITEMS || to - days.from < 3) continue
    const middle = Math.floor((days.from + to) / 2)
    // The halves share a day, so that nothing falls between them; newest first.
    waiting.push({ from: days.from, to: middle + 1 }, { from: middle, to: days.to })
  }
  if (waiting.length > 0 && found < limit)
    context.log.warn(
      { event: 'source.feed_overflowed', platform: 'news', index: 'googlenews', phrases: phrases.length },
      'The feed holds more articles than were asked for',
    )
}

function urlOf(phrases: readonly string[], { from, to }: Days, { language, country }: Edition): string {
  const url = new URL(`https://${GOOGLE_HOST}/rss/search`)
  const until = to === null ? '' : ` before:${dayOf(to)}`
  url.searchParams.set('q', `${anyOf(phrases.map(quoted))} after:${dayOf(from)}${until}`)
  url.searchParams.set('hl', language)
  url.searchParams.set('gl', country)
  url.searchParams.set('ceid', `${country}:${editionLanguage(language)}`)
  return url.href
}

/** en-US becomes en; es-419 and zh-Hant stay. */
function editionLanguage(language: string): string {
  return NAMED_EDITIONS.get(language) ?? language.replace(/-[A-Za-z]{2}$/, '')
}

function dayOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

function toArticle(item: GoogleItem, edition: Edition): Article | null {
  const url = articleAddress(item.link)
  if (url === null) return null
  const publisher = item.source?.['#text'].trim() || null
  const domain = domainOf(item.source?.['@url'] ?? '') ?? GOOGLE_HOST
  return {
    url: withoutReader(url),
    ownAddress: new URL(url).hostname !== GOOGLE_HOST,
    headline: withoutPublisher(item.title, domain, publisher),
    wholeHeadline: item.title,
    summary: '',
    imageUrl: null,
    publishedAt: item.pubDate,
    languageTag: edition.language,
    domain,
    publisher,
  }
}

/** Identifies the feed reader. */
function withoutReader(address: string): string {
  const url = new URL(address)
  if (url.hostname === GOOGLE_HOST) url.searchParams.delete('oc')
  return url.href
}
