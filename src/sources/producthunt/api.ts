import type { z } from 'zod'
import { type CollectContext, SourceFault, type SourceReply } from '../contract.ts'
import { faultOfStatus, readJson, retryAfterFrom, saidIn } from '../reply-fault.ts'
import { complaints } from './wire.ts'

export const HOST = 'api.producthunt.com'
/** Most posts or comments of one list. */
export const PAGE = 20
/** Discussions of one request. */
export const DISCUSSIONS = 5
/** Complexity that the platform admits in so many seconds. */
export const POINTS = { most: 6250, perSeconds: 900 } as const
const DAY_SECONDS = 86_400

const USER = 'user { id name username url profileImage }'
const LAUNCH = `id name tagline description url website createdAt votesCount commentsCount thumbnail { url } ${USER}`
const LAUNCHES =
  'query ($since: DateTime, $after: String) {' +
  ` posts(order: NEWEST, postedAfter: $since, first: ${PAGE}, after: $after)` +
  ` { edges { node { ${LAUNCH} } } pageInfo { endCursor hasNextPage } } }`
const COMMENTS = `{ edges { node { id body createdAt url votesCount ${USER} } } pageInfo { endCursor hasNextPage } }`

export interface Query {
  query: string
  variables: Record<string, string | null>
  points: number
}

export function launchesSince(since: Date, after: string | null): Query {
  return { query: LAUNCHES, variables: { since: since.toISOString(), after }, points: 1 + PAGE }
}

/** The newest comments of some posts; answers by the alias `p<id>`. Ids are digits. */
export function commentsOf(ids: readonly string[], after: string | null): Query {
  const start = after === null ? '' : ', after: $after'
  const lists = ids.map(
    (id) => `p${id}: post(id: "${id}") { comments(first: ${PAGE}, order: NEWEST${start}) ${COMMENTS} }`,
  )
  return {
    query: after === null ? `query { ${lists.join(' ')} }` : `query ($after: String) { ${lists.join(' ')} }`,
    variables: after === null ? {} : { after },
    points: 1 + ids.length * (1 + PAGE),
  }
}

export type Ask = <Shape extends z.ZodType>(
  context: CollectContext,
  query: Query,
  shape: Shape,
) => Promise<z.infer<Shape>>

export function asking(token: string): Ask {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' }
  return async (context, { query, variables, points }, shape) => {
    const reply = await context.fetch(`https://${HOST}/v2/api/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
      cost: { points },
    })
    const fault = faultOf(reply, context.at)
    if (fault) throw fault
    return readJson(reply, shape, context.at)
  }
}

function faultOf(reply: SourceReply, at: Date): SourceFault | null {
  const [first] = saidIn(reply, complaints)?.errors ?? []
  const reason = first?.error ?? ''
  if (reply.status === 429 || reason === 'rate_limit_reached')
    return new SourceFault('throttled', 'the points of the token are used up', {
      retryAfterSeconds: resetIn(reply, at),
    })
  if (reason === 'invalid_oauth_token') return new SourceFault('credentials', 'the token is refused')
  const fault = faultOfStatus(reply.status, reply.headers, at)
  if (fault !== null || first === undefined) return fault
  return new SourceFault('shape_changed', `the platform refused: ${(first.message ?? reason).slice(0, 200)}`)
}

/** The header counts the seconds that are left. */
function resetIn({ headers }: SourceReply, at: Date): number | null {
  const seconds = headers['x-rate-limit-reset']?.trim() ?? ''
  return /^\d{1,9}$/.test(seconds) ? Math.min(DAY_SECONDS, Number(seconds)) : retryAfterFrom(headers['retry-after'], at)
}
