import type { Post } from '../../domain/post/post.ts'
import { type CollectContext, SourceFault, type SourceReply } from '../contract.ts'
import { itemReader, readItems } from '../read-items.ts'
import { readJson } from '../reply-fault.ts'
import { fromArticle, fromComment, type Parent } from './to-post.ts'
import { article, comment, type Listed, list, listed } from './wire.ts'

export const HOST = 'dev.to'
const MOST_COMMENTS = 2000
/** Statuses below 500 that do not concern the requested article. */
const PASSING = new Set([401, 407, 408, 425, 429])

export interface Api {
  /** Pages count from 1. */
  latest(context: CollectContext, page: number, size: number): Promise<Listed[]>
  found(context: CollectContext, words: string, days: number, size: number): Promise<Listed[]>
  /** Null if the article was deleted. */
  article(context: CollectContext, id: number): Promise<Post | null>
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

/** An article may be deleted after it was listed. A refusal concerns only this article, except 401. */
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

/** Comments may nest deeper than the call stack allows. */
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
