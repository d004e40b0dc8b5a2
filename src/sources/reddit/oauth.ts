import type { Post } from '../../domain/post/post.ts'
import { type CollectContext, SourceFault, type SourceReply } from '../contract.ts'
import { itemReader } from '../read-items.ts'
import { faultOfStatus, readJson } from '../reply-fault.ts'
import { pageFrom, type Route, type SearchPage, type SearchPageQuery } from './route.ts'
import { fromComment, fromSubmission, type Parent } from './to-post.ts'
import { comment, listing, submission, thingOf, threadReply, tokenReply } from './wire.ts'

const TOKEN_HOST = 'www.reddit.com'
const API_HOST = 'oauth.reddit.com'
/** Reddit allows 100 requests a minute, averaged over ten minutes. */
const WINDOW_SECONDS = 600
const REQUESTS_PER_WINDOW = 1000
/** A listing ends after a thousand items. */
const MOST_PAGES = 10
/** A poll takes time. */
const TOKEN_MARGIN_SECONDS = 300
/** Below this share comments are not read, so that searches do not wait. */
const SPARE_ALLOWANCE = 0.5
/** Nested replies are not bounded by the list's length. */
const MOST_COMMENTS = 1000

export interface OAuthOptions {
  clientId: string
  clientSecret: string
  /** Reddit asks for `platform:app-id:version (by /u/name)`. */
  userAgent: string
}

interface Allowance {
  /** Remaining share, 0 to 1. */
  left: number
  usedUpUntilMs: number
}

/** Token and allowance outlive a search. */
export function oauthRoute(options: OAuthOptions): Route {
  let token: { value: string; untilMs: number } | null = null
  const allowance: Allowance = { left: 1, usedUpUntilMs: 0 }

  async function tokenFor(context: CollectContext): Promise<string> {
    if (token === null || token.untilMs <= context.at.getTime()) token = await askForToken(context, options)
    return token.value
  }

  /** Replaces a refused token once. */
  async function ask(context: CollectContext, path: string, parameters: Record<string, string>): Promise<SourceReply> {
    const waitMs = allowance.usedUpUntilMs - context.at.getTime()
    if (waitMs > 0)
      throw new SourceFault('throttled', 'the allowance of this window is used up', {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      })
    const url = new URL(`https://${API_HOST}${path}`)
    for (const [name, value] of Object.entries({ ...parameters, raw_json: '1' })) url.searchParams.set(name, value)
    for (let tries = 1; ; tries += 1) {
      const value = await tokenFor(context)
      const reply = await context.fetch(url.href, {
        headers: { authorization: `Bearer ${value}`, 'user-agent': options.userAgent },
        cost: { requests: 1 },
      })
      note(allowance, reply, context.at)
      if (reply.status !== 401) return throttledOr(reply, context.at)
      if (token?.value === value) token = null
      if (tries === 2) return reply
    }
  }

  return {
    hosts: [TOKEN_HOST, API_HOST],
    limits: [{ quota: 'requests', kind: 'paced', most: REQUESTS_PER_WINDOW, perSeconds: WINDOW_SECONDS, burst: 20 }],
    mostPages: MOST_PAGES,
    mayReadComments: () => allowance.left >= SPARE_ALLOWANCE,
    page: async (context, query) => toPage(await ask(context, '/search', parametersOf(query)), context),
    async comments(context, post) {
      const reply = await ask(context, `/comments/${post.nativeId.replace('t3_', '')}`, { sort: 'new', limit: '100' })
      // The post or community was closed between the requests.
      if (reply.status === 403 || reply.status === 404) return []
      return commentsBelow(reply, post, context)
    },
  }
}

async function askForToken(
  context: CollectContext,
  { clientId, clientSecret, userAgent }: OAuthOptions,
): Promise<{ value: string; untilMs: number }> {
  const reply = await context.fetch(`https://${TOKEN_HOST}/api/v1/access_token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': userAgent,
    },
    body: 'grant_type=client_credentials',
    cost: { requests: 1 },
  })
  const given = readJson(throttledOr(reply, context.at), tokenReply, context.at)
  if ('error' in given)
    throw new SourceFault('credentials', `Reddit gives no token: ${String(given.error).slice(0, 100)}`)
  const marginSeconds = Math.min(TOKEN_MARGIN_SECONDS, given.expires_in / 2)
  return { value: given.access_token, untilMs: context.at.getTime() + (given.expires_in - marginSeconds) * 1000 }
}

function parametersOf({ query, span, after }: SearchPageQuery): Record<string, string> {
  const fixed = {
    q: query,
    sort: 'new',
    t: span,
    limit: '100',
    type: 'link',
    restrict_sr: 'false',
    include_over_18: 'on',
  }
  return after === null ? fixed : { ...fixed, after }
}

function note(allowance: Allowance, { headers }: SourceReply, at: Date): void {
  const [used, remaining, resetSeconds] = ['used', 'remaining', 'reset'].map((name) =>
    numberFrom(headers[`x-ratelimit-${name}`]),
  )
  if (remaining == null) return
  if (used != null && used + remaining > 0) allowance.left = remaining / (used + remaining)
  if (remaining < 1) allowance.usedUpUntilMs = at.getTime() + (resetSeconds ?? 0) * 1000
}

/** Reddit's own header gives the wait. */
function throttledOr(reply: SourceReply, at: Date): SourceReply {
  if (reply.status !== 429) return reply
  const asked = faultOfStatus(reply.status, reply.headers, at)?.retryAfterSeconds ?? null
  const resetSeconds = numberFrom(reply.headers['x-ratelimit-reset'])
  throw new SourceFault('throttled', 'Reddit answers that it is asked too often', {
    retryAfterSeconds: asked ?? (resetSeconds && Math.ceil(resetSeconds)),
  })
}

function numberFrom(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,6}(?:\.\d{1,6})?$/.test(header.trim()) ? Number(header) : null
}

function toPage(reply: SourceReply, context: CollectContext): SearchPage {
  const { data } = readJson(reply, listing, context.at)
  const reader = itemReader(context, 'reddit')
  const submissions = data.children
    .map((raw) => reader.read(raw, thingOf(raw, 't3', submission)))
    .filter((item) => item !== null && item !== 'other')
  reader.judge()
  return pageFrom(
    submissions.map((submission) => fromSubmission(submission, context.at, { maybeEscaped: false })),
    submissions.map((submission) => submission.created_utc * 1000),
    data.after,
  )
}

/** Comments may nest deeper than the call stack allows. */
function commentsBelow(reply: SourceReply, post: Post, context: CollectContext): Post[] {
  const [, top] = readJson(reply, threadReply, context.at)
  const reader = itemReader(context, 'reddit')
  const found: Post[] = []
  const below = (children: readonly unknown[], parent: Parent | null) => children.map((raw) => ({ raw, parent }))
  const waiting = below(top.data.children, { author: post.author?.handle ?? null, url: post.url, text: post.title })
  for (let read = 0; waiting.length > 0 && read < MOST_COMMENTS; read += 1) {
    const { raw, parent } = waiting.pop()!
    const said = reader.read(raw, thingOf(raw, 't1', comment))
    if (said === null || said === 'other') continue
    const answer = fromComment(said, { thread: post.url, parent }, context.at)
    if (answer) found.push(answer)
    const answers = listing.safeParse(said.replies)
    if (answers.success)
      waiting.push(
        ...below(answers.data.data.children, answer && { author: said.author, url: answer.url, text: answer.text }),
      )
  }
  reader.judge()
  return found
}
