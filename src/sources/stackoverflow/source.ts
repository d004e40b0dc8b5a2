import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import type { CollectContext, StreamSource } from '../contract.ts'
import { HOST, stackApi } from '../providers/stack/api.ts'
import { fillIn } from '../providers/stack/fill-in.ts'
import type { StackPauses } from '../providers/stack/pauses.ts'
import { pollSite, stackLimits } from '../providers/stack/poll.ts'
import { search } from '../providers/stack/search.ts'
import { STACK_OVERFLOW } from '../providers/stack/site.ts'

/** A third of the 300 requests a day is left for catching up and searches. */
const KEYLESS_POLL_SECONDS = 900

export interface StackOverflowOptions {
  key: string | null
  /** Shared with the other sites of the network. */
  pauses: StackPauses
}

/** A free key makes the daily quota thirty times as large. */
export function stackoverflow({ key, pauses }: StackOverflowOptions): StreamSource {
  const api = stackApi(key, pauses)
  const open = (context: CollectContext) => api.of(context, STACK_OVERFLOW)
  return {
    platform: 'stackoverflow',
    hosts: [HOST],
    limits: stackLimits(key),
    mode: 'stream',
    pollSeconds: key === null ? KEYLESS_POLL_SECONDS : PLATFORM_FACTS.stackoverflow.pollSeconds,
    poll: (context, cursor) => pollSite(context, open(context), cursor),
    searching: { termsPerSearch: 1, search: (context, query) => search(context, open(context), query) },
    // Without a key the polls take nearly all of the quota.
    ...(key === null
      ? {}
      : { enrich: (context: CollectContext, posts: readonly Post[]) => fillIn(context, open(context), posts) }),
  }
}
