import type { Author, Post } from '../../domain/post/post.ts'
import { htmlToText } from '../html-text.ts'
import { normalPost } from '../normal-post.ts'
import type { CommentItem, Story } from './wire.ts'

export const SITE = 'https://lobste.rs'

export function commentUrl(id: string): string {
  return `${SITE}/c/${id}`
}

export function storyToPost(story: Story, at: Date): Post | null {
  const html = htmlToText(story.description ?? '')
  return normalPost(
    {
      platform: 'lobsters',
      nativeId: `s:${story.short_id}`,
      // Without the words of the title, which may change.
      url: `${SITE}/s/${story.short_id}`,
      title: story.title,
      text: html.text,
      links: [story.url, ...html.links],
      publishedAt: new Date(story.created_at),
      engagement: { likes: story.score == null ? null : Math.max(0, story.score), replies: story.comment_count },
      author: authorOf(story.submitter_user),
    },
    at,
  )
}

export function commentToPost({ title, link, author, pubDate, description }: CommentItem, at: Date): Post | null {
  const html = htmlToText(description)
  if (html.text === '') return null
  return normalPost(
    {
      platform: 'lobsters',
      nativeId: `c:${link.slice(commentUrl('').length)}`,
      url: link,
      text: html.text,
      links: html.links,
      publishedAt: new Date(pubDate),
      replyTo: { text: htmlToText(title).text },
      author: authorOf(author?.match(/^([\w-]{1,40})@/)?.[1]),
    },
    at,
  )
}

function authorOf(name: string | null | undefined): Partial<Author> | null {
  if (!name || !/^[\w-]{1,40}$/.test(name)) return null
  return { id: name, name, handle: name, url: `${SITE}/~${name}`, avatarUrl: `${SITE}/avatars/${name}-100.png` }
}
