import type { Post } from '../../domain/post/post.ts'
import type { CollectContext, Searching, SearchQuery } from '../contract.ts'
import type { ActorTask, RunActor } from './actor-task.ts'
import { candidateBatches, present } from './candidates.ts'

export interface ActorSearch extends Pick<ActorTask, 'list' | 'itemsPerEntry' | 'itemMicroUsd'> {
  termsPerSearch: number
  /** Null for a term that cannot be searched. */
  entryOf(term: string): string | null
  inputFor(query: SearchQuery, at: Date): ActorTask['input']
  postsOf(items: readonly unknown[], context: CollectContext): Post[]
}

/** Takes up to two minutes. */
export function actorSearching(
  run: RunActor,
  { termsPerSearch, entryOf, inputFor, postsOf, ...task }: ActorSearch,
): Searching {
  async function* search(context: CollectContext, query: SearchQuery): AsyncIterable<Post[]> {
    const wanted = [...new Set(present(query.terms.map(entryOf)))]
    if (wanted.length === 0) return
    // All results are paid, so `limit` does not apply.
    const whole = { ...query, limit: Number.POSITIVE_INFINITY }
    const handed = new Set<string>()
    for await (const items of run(context, { ...task, wanted, input: inputFor(query, context.at) }))
      yield* candidateBatches(whole, 1, async () => ({ posts: postsOf(items, context), next: null }), handed)
  }
  return { termsPerSearch, slow: true, search }
}
