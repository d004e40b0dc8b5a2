import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import type { ApiAnswer, CallOptions, TestWorkspace, World } from '../../../test/world.ts'
import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import type { Verdict } from '../../domain/mention/classification.ts'
import type { Post } from '../../domain/post/post.ts'
import { toId } from '../../kernel/ids.ts'

/** Calls of the compatibility interface in a workspace. */
export interface Compat {
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<ApiAnswer>
  /** Rows of the list. */
  list(body?: unknown): Promise<Row[]>
  /** The number of a keyword. */
  numberOf(keyword: TestKeyword): Promise<number>
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads rows freely; their shape is what it checks
export type Row = any

export function compatOf(workspace: TestWorkspace): Compat {
  const call: Compat['call'] = (method, path, body, options) =>
    workspace.api(method, `/compat/api/v2${path}`, body, options)
  return {
    call,
    async list(body = {}) {
      const answer = await call('POST', '/mentions', body)
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      return answer.body.data
    },
    async numberOf({ shown }) {
      const { body } = await call('GET', '/keywords')
      return body.data.find((keyword: Row) => keyword.keyword === shown.term).id
    },
  }
}

/** A mention that is scored, or waits for its score with null. */
export async function makeMention(
  world: World,
  keyword: TestKeyword,
  change: Partial<Post> = {},
  verdict: Partial<Verdict> | null = {},
): Promise<NewMention> {
  const made = await mention(world, keyword, change)
  if (verdict !== null) await score(world, [made], verdict)
  return made
}

/** The id of a mention as rows show it. */
export function sourceId({ mentionId }: NewMention): string {
  return toId('mtn', mentionId).replace(/^mtn_/, 'mm_')
}

export { makeKeyword }
