import { z } from 'zod'

const time = z.iso.datetime({ offset: true })
const nodeId = z.string().regex(/^[\w=-]{1,200}$/)
const count = z.number().nullish()
/** The address of a thread or comment, which names the repository. */
export const THREAD_ADDRESS =
  /^https:\/\/github\.com\/([\w.-]{1,100})\/([\w.-]{1,100})\/(?:issues|pull|discussions)\/(\d{1,12})(?:#[\w-]{1,100})?$/
const threadAddress = z.string().regex(THREAD_ADDRESS)

// REST

/** Null for deleted accounts. */
const user = z
  .object({
    login: z.string().min(1),
    id: z.int().positive(),
    html_url: z.string().nullish(),
    avatar_url: z.string().nullish(),
    type: z.string().nullish(),
  })
  .nullish()

const reactions = z.object({ '+1': count, laugh: count, hooray: count, heart: count, rocket: count }).nullish()

export const searchReply = z.object({
  total_count: z.int().nonnegative(),
  incomplete_results: z.boolean(),
  items: z.array(z.unknown()).max(100),
})

export const issue = z.object({
  node_id: nodeId,
  html_url: threadAddress,
  title: z.string(),
  body: z.string().nullish(),
  user,
  comments: z.int().nonnegative(),
  created_at: time,
  updated_at: time,
  reactions,
  /** Only a hint, so an unknown form counts as none. */
  text_matches: z
    .array(z.object({ object_type: z.string().nullish() }))
    .nullish()
    .catch(null),
})

export const commentsReply = z.array(z.unknown()).max(100)

export const comment = z.object({
  node_id: nodeId,
  html_url: threadAddress,
  body: z.string().nullish(),
  user,
  created_at: time,
  reactions,
})

export const person = z.object({
  id: z.int().positive(),
  name: z.string().max(10_000).nullish(),
  followers: z.int().nonnegative().nullish(),
})

// GraphQL

/** Null for deleted accounts. */
const actor = z
  .object({
    __typename: z.string(),
    login: z.string().min(1),
    url: z.string().nullish(),
    avatarUrl: z.string().nullish(),
    databaseId: z.int().positive().nullish(),
    name: z.string().nullish(),
    followers: z.object({ totalCount: count }).nullish(),
  })
  .nullish()

const said = { id: nodeId, url: threadAddress, body: z.string(), createdAt: time, upvoteCount: count, author: actor }
const discussionReply = z.object(said)
export const discussionComment = z.object({
  ...said,
  replies: z.object({ totalCount: count, nodes: z.array(discussionReply.nullable()).nullish() }).nullish(),
})

export const discussion = z.object({
  ...said,
  title: z.string(),
  comments: z.object({ totalCount: z.int().nonnegative(), nodes: z.array(z.unknown()).nullish() }),
})

const problem = z.object({ type: z.string().nullish(), message: z.string().nullish() })

/** With status 200. */
export const graphqlReply = z.object({
  data: z
    .object({
      search: z
        .object({
          nodes: z.array(z.unknown()).max(100),
          pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
        })
        .nullish(),
      rateLimit: z.object({ cost: z.number().nonnegative() }).nullish(),
    })
    .nullish(),
  errors: z.array(problem).nullish(),
})

export type User = z.infer<typeof user>
export type Reactions = z.infer<typeof reactions>
export type Issue = z.infer<typeof issue>
export type Comment = z.infer<typeof comment>
export type Actor = z.infer<typeof actor>
export type Discussion = z.infer<typeof discussion>
export type DiscussionComment = z.infer<typeof discussionComment>
export type DiscussionReply = z.infer<typeof discussionReply>
