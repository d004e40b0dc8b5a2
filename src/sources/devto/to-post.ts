import type { Post } from '../../domain/post/post.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { htmlToText } from '../html-text.ts'
import { normalPost } from '../normal-post.ts'
import type { Article, Comment } from './wire.ts'

const SITE = 'https://dev.to'

export function fromArticle(article: Article, at: Date): Post | null {
  const html = htmlToText(article.body_html)
  return normalPost(
    {
      platform: 'devto',
      nativeId: `article:${article.id}`,
      url: onSite(article.url),
      title: article.title,
      text: html.text,
      imageUrl: article.cover_image || article.social_image,
      links: [article.canonical_url === article.url ? null : article.canonical_url, ...html.links],
      publishedAt: new Date(article.published_timestamp),
      languageTag: article.language,
      engagement: { likes: article.public_reactions_count, replies: article.comments_count },
      author: authorFrom(article.user),
    },
    at,
  )
}

export function onSite(address: string): string {
  if (address.startsWith(`${SITE}/`)) return address
  return canParse(address) ? `${SITE}${new URL(address).pathname}` : ''
}

export type Parent = { author: string | null; url: string; text: string | null }

export function fromComment(comment: Comment, parent: Parent | null, at: Date): Post | null {
  // A deleted or hidden comment has a bracketed word as text and no author.
  if (!comment.user.username) return null
  const html = htmlToText(comment.body_html)
  if (html.text === '' && html.images.length === 0) return null
  return normalPost(
    {
      platform: 'devto',
      nativeId: `comment:${comment.id_code}`,
      url: `${SITE}/${encodeURIComponent(comment.user.username)}/comment/${comment.id_code}`,
      text: html.text,
      links: html.links,
      publishedAt: new Date(comment.created_at),
      replyTo: parent,
      author: authorFrom(comment.user),
    },
    at,
  )
}

function authorFrom(user: Article['user']): NonNullable<Parameters<typeof normalPost>[0]['author']> {
  const { user_id: id, username, name, profile_image: avatarUrl } = user
  return {
    id: id == null ? null : String(id),
    name: name ?? null,
    handle: username ?? null,
    url: username ? `${SITE}/${encodeURIComponent(username)}` : null,
    avatarUrl: avatarUrl ?? null,
  }
}
