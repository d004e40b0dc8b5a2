import type { Engagement, Post, ReplyTo } from '../../../domain/post/post.ts'
import { cleanLine, cleanText, excerpt, truncateBytes } from '../../../kernel/text.ts'
import type { CollectContext } from '../../contract.ts'
import { readItems } from '../../read-items.ts'
import { type Api, PAGE_SIZE } from './api.ts'
import { isComment, pageUrl, parentOf } from './to-post.ts'
import { answer, post as postShape, question } from './wire.ts'

const NO_COUNTS: Engagement = { likes: null, reposts: null, replies: null, quotes: null, views: null, bookmarks: null }
/** Only shown beside the post. */
const PARENT_BYTES = 2000
const NAME_CHARACTERS = 200

/**
 * For posts of one site, their ids without its prefix. One request of up to a hundred posts for questions, answers and
 * comments each; further posts stay as they are.
 */
export async function fillIn(context: CollectContext, api: Api, posts: readonly Post[]): Promise<Post[]> {
  const counts = await countsOf(context, api, posts.filter(isQuestion))
  const questions = await questionsOf(context, api, posts.filter(isAnswer))
  const parents = await parentsOf(
    context,
    api,
    posts.filter(({ nativeId }) => isComment(nativeId)),
  )
  return posts.map((post) => {
    const engagement = counts.get(post.nativeId)
    const replyTo = isAnswer(post) ? questions.get(post.nativeId) : parents.get(parentId(post) ?? '')
    return {
      ...post,
      ...(engagement ? { engagement: { ...NO_COUNTS, ...post.engagement, ...engagement } } : {}),
      ...(replyTo ? { replyTo: { ...(post.replyTo ?? { author: null, text: null }), ...replyTo } } : {}),
    }
  })
}

const isQuestion = ({ nativeId, title }: Post): boolean => !isComment(nativeId) && title !== null
const isAnswer = ({ nativeId, title }: Post): boolean => !isComment(nativeId) && title === null

type Counts = Pick<Engagement, 'replies' | 'views'>

async function countsOf(context: CollectContext, api: Api, posts: readonly Post[]): Promise<Map<string, Counts>> {
  const items = await byIds(
    api,
    'questions',
    posts.map(({ nativeId }) => nativeId),
  )
  return new Map(
    readItems(items, question, context, api.site.platform).map((item) => [
      String(item.question_id),
      { replies: counted(item.answer_count), views: counted(item.view_count) },
    ]),
  )
}

async function questionsOf(
  context: CollectContext,
  api: Api,
  posts: readonly Post[],
): Promise<Map<string, Pick<ReplyTo, 'url'>>> {
  const items = await byIds(
    api,
    'answers',
    posts.map(({ nativeId }) => nativeId),
  )
  return new Map(
    readItems(items, answer, context, api.site.platform).map((item) => [
      String(item.answer_id),
      { url: pageUrl(api.site, 'questions', item.question_id) },
    ]),
  )
}

async function parentsOf(context: CollectContext, api: Api, comments: readonly Post[]): Promise<Map<string, ReplyTo>> {
  const items = await byIds(
    api,
    'posts',
    comments.flatMap((comment) => parentId(comment) ?? []),
  )
  return new Map(
    readItems(items, postShape, context, api.site.platform).map((item) => [
      String(item.post_id),
      bounded(parentOf(item, api.site)),
    ]),
  )
}

async function byIds(api: Api, method: 'questions' | 'answers' | 'posts', ids: readonly string[]): Promise<unknown[]> {
  const wanted = [...new Set(ids)].slice(0, PAGE_SIZE)
  return wanted.length === 0 ? [] : (await api.list(method, {}, wanted)).items
}

function parentId({ nativeId, replyTo }: Post): string | null {
  return isComment(nativeId) ? (replyTo?.url?.match(/\/(?:questions|q|a)\/(\d{1,15})$/)?.[1] ?? null) : null
}

function bounded(parent: ReplyTo): ReplyTo {
  return {
    ...parent,
    author: parent.author && excerpt(cleanLine(parent.author), NAME_CHARACTERS),
    text: parent.text && truncateBytes(cleanText(parent.text), PARENT_BYTES),
  }
}

function counted(count: number | null | undefined): number | null {
  return count != null && Number.isSafeInteger(count) && count >= 0 ? count : null
}
