import type { Follower } from '../commands/live/follower.ts'
import type { Topic } from '../domain/follower/topics.ts'
import { type Refusal, refuse } from '../domain/refusal/refusal.ts'
import { SECOND_MS } from '../kernel/clock.ts'
import type { ReadContext } from './definition.ts'
import { type Streamed, streamed } from './streamed.ts'

/** How often a stream says that it is still there. */
export const HEARTBEAT_MS = 15 * SECOND_MS
/** How long clients wait before they connect again, and before they try once more when there is no room. */
const RETRY_MS = 2000
const AGAIN_SECONDS = 30

/** Server-sent events, for which the workspace and the process need room. `follow` yields their text. */
export function liveStream(
  context: ReadContext,
  topics: readonly Topic[],
  follow: (follower: Follower) => AsyncIterable<string>,
): Streamed | Refusal<'rate_limited'> {
  const full = context.live.fullOf(context.workspaceId)
  if (full !== null)
    return refuse('rate_limited', `The ${full} has too many open streams. Close one, or try again later.`, {
      retryAfterSeconds: AGAIN_SECONDS,
    })
  // Proxies that gather answers would hold events back. A connection that carried a stream for hours is not worth
  // keeping, and would keep a service from ending.
  return streamed(textOf(context, topics, follow), { 'X-Accel-Buffering': 'no', Connection: 'close' })
}

/** Following begins when somebody reads, which nobody does who asks for the head alone. */
async function* textOf(
  { live, workspaceId, signal }: ReadContext,
  topics: readonly Topic[],
  follow: (follower: Follower) => AsyncIterable<string>,
): AsyncIterable<string> {
  const follower = await live.follow(workspaceId, topics)
  // Somebody else took the last place meanwhile; the client comes again.
  if (follower === null) return
  // A caller who is gone before the first line is read leaves this generator where it is.
  signal.addEventListener('abort', follower.leave, { once: true })
  if (signal.aborted) follower.leave()
  try {
    // The first line says at once that the stream is open.
    yield `retry: ${RETRY_MS}\n: listening\n\n`
    yield* follow(follower)
  } finally {
    follower.leave()
  }
}
