import type { Post } from '../../domain/post/post.ts'
import { askAtOnce } from '../at-once.ts'
import type { CollectContext } from '../contract.ts'
import { htmlToText } from '../html-text.ts'
import { boundedReplyTo } from '../normal-post.ts'
import { readJson } from '../reply-fault.ts'
import { HOST } from './api.ts'
import { itemUrl } from './to-post.ts'
import { hit, item, searchReply } from './wire.ts'

/** One request per parent; further comments stay as they are. */
const MOST_PARENTS = 50

interface Parent {
  author: string | null
  text: string | null
}

interface Page {
  id: string
  title: string | null
}

/** The search gives only the parent's address. A partial result is useful. */
export async function enrich(context: CollectContext, posts: readonly Post[]): Promise<Post[]> {
  const pages = new Map(posts.flatMap((post) => pageOf(post) ?? []).map((page) => [page.id, page]))
  const known = new Map<string, Parent | null>()
  await askAtOnce(context, [...pages.values()].slice(0, MOST_PARENTS), async ({ id, title }) => {
    // A story's item would include its whole thread.
    known.set(id, await (title === null ? commentBy(id, context) : storyBy(id, context)))
  })
  return posts.map((post) => withParent(post, known))
}

function pageOf({ replyTo }: Post): Page | null {
  const id = replyTo?.url?.match(/^.*\?id=(\d{1,15})$/)?.[1]
  return id === undefined || replyTo?.url !== itemUrl(id) ? null : { id, title: replyTo.text }
}

function withParent(post: Post, known: ReadonlyMap<string, Parent | null>): Post {
  const page = pageOf(post)
  const parent = page && known.get(page.id)
  if (!page || !parent) return post
  const replyTo = { url: itemUrl(page.id), author: parent.author, text: page.title ?? parent.text }
  return { ...post, replyTo: boundedReplyTo(replyTo) }
}

async function commentBy(id: string, context: CollectContext): Promise<Parent | null> {
  const reply = await context.fetch(`https://${HOST}/api/v1/items/${id}`, { cost: { requests: 1 } })
  if (reply.status === 404) return null
  const { author, text } = readJson(reply, item, context.at)
  return { author: author ?? null, text: htmlToText(text ?? '').text }
}

async function storyBy(id: string, context: CollectContext): Promise<Parent | null> {
  const url = `https://${HOST}/api/v1/search_by_date?tags=story,story_${id}&hitsPerPage=1`
  const { hits } = readJson(await context.fetch(url, { cost: { requests: 1 } }), searchReply, context.at)
  const story = hit.safeParse(hits[0])
  return story.success && story.data.objectID === id ? { author: story.data.author, text: null } : null
}
