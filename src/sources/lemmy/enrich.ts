import type { Post } from '../../domain/post/post.ts'
import { askAtOnce } from '../at-once.ts'
import { type CollectContext, SourceFault } from '../contract.ts'
import { boundedReplyTo } from '../normal-post.ts'
import { ask } from './api.ts'
import { commentAddress, fromCommentView } from './to-post.ts'
import { singleComment } from './wire.ts'

/** One request each; further comments stay as they are. */
const MOST_PARENTS = 20

interface Parent {
  server: string
  id: string
}

/** The list tells of the comment that a comment answers only the number that its server gave it. */
export function enrichWith(servers: readonly string[]) {
  return async (context: CollectContext, posts: readonly Post[]): Promise<Post[]> => {
    const parents = new Map(posts.flatMap((post) => wantedParent(post, servers) ?? []))
    const known = new Map<string, Post>()
    await askAtOnce(context, [...parents].slice(0, MOST_PARENTS), async ([address, parent]) => {
      const said = await commentBy(context, parent)
      if (said !== null) known.set(address, said)
    })
    return posts.map((post) => withParent(post, known.get(post.replyTo?.url ?? '')))
  }
}

function wantedParent({ replyTo }: Post, servers: readonly string[]): [[address: string, parent: Parent]] | null {
  const [, server = '', id = ''] = replyTo?.url?.match(/^https:\/\/([^/]+)\/comment\/(\d{1,15})$/) ?? []
  return servers.includes(server) && replyTo?.author == null ? [[commentAddress(server, id), { server, id }]] : null
}

async function commentBy(context: CollectContext, { server, id }: Parent): Promise<Post | null> {
  try {
    const asked = { server, call: 'comment', parameters: { id }, shape: singleComment } as const
    const { comment_view: view } = await ask(context, asked)
    return fromCommentView(view, server, context.at)
  } catch (error) {
    if (error instanceof SourceFault && error.kind === 'gone') return null
    throw error
  }
}

function withParent(post: Post, parent: Post | undefined): Post {
  if (parent === undefined) return post
  const replyTo = { author: parent.author?.name ?? null, url: parent.url, text: parent.text }
  return { ...post, replyTo: boundedReplyTo(replyTo) }
}
