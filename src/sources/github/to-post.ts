import type { Author, Post, ReplyTo } from '../../domain/post/post.ts'
import { markdownToText } from '../markdown-text.ts'
import { normalPost, type PostDraft } from '../normal-post.ts'
import type { Actor, Comment, Discussion, DiscussionComment, DiscussionReply, Issue, Reactions, User } from './wire.ts'

export function issueToPost(issue: Issue, at: Date): Post | null {
  return toPost(
    {
      nativeId: issue.node_id,
      url: issue.html_url,
      title: issue.title,
      markdown: issue.body ?? '',
      publishedAt: new Date(issue.created_at),
      engagement: { likes: likesOf(issue.reactions), replies: issue.comments },
      author: fromUser(issue.user),
    },
    at,
  )
}

export function commentToPost(comment: Comment, issue: Issue, at: Date): Post | null {
  return saidToPost(
    {
      nativeId: comment.node_id,
      url: comment.html_url,
      markdown: comment.body ?? '',
      publishedAt: new Date(comment.created_at),
      engagement: { likes: likesOf(comment.reactions) },
      replyTo: { author: issue.user?.login ?? null, url: issue.html_url, text: issue.title },
      author: fromUser(comment.user),
    },
    at,
  )
}

export function discussionToPosts(discussion: Discussion, comments: readonly DiscussionComment[], at: Date): Post[] {
  const opening = toPost(
    {
      ...said(discussion),
      title: discussion.title,
      engagement: { likes: discussion.upvoteCount, replies: discussion.comments.totalCount },
    },
    at,
  )
  const thread: Partial<ReplyTo> = {
    author: discussion.author?.login ?? null,
    url: discussion.url,
    text: discussion.title,
  }
  const answers = comments.flatMap((comment) => [
    saidToPost(
      {
        ...said(comment),
        engagement: { likes: comment.upvoteCount, replies: comment.replies?.totalCount },
        replyTo: thread,
      },
      at,
    ),
    ...(comment.replies?.nodes ?? []).map((reply) =>
      reply === null ? null : saidToPost({ ...said(reply), replyTo: parentOf(comment) }, at),
    ),
  ])
  return [opening, ...answers].filter((post): post is Post => post !== null)
}

type Draft = Omit<PostDraft, 'platform' | 'text' | 'links' | 'imageUrl'> & { markdown: string }

function toPost({ markdown, ...draft }: Draft, at: Date): Post | null {
  const { text, links, images } = markdownToText(markdown)
  return normalPost({ ...draft, platform: 'github', text, links, imageUrl: images[0] ?? null }, at)
}

function saidToPost(draft: Draft, at: Date): Post | null {
  const post = toPost(draft, at)
  return post !== null && (post.text !== '' || post.links.length > 0) ? post : null
}

function said(item: DiscussionReply): Draft {
  return {
    nativeId: item.id,
    url: item.url,
    markdown: item.body,
    publishedAt: new Date(item.createdAt),
    engagement: { likes: item.upvoteCount },
    author: fromActor(item.author),
  }
}

function parentOf(comment: DiscussionComment): Partial<ReplyTo> {
  return { author: comment.author?.login ?? null, url: comment.url, text: markdownToText(comment.body).text }
}

/** Null if the platform gives no counts. */
function likesOf(reactions: Reactions): number | null {
  if (!reactions) return null
  const counts = [reactions['+1'], reactions.heart, reactions.hooray, reactions.rocket, reactions.laugh].filter(
    (value) => value != null,
  )
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
}

function fromUser(user: User): Partial<Author> | null {
  if (!user) return null
  return {
    id: String(user.id),
    name: user.login,
    handle: user.login,
    url: user.html_url ?? `https://github.com/${user.login}`,
    avatarUrl: user.avatar_url ?? null,
    automated: user.type === 'Bot' ? true : null,
  }
}

function fromActor(actor: Actor): Partial<Author> | null {
  if (!actor) return null
  return {
    id: actor.databaseId == null ? null : String(actor.databaseId),
    name: actor.name?.trim() || actor.login,
    handle: actor.login,
    url: actor.url ?? `https://github.com/${actor.login}`,
    avatarUrl: actor.avatarUrl ?? null,
    followers: actor.followers?.totalCount ?? null,
    automated: actor.__typename === 'Bot' ? true : null,
  }
}
