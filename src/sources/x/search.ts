import type { Post } from '../../domain/post/post.ts'
import { type Clock, DAY_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { type CollectContext, MONEY, type Searching, SourceFault, type SourceReply } from '../contract.ts'
import { itemReader } from '../read-items.ts'
import { readJson, saidIn } from '../reply-fault.ts'
import { type Ask, understood } from './asking.ts'
import { dayBill } from './day-bill.ts'
import { queryOf } from './query.ts'
import { toPost } from './to-post.ts'
import { complaint, media, post, searchReply } from './wire.ts'

const PATH = '/2/tweets/search/recent'
/** In millionths of a dollar. */
const POST_PRICE = 5000
const SMALLEST_PAGE = 10
const LARGEST_PAGE = 100
/** A page is prepaid in full. The share lets several pages run at once and leaves little budget unused. */
const PAGES_PER_DAY = 20
/** One busy term must not use up the day. */
const POLLS_PER_DAY = 5
/** Guards against endless page tokens. */
const MAX_PAGES = 100
/** The margin covers clocks and waits. */
const REACH_MS = 7 * DAY_MS - 10 * MINUTE_MS
/** The search refuses times in the last seconds. */
const FRESHEST_MS = MINUTE_MS
const CHARGED_POSTS_MAX = 200_000

/** The platform is renaming its fields. */
const SPELLINGS = {
  old: [
    'tweet.fields',
    'created_at,lang,public_metrics,entities,attachments,referenced_tweets,in_reply_to_user_id,author_id,note_tweet',
  ],
  new: [
    'post.fields',
    'created_at,lang,public_metrics,entities,attachments,referenced_posts,in_reply_to_user_id,author_id,note_post',
  ],
} as const
/** An error about these does not mean other names. */
const SETTLED = new Set([
  'query',
  'start_time',
  'max_results',
  'next_token',
  'sort_order',
  'expansions',
  'media.fields',
])

interface Wanted {
  query: string
  since: Date
  size: number
  mark: string | null
}

interface Found {
  posts: Post[]
  /** Includes skipped posts, which were paid too. */
  read: number
  next: string | null
}

export function mostPostsFor(dailyMicroUsd: number): number {
  return SMALLEST_PAGE * Math.max(1, Math.floor(dailyMicroUsd / POLLS_PER_DAY / POST_PRICE / SMALLEST_PAGE))
}

/** Prepays a page's highest price and refunds the rest. */
export function recentSearch(ask: Ask, options: RecentSearchOptions): Searching['search'] {
  const search = new RecentSearch(ask, options)
  return (context, asked) => search.search(context, asked)
}

interface RecentSearchOptions {
  dailyMicroUsd: number
  clock: Pick<Clock, 'now'>
}

class RecentSearch {
  private readonly ask: Ask
  private readonly clock: Pick<Clock, 'now'>
  private readonly mostPosts: number
  private readonly largestPage: number
  private readonly bill = dayBill(CHARGED_POSTS_MAX)
  private spelling: keyof typeof SPELLINGS = 'old'

  constructor(ask: Ask, { dailyMicroUsd, clock }: RecentSearchOptions) {
    this.ask = ask
    this.clock = clock
    this.mostPosts = mostPostsFor(dailyMicroUsd)
    const affordable = Math.floor(dailyMicroUsd / PAGES_PER_DAY / POST_PRICE)
    this.largestPage = Math.max(SMALLEST_PAGE, Math.min(LARGEST_PAGE, affordable))
  }

  async *search(
    context: CollectContext,
    { terms, since, limit }: Parameters<Searching['search']>[1],
  ): AsyncIterable<Post[]> {
    const query = queryOf(terms)
    if (query === null) {
      context.log.warn(
        { event: 'source.term_unsearchable', platform: 'x', terms },
        'The platform cannot search for punctuation alone',
      )
      return
    }
    let [found, paid] = [0, 0]
    let mark: string | null = null
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const size = Math.max(SMALLEST_PAGE, Math.min(this.largestPage, limit - found, this.mostPosts - paid))
      const { posts, read, next }: Found = await this.findPage(context, { query, since, size, mark })
      found += posts.length
      paid += read
      if (posts.length > 0) yield posts
      if (next === null || found >= limit) return
      if (paid + SMALLEST_PAGE > this.mostPosts) {
        context.log.warn(
          { event: 'source.search_budget_spent', platform: 'x', posts: found },
          'A search has more posts than one poll may pay for',
        )
        return
      }
      mark = next
    }
    context.log.warn(
      { event: 'source.pages_cut', platform: 'x', pages: MAX_PAGES },
      'A search has more pages than are read',
    )
  }

  private async findPage(context: CollectContext, wanted: Wanted): Promise<Found> {
    const paid = wanted.size * POST_PRICE
    const asked = this.clock.now()
    const reply = await this.askInEitherSpelling(context, parametersOf(wanted, context.at), paid)
    const { data, includes, meta } = readJson(reply, searchReply, context.at)
    if (data == null && meta.result_count > 0)
      throw new SourceFault('shape_changed', 'the reply counts posts that it does not hold')
    const reader = itemReader(context, 'x')
    const readable = reader.readAll(data ?? [], post)
    const ids = readable.map(({ id }) => id)
    const charged = this.bill.charge(ids, { asked, read: this.clock.now() })
    context.spend({ [MONEY]: (charged + reader.odd()) * POST_PRICE - paid })
    reader.judge()
    const pictures = picturesIn(includes?.media ?? [])
    const posts = readable.map((item) => toPost(item, pictures, context.at)).filter((item) => item !== null)
    return { posts, read: data?.length ?? 0, next: meta.next_token ?? null }
  }

  /** Retries once with the other names and keeps those that work. */
  private async askInEitherSpelling(
    context: CollectContext,
    parameters: URLSearchParams,
    paid: number,
  ): Promise<SourceReply> {
    const cost = { searches: 1, [MONEY]: paid }
    const reply = await this.ask(context, PATH, spelt(parameters, this.spelling), cost)
    if (!refusesNames(reply)) return understood(context, reply, paid)
    context.spend({ [MONEY]: -paid })
    const other = this.spelling === 'old' ? 'new' : 'old'
    const again = understood(context, await this.ask(context, PATH, spelt(parameters, other), cost), paid)
    this.spelling = other
    return again
  }
}

