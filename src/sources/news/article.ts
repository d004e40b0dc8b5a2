import { createHash } from 'node:crypto'
import type { Post } from '../../domain/post/post.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { boundedAddress, normalPost } from '../normal-post.ts'

export interface Article {
  url: string
  /** False if `url` leads to the article only through the index. */
  ownAddress: boolean
  /** Without the publisher, if recognized. */
  headline: string
  wholeHeadline: string
  summary: string
  imageUrl: string | null
  publishedAt: Date
  languageTag: string | null
  /** The publisher's host without `www.` and the like. */
  domain: string
  publisher: string | null
}

/** Tracking parameters, without which the article is the same. */
const CLICK_IDS = 'fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid'
const VISITS = String.raw`mc_[ce]id|_ga|ocid|cmpid|ns_\w{1,40}|guccounter|guce_\w{1,40}`
const TRACKING = new RegExp(String.raw`^(?:utm_\w{1,40}|${CLICK_IDS}|${VISITS})$`, 'i')
/** A publisher may stand there with its section, or twice. */
const MOST_TAILS = 3
const MOST_NAME_WORDS = 6
const LONG_NAME_LETTERS = 5
/** Hosts omit these words. */
const FILLERS = new Set(['and', 'the', 'of'])
const SEPARATORS = [' - ', ' | ', ' – ', ' — ']

/**
 * The same in every index: the publisher's host and the headline's letters and digits, because Google News hides the
 * address and punctuation differs. A republished article keeps its id.
 */
export function articleId({ domain, headline, url }: Pick<Article, 'domain' | 'headline' | 'url'>): string {
  return createHash('sha256')
    .update(`${domain}\n${lettersOf(headline) || url}`)
    .digest('hex')
}

/** The article with its own address counts, and others fill its gaps. */
export function merged(articles: readonly Article[]): Article[] {
  const byId = new Map<string, Article>()
  for (const article of articles) {
    const id = articleId(article)
    const known = byId.get(id)
    byId.set(id, known ? joined(known, article) : article)
  }
  return [...byId.values()]
}

export function toPost(article: Article, at: Date): Post | null {
  const { domain, publisher } = article
  const text = [article.summary, isCutByGuess(article) ? article.wholeHeadline : '']
    .filter((part) => part !== '')
    .join('\n\n')
  return normalPost(
    {
      platform: 'news',
      nativeId: articleId(article),
      url: article.url,
      title: article.headline,
      text,
      imageUrl: article.imageUrl,
      publishedAt: article.publishedAt,
      languageTag: article.languageTag,
      author:
        article.ownAddress || publisher !== null
          ? { id: domain, name: publisher ?? domain, handle: domain, url: `https://${domain}` }
          : null,
    },
    at,
  )
}

function isCutByGuess({ headline, wholeHeadline, publisher }: Article): boolean {
  const whole = lettersOf(wholeHeadline)
  return whole !== lettersOf(headline) && whole !== lettersOf(`${headline} ${publisher ?? ''}`)
}

export function articleAddress(address: string): string | null {
  const bounded = boundedAddress(address)
  if (bounded === null) return null
  const url = new URL(bounded)
  url.hash = ''
  for (const name of new Set(url.searchParams.keys())) if (TRACKING.test(name)) url.searchParams.delete(name)
  return url.href
}

export function domainOf(addressOrHost: string): string | null {
  const address = /^https?:\/\//i.test(addressOrHost) ? addressOrHost : `https://${addressOrHost}`
  const host = canParse(address) ? new URL(address).hostname : ''
  return host === '' ? null : host.replace(/^(?:www|m|mobile|amp)\.(?=[^.]{1,63}\.)/, '')
}

/** Other parts behind a dash stay. The host identifies an unnamed publisher: nytimes.com is The New York Times. */
export function withoutPublisher(headline: string, domain: string, publisher: string | null): string {
  let rest = headline
  for (let tails = 0; tails < MOST_TAILS; tails += 1) {
    const from = Math.max(...SEPARATORS.map((separator) => rest.lastIndexOf(separator)))
    if (from <= 0 || !names(rest.slice(from), domain, publisher)) break
    rest = rest.slice(0, from)
  }
  return rest
}

function names(tail: string, domain: string, publisher: string | null): boolean {
  const letters = lettersOf(tail)
  if (letters === '') return false
  if (letters === lettersOf(domain) || letters === lettersOf(publisher ?? '')) return true
  const words = tail
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean)
    .map(lettersOf)
  if (words.length > MOST_NAME_WORDS) return false
  // Such as the "co" of co.uk.
  const labels = domain.split('.').slice(0, -1)
  return labels.some((label, at) => label.length > (at === 0 ? 1 : 3) && isMadeOf(label.replaceAll('-', ''), words))
}

/**
 * Whether the host is made of the words' beginnings, in order. A short one occurs by chance in many sentences, so it
 * must use every word.
 */
function isMadeOf(name: string, words: readonly string[]): boolean {
  let reached = new Set([0])
  for (const word of words) {
    const mayBePassedOver = name.length >= LONG_NAME_LETTERS || FILLERS.has(word)
    const next = new Set(mayBePassedOver ? reached : [])
    for (const from of reached) {
      for (let length = 1; length <= word.length && name[from + length - 1] === word[length - 1]; length += 1)
        next.add(from + length)
    }
    reached = next
  }
  return reached.has(name.length)
}

export function lettersOf(text: string): string {
  return text
    .slice(0, 2000)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '')
}

function joined(first: Article, second: Article): Article {
  const [main, more] = !first.ownAddress && second.ownAddress ? [second, first] : [first, second]
  return {
    ...main,
    summary: main.summary || more.summary,
    imageUrl: main.imageUrl ?? more.imageUrl,
    languageTag: main.languageTag ?? more.languageTag,
    publisher: main.publisher ?? more.publisher,
    publishedAt: new Date(Math.min(main.publishedAt.getTime(), more.publishedAt.getTime())),
  }
}
