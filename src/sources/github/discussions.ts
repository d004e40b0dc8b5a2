import { type CollectContext, type SearchQuery, SourceFault, type SourceReply } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { readJson } from '../reply-fault.ts'
import { API, ask, resetSeconds } from './ask.ts'
import { type Discussion, type DiscussionComment, discussion, discussionComment, graphqlReply } from './wire.ts'

const MAX_PAGES = 5
/** A hundredth of the lists a request may open (one search, 20 lists of comments, 400 of replies). */
const POINTS = 4
/** More discussions with invalid comments are a fault of the platform. */
const MOST_ODD = 3
const TIMEOUT = /time[sd]?[ -]?out/i

export interface FoundDiscussion {
  opening: Discussion
  comments: DiscussionComment[]
}

/** Named unlike the arguments, so that the text can be searched. */
const QUERY = `
query Discussions($wanted: String!, $behind: String) {
  search(type: DISCUSSION, query: $wanted, first: 20, after: $behind) {
    pageInfo { hasNextPage endCursor }
    nodes {
      ... on Discussion {
        ...said
        title
        comments(last: 20) { totalCount nodes { ...said replies(last: 10) { totalCount nodes { ...said } } } }
      }
    }
  }
  rateLimit { cost }
}
fragment said on Node {
  ... on Discussion { id url body createdAt upvoteCount author { ...person } }
  ... on DiscussionComment { id url body createdAt upvoteCount author { ...person } }
}
fragment person on Actor {
  __typename login url avatarUrl
  ... on User { databaseId name followers { totalCount } }
  ... on Bot { databaseId }
}`

export async function* findDiscussions(
  context: CollectContext,
  token: string,
  q: string,
  { since, limit }: SearchQuery,
): AsyncIterable<FoundDiscussion[]> {
  let behind: string | null = null
  const troubles: SourceFault[] = []
  for (let page = 1, found = 0; page <= MAX_PAGES && found < limit; page += 1) {
    const body = { query: QUERY, variables: { wanted: `${q} sort:updated-desc`, behind } }
    const { nodes, pageInfo } = searched(
      context,
      await ask(context, token, `${API}/graphql`, { cost: { points: POINTS }, body }),
    )
    const discussions = readItems(nodes, discussion, context, 'github')
    if (discussions.length > 0)
      yield discussions.map((discussion) => ({
        opening: discussion,
        comments: commentsOf(discussion, context, troubles),
      }))
    if (troubles.length >= MOST_ODD) throw troubles[0]!
    found += discussions.filter((discussion) => Date.parse(discussion.createdAt) >= since.getTime()).length
    behind = pageInfo.endCursor ?? null
    if (!pageInfo.hasNextPage || behind === null) return
  }
}

/** Neither the discussion nor the others are lost. */
function commentsOf({ comments }: Discussion, context: CollectContext, troubles: SourceFault[]): DiscussionComment[] {
  const nodes = (comments.nodes ?? []).filter((node) => node !== null)
  try {
    return readItems(nodes, discussionComment, context, 'github')
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error
    troubles.push(error)
    return []
  }
}

/** Errors come with status 200: with data they concern single nodes, without it the whole query. */
function searched(context: CollectContext, reply: SourceReply) {
  const { data, errors } = readJson(reply, graphqlReply, context.at)
  if (data?.rateLimit) context.spend({ points: data.rateLimit.cost - POINTS })
  if (data?.search) {
    if (errors?.length)
      context.log.warn(
        {
          event: 'source.discussions_withheld',
          platform: 'github',
          errors: errors.length,
          first: errors[0]?.message?.slice(0, 200),
        },
        'Some discussions are not shown',
      )
    return data.search
  }
  const first = errors?.[0]
  if (first?.type === 'RATE_LIMITED' || first?.type === 'RATE_LIMIT') {
    throw new SourceFault('throttled', 'the points of this hour are used up', {
      retryAfterSeconds: resetSeconds(reply, context.at),
    })
  }
  if (first?.type === 'FORBIDDEN' || first?.type === 'INSUFFICIENT_SCOPES')
    throw new SourceFault('credentials', 'the token may not search discussions')
  if (errors?.some(({ message }) => TIMEOUT.test(message ?? '')))
    throw new SourceFault('unavailable', 'the search for discussions took the platform too long')
  throw new SourceFault(
    'shape_changed',
    `the query is not understood: ${first?.message?.slice(0, 200) ?? 'neither data nor errors'}`,
  )
}