function parametersOf({ query, since, size, mark }: Wanted, at: Date): URLSearchParams {
  const startMs = Math.min(at.getTime() - FRESHEST_MS, Math.max(since.getTime(), at.getTime() - REACH_MS))
  return new URLSearchParams({
    query,
    start_time: `${new Date(startMs).toISOString().slice(0, 19)}Z`,
    max_results: String(size),
    sort_order: 'recency',
    expansions: 'attachments.media_keys',
    'media.fields': 'url,preview_image_url,type',
    ...(mark === null ? {} : { next_token: mark }),
  })
}

function spelt(parameters: URLSearchParams, spelling: keyof typeof SPELLINGS): URLSearchParams {
  const [name, fields] = SPELLINGS[spelling]
  return new URLSearchParams([...parameters, [name, fields]])
}

/** A refusal that is not JSON. */
function refusesNames(reply: SourceReply): boolean {
  if (reply.status !== 400) return false
  const blamed = (saidIn(reply, complaint)?.errors ?? []).flatMap(({ parameters }) => Object.keys(parameters ?? {}))
  return blamed.length === 0 ? reply.body.includes('Invalid Request') : blamed.some((name) => !SETTLED.has(name))
}

/** Invalid pictures are skipped. */
function picturesIn(raw: readonly unknown[]): Map<string, string> {
  const pictures = new Map<string, string>()
  for (const item of raw) {
    const { data } = media.safeParse(item)
    const address = data?.url ?? data?.preview_image_url
    if (data && address) pictures.set(data.media_key, address)
  }
  return pictures
}
