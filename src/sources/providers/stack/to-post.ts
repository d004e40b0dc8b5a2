import type { Author, Post, ReplyTo } from '../../../domain/post/post.ts'
import { htmlToText } from '../../html-text.ts'
import { normalPost } from '../../normal-post.ts'
import type { StackSite } from './site.ts'
import type { Owner, StackComment, StackPost } from './wire.ts'

/** Comments have their own numbers; questions and answers share theirs. */
const COMMENT = 'c:'

export type SitePage = 'questions' | 'a' | 'q'

export function pageUrl({ url }: StackSite, page: SitePage, id: number | string): string {
  return `${url}/${page}/${id}`
}

export function commentId(id: number): string {
  return `${COMMENT}${id}`
}

export function isComment(nativeId: string): boolean {
  return nativeId.startsWith(COMMENT)
}

export function postToPost(post: StackPost, site: StackSite, at: Date): Post | null {
  const html = htmlToText(post.body)
  const title = plain(post.title)
  const answers = post.post_type === 'answer'
  if (html.text === '' && (answers || title === null)) return null
  const address = pageUrl(site, answers ? 'a' : 'questions', post.post_id)
  return normalPost(
    {
      platform: site.platform,
      nativeId: `${site.prefix}${post.post_id}`,
      url: own(post.link, address) ?? address,
      title: answers ? null : title,
      text: html.text,
      links: html.links,
      imageUrl: html.images[0] ?? null,
      publishedAt: new Date(post.creation_date * 1000),
      engagement: { likes: likesOf(post.score) },
      replyTo: answers ? { text: title } : null,
      author: authorOf(post.owner, site),
    },
    at,
  )
}

const PAGE_OF_KIND = new Map<unknown, SitePage>([
  ['answer', 'a'],
  ['question', 'questions'],
])

export function commentToPost(comment: StackComment, site: StackSite, at: Date): Post | null {
  const html = htmlToText(comment.body)
  if (html.text === '') return null
  const page: SitePage = PAGE_OF_KIND.get(comment.post_type) ?? 'q'
  return normalPost(
    {
      platform: site.platform,
      nativeId: `${site.prefix}${commentId(comment.comment_id)}`,
      url:
        own(comment.link, `${site.url}/questions`) ??
        `${pageUrl(site, 'q', comment.post_id)}#comment${comment.comment_id}_${comment.post_id}`,
      text: html.text,
      links: html.links,
      imageUrl: html.images[0] ?? null,
      publishedAt: new Date(comment.creation_date * 1000),
      engagement: { likes: likesOf(comment.score) },
      replyTo: { url: pageUrl(site, page, comment.post_id) },
      author: authorOf(comment.owner, site),
    },
    at,
  )
}

export function parentOf(post: StackPost, site: StackSite): ReplyTo {
  const answers = post.post_type === 'answer'
  return {
    author: plain(post.owner?.display_name),
    url: pageUrl(site, answers ? 'a' : 'questions', post.post_id),
    text: answers ? htmlToText(post.body).text : plain(post.title),
  }
}

function own(link: string | null | undefined, start: string): string | null {
  return link?.startsWith(`${start}/`) ? link : null
}

/** A negative score counts as no likes. */
function likesOf(score: number | null | undefined): number | null {
  return score == null ? null : Math.max(0, score)
}

function authorOf(owner: Owner, site: StackSite): Partial<Author> | null {
  if (!owner) return null
  return {
    id: owner.user_id == null ? null : `${site.prefix}${owner.user_id}`,
    name: plain(owner.display_name),
    url: own(owner.link, site.url),
    avatarUrl: owner.profile_image ?? null,
    // The platform's own accounts have negative ids.
    automated: owner.user_id != null && owner.user_id < 0 ? true : null,
  }
}

/** Titles and names are HTML-escaped. */
function plain(escaped: string | null | undefined): string | null {
  return escaped == null ? null : htmlToText(escaped).text || null
}
