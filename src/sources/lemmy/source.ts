import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import type { CollectContext, StreamSource } from '../contract.ts'
import { type ListedItem, type NewestLists, pollNewest } from '../newest-lists.ts'
import { partsPoller } from '../parts.ts'
import { readItems } from '../read-items.ts'
import { ask, PAGE } from './api.ts'
import { enrichWith } from './enrich.ts'
import { searchWith } from './search.ts'
import { fromCommentView, fromPostView, secondsOf } from './to-post.ts'
import { commentList, commentView, type Dated, postList, postView } from './wire.ts'

type List = 'posts' | 'comments'

const LISTS = {
  platform: 'lemmy',
  lists: ['posts', 'comments'],
  // Two hours of the largest server; a poll needs the first only.
  mostPages: 40,
  // Posts of other servers arrive late and stand at the time when they were written.
  overlapSeconds: 1800,
  arriveLate: true,
  mostIds: 2000,
} as const satisfies Partial<NewestLists<List>>

export interface LemmyOptions {
  /** Each shows posts of the whole federation. */
  servers: readonly string[]
}

/** Every post and comment that a server of Lemmy knows, of its own and of other servers. */
export function lemmy({ servers }: LemmyOptions): StreamSource {
  return {
    platform: 'lemmy',
    hosts: servers,
    // Usual settings of a server: 180 readings a minute, 60 searches in ten minutes.
    limits: [
      { quota: 'requests', kind: 'paced', most: 120, perSeconds: 60, burst: 10 },
      { quota: 'searches', kind: 'paced', most: 50, perSeconds: 600, burst: 10 },
    ],
    mode: 'stream',
    pollSeconds: PLATFORM_FACTS.lemmy.pollSeconds,
    poll: partsPoller({
      platform: 'lemmy',
      names: servers,
      concernsAll: () => false,
      poll: (context, server, cursor) =>
        pollNewest<List>(context, cursor, { ...LISTS, part: server, read: (...asked) => readPage(server, ...asked) }),
    }),
    searching: { termsPerSearch: 1, search: searchWith(servers) },
    enrich: enrichWith(servers),
  }
}

async function readPage(server: string, context: CollectContext, list: List, page: number): Promise<ListedItem[]> {
  const parameters = { type_: 'All', sort: 'New', limit: PAGE, page }
  const part = { list, server }
  if (list === 'posts') {
    const { posts } = await ask(context, { server, call: 'post/list', parameters, shape: postList })
    const views = readItems(posts, postView, context, 'lemmy', { part })
    return views.flatMap((view) => itemsOf(view.post, () => fromPostView(view, context.at)))
  }
  const { comments } = await ask(context, { server, call: 'comment/list', parameters, shape: commentList })
  const views = readItems(comments, commentView, context, 'lemmy', { part })
  return views.flatMap((view) => itemsOf(view.comment, () => fromCommentView(view, server, context.at)))
}

/** A poll reads the whole overlap again, so that only new items are converted. */
function itemsOf(said: Dated & { ap_id: string }, toPost: () => Post | null): ListedItem[] {
  const seconds = secondsOf(said)
  return seconds === null ? [] : [{ nativeId: said.ap_id, seconds, toPost }]
}
