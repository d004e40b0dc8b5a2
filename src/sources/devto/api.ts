import type { Post } from '../../domain/post/post.ts'
import { type CollectContext, SourceFault, type SourceReply } from '../contract.ts'
import { itemReader, readItems } from '../read-items.ts'
import { readJson } from '../reply-fault.ts'
import { fromArticle, fromComment, type Parent } from './to-post.ts'
import { article, comment, type Listed, list, listed } from './wire.ts'

export const HOST = 'dev.to'
/** So many comments are looked at below one article. */
const MOST_COMMENTS = 2000
/** Statuses below 500 that say nothing about what was asked for. */
const PASSING = new Set([401, 407, 408, 425, 429])

/** The requests that are made of the platform. */
export interface Api {
  /** A page of the newest articles, counted from 1. */
  latest(context: CollectContext, page: number, size: number): Promise<Listed[]>
  /** Articles of the last days that hold the words, the ones that people like best first. */
  found(context: CollectContext, words: string, days: number, size: number): Promise<Listed[]>
  /** The article; null when it is no longer there. */
  article(context: CollectContext, id: number): Promise<Post | null>
  /** All comments below an article that are there to read; none when it is no longer there. */
  comments(context: CollectContext, id: number, below: Parent): Promise<Post[]>
}

export function createApi(key: string | null): Api {
  const headers = { accept: 'application/vnd.forem.api-v1+json', ...(key === null ? {} : { 'api-key': key }) }
  const ask = (context: CollectContext, path: string, parameters: Record<string, string | number>) => {
    const url = new URL(`https://${HOST}/api/${path}`)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
    return context.fetch(url.href, { headers, cost: { requests: 1 } })
  }
  return {
    latest: async (context, page, size) =>
      toListed(await ask(context, 'articles/latest', { page, per_page: size }), context),
    found: async (context, words, days, size) =>
      toListed(await ask(context, 'articles/search', { q: words, top: days, page: 1, per_page: size }), context),
    async article(context, id) {
      const reply = await ask(context, `articles/${id}`, {})
      return isGone(reply) ? null : fromArticle(readJson(reply, article, context.at), context.at)
    },
    async comments(context, id, below) {
      const reply = await ask(context, 'comments', { a_id: id })
      return isGone(reply) ? [] : toComments(readJson(reply, list, context.at), below, context)
    },
  }
}

/**
 * Between the list and the article it may have been taken back. A refusal of one article is its own trouble: only 401
 * says that the key is refused.
 */
function isGone({ status }: SourceReply): boolean {
  if (status === 404 || status === 410) return true
  const ownTrouble = status >= 400 && status < 500 && !PASSING.has(status)
  if (ownTrouble)
    throw new SourceFault('unavailable', `the platform answers with status ${status} for one article`, {
      onlyThis: true,
    })
  return false
}

function toListed(reply: SourceReply, context: CollectContext): Listed[] {
  return readItems(readJson(reply, list, context.at), listed, context, 'devto')
}

/**
 * Comments hang below each other; the walk keeps its own stack, because they can be nested deeper than calls can be.
 */
function toComments(raw: readonly unknown[], below: Parent, context: CollectContext): Post[] {
  const reader = itemReader(context, 'devto')
  const found: Post[] = []
  const waiting = raw.map((item) => ({ raw: item, parent: below as Parent | null }))
  for (let read = 0; waiting.length > 0 && read < MOST_COMMENTS; read += 1) {
    const { raw: item, parent } = waiting.pop()!
    const said = reader.read(item, comment)
    if (said === null) continue
    const post = fromComment(said, parent, context.at)
    if (post) found.push(post)
    const answered = post && { author: said.user.username ?? null, url: post.url, text: post.text }
    for (const child of said.children) waiting.push({ raw: child, parent: answered })
  }
  reader.judge()
  return found
}
