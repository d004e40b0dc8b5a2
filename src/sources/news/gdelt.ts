import { trimOldest } from '../../kernel/concurrency/bounded-cache.ts'
import type { CollectContext, Limit, SourceReply } from '../contract.ts'
import { SourceFault } from '../contract.ts'
import { faultOfStatus, readJson } from '../reply-fault.ts'
import { type Article, articleAddress, domainOf, withoutPublisher } from './article.ts'
import { type AskIndex, known, type NewsQuery, readArticles } from './ask.ts'
import { anyOf, quoted } from './phrases.ts'
import { type GdeltArticle, gdeltArticle, gdeltReply } from './wire.ts'

export const GDELT_HOST = 'api.gdeltproject.org'
export const GDELT_LIMIT: Limit = { quota: 'gdelt', kind: 'paced', most: 1, perSeconds: 5, burst: 1 }

const SPACING_SECONDS = 5
const PAGE_ARTICLES = 250
/** Each page takes five seconds of the shared quota. */
const MOST_PAGES = 4
const DAY_MS = 86_400_000
/** The index refuses longer spans. */
const REACH_MS = 89 * DAY_MS
/** And shorter ones; its times are quarters of an hour. */
const SHORTEST_MS = 900_000
/** Refused phrases are not combined again; the oldest beyond this bound are retried. */
const MOST_REFUSED = 1000

/** `alone`: no other index is asked. */
export function askingGdelt({ alone }: { alone: boolean }): AskIndex {
  const refused = new Set<string>()
  const unasked = new Set<string>()
  return ask

  async function* ask(context: CollectContext, { phrases, since, limit }: NewsQuery): AsyncIterable<Article[]> {
    if (alone) for (const phrase of phrases) if (wordingOf(phrase) === null) sayOnce(context, phrase)
    const wordings = phrases.map(wordingOf).filter((wording) => wording !== null && !refused.has(wording)) as string[]
    if (wordings.length === 0) return
    const startMs = Math.max(since.getTime(), context.at.getTime() - REACH_MS)
    if ((yield* pages(context, wordings, startMs, limit)) === 'answered') return
    // A refused phrase would hide the others.
    for (const wording of wordings) {
      if (wordings.length > 1 && (yield* pages(context, [wording], startMs, limit)) === 'answered') continue
      context.log.warn(
        { event: 'source.phrase_refused', platform: 'news', index: 'gdelt', wording },
        'The index refuses a phrase; it is not searched again',
      )
      refused.add(wording)
      trimOldest(refused, MOST_REFUSED)
    }
  }

  function sayOnce({ log }: CollectContext, phrase: string): void {
    if (unasked.has(phrase)) return
    log.warn(
      { event: 'source.phrase_too_short', platform: 'news', index: 'gdelt', phrase },
      'The index refuses phrases under three letters, so nothing will be found',
    )
    unasked.add(phrase)
    trimOldest(unasked, MOST_REFUSED)
  }
}

/**
 * Single words bare, because the index refuses short quoted words; lowercase, because AND, OR and NOT are operators.
 * Null under three letters.
 */
export function wordingOf(phrase: string): string | null {
  const letters = phrase.match(/[\p{L}\p{N}\p{M}]/gu)?.length ?? 0
  if (letters < 3) return null
  return /^[\p{L}\p{N}\p{M}]+$/u.test(phrase) ? phrase.toLowerCase() : quoted(phrase)
}

/** Articles of a page's oldest time repeat on the next. */
async function* pages(
  context: CollectContext,
  wordings: readonly string[],
  startMs: number,
  limit: number,
): AsyncGenerator<Article[], 'answered' | 'refused'> {
  let endMs: number | null = null
  let found = 0
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const reply = await context.fetch(urlOf(wordings, startMs, endMs), { cost: { gdelt: 1 } })
    const raw = rawArticles(reply, context.at)
    if (raw === 'refused') return page === 0 ? 'refused' : 'answered'
    const articles = readArticles(raw, gdeltArticle, 'gdelt', context)
    yield known(articles.map(toArticle))
    found += articles.length
    const oldestMs: number = Math.min(...articles.map(({ seendate }) => seenAt(seendate).getTime()))
    if (
      raw.length < PAGE_ARTICLES ||
      found >= limit ||
      oldestMs - startMs < SHORTEST_MS ||
      (endMs !== null && oldestMs >= endMs)
    )
      break
    endMs = oldestMs
  }
  return 'answered'
}

function urlOf(wordings: readonly string[], startMs: number, endMs: number | null): string {
  const url = new URL(`https://${GDELT_HOST}/api/v2/doc/doc`)
  url.searchParams.set('query', anyOf(wordings))
  url.searchParams.set('mode', 'artlist')
  url.searchParams.set('format', 'json')
  url.searchParams.set('maxrecords', String(PAGE_ARTICLES))
  url.searchParams.set('sort', 'datedesc')
  url.searchParams.set('startdatetime', stamp(startMs))
  if (endMs !== null) url.searchParams.set('enddatetime', stamp(endMs))
  return url.href
}

/** Errors are plain text with status 200. */
function rawArticles(reply: SourceReply, at: Date): readonly unknown[] | 'refused' {
  const fault = faultOfStatus(reply.status, reply.headers, at)
  if (fault?.kind === 'throttled')
    throw new SourceFault('throttled', fault.message, { retryAfterSeconds: fault.retryAfterSeconds ?? SPACING_SECONDS })
  if (fault) throw fault
  const words = reply.body.slice(0, 200).trim()
  if (words !== '' && !/^[[{<"]/.test(words)) {
    if (/limit requests/i.test(words))
      throw new SourceFault('throttled', 'GDELT asks for slower requests', { retryAfterSeconds: SPACING_SECONDS })
    if (/\btoo (?:short|long|common)\b|\billegal character\b/i.test(words)) return 'refused'
    throw new SourceFault('unavailable', `GDELT answers in words: ${words}`)
  }
  const read = readJson({ ...reply, body: repaired(reply.body) }, gdeltReply, at)
  return 'articles' in read ? read.articles : []
}

/** Headlines may contain control characters and lone backslashes. Valid JSON is unchanged. */
export function repaired(body: string): string {
  return body
    .replace(/[^\P{Cc}\u007f-\u009f]/gu, ' ')
    .replace(/\\(["\\/bfnrt]|u[0-9A-Fa-f]{4})?/g, (written, escaped?: string) =>
      escaped === undefined ? '\\\\' : written,
    )
}

function toArticle(article: GdeltArticle): Article | null {
  const url = articleAddress(article.url)
  const domain = domainOf(article.domain)
  if (url === null || domain === null) return null
  return {
    url,
    ownAddress: true,
    headline: withoutPublisher(article.title, domain, null),
    wholeHeadline: article.title,
    summary: '',
    imageUrl: article.socialimage ?? null,
    publishedAt: seenAt(article.seendate),
    languageTag: languageNamed(article.language ?? ''),
    domain,
    publisher: null,
  }
}

function seenAt(seendate: string): Date {
  return new Date(seendate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

function stamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace(/[-:T]/g, '')
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']

const LANGUAGES: ReadonlyMap<string, string> = new Map(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code): [string, string][] => {
    const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code)
    return name === undefined ? [] : [[name.toLowerCase(), code]]
  }),
)

function languageNamed(name: string): string | null {
  return LANGUAGES.get(name.toLowerCase()) ?? null
}
