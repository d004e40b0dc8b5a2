import { canParse } from '../../kernel/can-parse.ts'
import type { CollectContext, Limit } from '../contract.ts'
import { htmlToText } from '../html-text.ts'
import { readRss } from '../read-rss.ts'
import { type Article, articleAddress, domainOf, lettersOf, withoutPublisher } from './article.ts'
import { type Edition, known, type NewsQuery, readArticles } from './ask.ts'
import { quoted } from './phrases.ts'
import { type BingItem, bingItem } from './wire.ts'

export const BING_HOST = 'www.bing.com'
/** Undocumented; a human reader's rate. */
export const BING_LIMIT: Limit = { quota: 'bing', kind: 'paced', most: 30, perSeconds: 60, burst: 5 }

/** The feed holds about a dozen articles, so each phrase is requested alone. */
export async function* askBingNews(
  context: CollectContext,
  { phrases, editions }: NewsQuery,
): AsyncIterable<Article[]> {
  for (const edition of editions) {
    for (const phrase of phrases) {
      const raw = readRss(await context.fetch(urlOf(phrase, edition), { cost: { bing: 1 } }), context.at)
      yield known(readArticles(raw, bingItem, 'bing', context).map((item) => toArticle(item, edition)))
    }
  }
}

function urlOf(phrase: string, { language, country }: Edition): string {
  const url = new URL(`https://${BING_HOST}/news/search`)
  url.searchParams.set('q', quoted(phrase))
  url.searchParams.set('format', 'rss')
  url.searchParams.set('setlang', language)
  url.searchParams.set('cc', country)
  url.searchParams.set('qft', 'sortbydate="1"')
  return url.href
}

function toArticle(item: BingItem, edition: Edition): Article | null {
  const url = articleAddress(behindClick(item.link))
  const domain = url && domainOf(url)
  if (!url || !domain) return null
  const publisher = item['News:Source']?.trim() || null
  const summary = htmlToText(item.description ?? '').text
  return {
    url,
    ownAddress: true,
    headline: withoutPublisher(item.title, domain, publisher),
    wholeHeadline: item.title,
    summary: lettersOf(summary) === lettersOf(item.title) ? '' : summary,
    imageUrl: item['News:Image'] ?? null,
    publishedAt: item.pubDate,
    languageTag: edition.language,
    domain,
    publisher,
  }
}

/** Links go through a click counter. */
function behindClick(link: string): string {
  const url = canParse(link) ? new URL(link) : null
  return (url?.hostname === BING_HOST && url.searchParams.get('url')) || link
}
