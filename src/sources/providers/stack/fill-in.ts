import type { Post, ReplyTo } from '../../../domain/post/post.ts'
import type { CollectContext } from '../../contract.ts'
import { boundedEngagement, boundedReplyTo } from '../../normal-post.ts'
import { readItems } from '../../read-items.ts'
import { type Api, PAGE_SIZE } from './api.ts'
import { isComment, pageUrl, parentOf } from './to-post.ts'
import { answer, post as postShape, question } from './wire.ts'

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
      ...(engagement ? { engagement: boundedEngagement({ ...post.engagement, ...engagement }) } : {}),
      ...(replyTo ? { replyTo: { ...(post.replyTo ?? { author: null, text: null }), ...replyTo } } : {}),
    }
  })
}

const isQuestion = ({ nativeId, title }: Post): boolean => !isComment(nativeId) && title !== null
const isAnswer = ({ nativeId, title }: Post): boolean => !isComment(nativeId) && title === null

type Counts = { readonly [Count in 'replies' | 'views']: number | null | undefined }

async function countsOf(context: CollectContext, api: Api, posts: readonly Post[]): Promise<Map<string, Counts>> {
  const items = await byIds(
    api,
    'questions',
    posts.map(({ nativeId }) => nativeId),
  )
  return new Map(
    readItems(items, question, context, api.site.platform).map((item) => [
      String(item.question_id),
      { replies: item.answer_count, views: item.view_count },
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

async function parentsOf(
  context: CollectContext,
  api: Api,
  comments: readonly Post[],
): Promise<Map<string, ReplyTo | null>> {
  const items = await byIds(
    api,
    'posts',
    comments.flatMap((comment) => parentId(comment) ?? []),
  )
  return new Map(
    readItems(items, postShape, context, api.site.platform).map((item) => [
      String(item.post_id),
      boundedReplyTo(parentOf(item, api.site)),
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
