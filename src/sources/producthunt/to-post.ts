import type { Author, Post } from '../../domain/post/post.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { addressesIn } from '../addresses-in.ts'
import { htmlToText } from '../html-text.ts'
import { normalPost } from '../normal-post.ts'
import type { Comment, Launch, User } from './wire.ts'

/** What a comment answers. */
export interface Discussed {
  url: string
  name: string
}

export function launchToPost(launch: Launch, at: Date): Post | null {
  const description = launch.description ?? ''
  return normalPost(
    {
      platform: 'producthunt',
      nativeId: `post:${launch.id}`,
      url: withoutTracking(launch.url),
      title: launch.name,
      text: [launch.tagline, description].filter(Boolean).join('\n\n'),
      links: [launch.website && withoutTracking(launch.website), ...addressesIn(description)],
      imageUrl: launch.thumbnail?.url ?? null,
      publishedAt: new Date(launch.createdAt),
      engagement: { likes: launch.votesCount, replies: launch.commentsCount },
      author: authorOf(launch.user),
    },
    at,
  )
}

export function commentToPost(comment: Comment, { url, name }: Discussed, at: Date): Post | null {
  const body = htmlToText(comment.body)
  if (body.text === '') return null
  return normalPost(
    {
      platform: 'producthunt',
      nativeId: `comment:${comment.id}`,
      url: withoutTracking(comment.url),
      text: body.text,
      links: body.links,
      imageUrl: body.images[0] ?? null,
      publishedAt: new Date(comment.createdAt),
      engagement: { likes: comment.votesCount },
      replyTo: { url, text: name },
      author: authorOf(comment.user),
    },
    at,
  )
}

/** The interface marks addresses with the application that asked. */
export function withoutTracking(address: string): string {
  if (!canParse(address)) return address
  const url = new URL(address)
  for (const name of [...url.searchParams.keys()]) if (/^(?:utm_.*|ref)$/.test(name)) url.searchParams.delete(name)
  return url.href
}

/** Null for a person who is not shown to this token. */
function authorOf(user: User): Partial<Author> | null {
  if (!user?.username || user.id === '0' || !/^[\w-]{1,60}$/.test(user.username)) return null
  return {
    id: user.id ?? null,
    name: user.name ?? user.username,
    handle: user.username,
    url: `https://www.producthunt.com/@${user.username}`,
    avatarUrl: user.profileImage ?? null,
  }
}
