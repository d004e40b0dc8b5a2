import type { Post, ReplyTo } from '../../domain/post/post.ts'
import { askAtOnce } from '../at-once.ts'
import type { CollectContext } from '../contract.ts'
import { htmlToText } from '../html-text.ts'
import { boundedEngagement, boundedReplyTo } from '../normal-post.ts'
import { readJson } from '../reply-fault.ts'
import { SITE } from './to-post.ts'
import { type Comment, comment, SHORT_ID } from './wire.ts'

/** Up to two requests each, a second apart; further comments stay as they are. */
const MOST_COMMENTS = 5

/** The list of comments has no scores and names no parents. */
export async function enrich(context: CollectContext, posts: readonly Post[]): Promise<Post[]> {
  const filled = new Map<string, Post>()
  const wanted = posts.filter(({ nativeId }) => nativeId.startsWith('c:')).slice(0, MOST_COMMENTS)
  await askAtOnce(context, wanted, async (post) => {
    const said = await commentBy(context, post.nativeId.slice('c:'.length))
    if (said !== null) filled.set(post.nativeId, withDetails(post, said, await parentOf(context, post, said)))
  })
  return posts.map((post) => filled.get(post.nativeId) ?? post)
}

function withDetails(post: Post, { score }: Comment, replyTo: Partial<ReplyTo>): Post {
  const engagement = boundedEngagement(score == null ? null : { likes: Math.max(0, score) })
  return { ...post, replyTo: boundedReplyTo(replyTo) ?? post.replyTo, engagement: engagement ?? post.engagement }
}

/** The comment that it answers, or its story. */
async function parentOf(context: CollectContext, { replyTo }: Post, said: Comment): Promise<Partial<ReplyTo>> {
  const parent = said.parent_comment ? await commentBy(context, said.parent_comment) : null
  if (parent !== null)
    return {
      author: parent.commenting_user ?? null,
      url: `${SITE}/c/${parent.short_id}`,
      text: htmlToText(parent.comment).text,
    }
  const story = said.url.match(/^https:\/\/lobste\.rs\/s\/\w{4,8}(?=[/#]|$)/)?.[0]
  return { text: replyTo?.text ?? null, url: story ?? null }
}

/** Null for a comment that was deleted: the site answers 400 or 404. */
async function commentBy(context: CollectContext, id: string): Promise<Comment | null> {
  if (!SHORT_ID.test(id)) return null
  const reply = await context.fetch(`${SITE}/c/${id}.json`, { cost: { requests: 1 } })
  return reply.status === 400 || reply.status === 404 ? null : readJson(reply, comment, context.at)
}
