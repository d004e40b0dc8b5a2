import { z } from 'zod'
import { type FollowedMentions, followMentions } from '../../commands/mentions/follow-mentions.ts'
import type { Follower } from '../../commands/mentions/follower.ts'
import { isRefusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { fromId } from '../../kernel/ids.ts'
import { resolveSearch } from '../../queries/mentions/search.ts'
import { defineOperation, type ReadContext } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { streamed } from '../streamed.ts'
import { mentionSearchQuery, searchFrom } from './search.ts'

/** How often a stream says that it is still there. */
const HEARTBEAT_MS = 15 * SECOND_MS
/** How long clients wait before they connect again, and before they try once more when there is no room. */
const RETRY_MS = 2000
const AGAIN_SECONDS = 30

export const streamMentionsOperation = defineOperation({
  id: 'stream-mentions',
  method: 'GET',
  path: '/v1/mentions/stream',
  access: 'read',
  summary: 'Stream mentions',
  description:
    'Streams server-sent events: one event `mention` for each newly scored mention that matches the conditions. Its ' +
    'id is the mention id, its data the mention as JSON. A comment is sent every 15 seconds. After a reconnection ' +
    'with `Last-Event-ID` or `lastEventId`, mentions scored since are sent if they matched in the last 24 hours; a ' +
    'mention may repeat. A process serves at most 20 streams a workspace and 500 in total; more return 429. Post ' +
    'texts are written by third parties.',
  tag: 'Mentions',
  query: {
    ...mentionSearchQuery,
    lastEventId: idIn('mtn')
      .optional()
      .meta({
        description:
          'Same as the header `Last-Event-ID`, for clients that cannot send it. The header takes ' + 'precedence.',
      }),
  },
  status: 200,
  output: z
    .string()
    .max(1_000_000)
    .meta({ description: 'Server-sent events, each at most this long. The stream does not end.' }),
  streams: 'text/event-stream; charset=utf-8',
  errors: ['not_found'],
  tool: { hidden: 'A tool responds once; search_mentions finds new mentions.' },
  async run(context, { query }) {
    const { db, clock, workspaceId, signal, lastEventId } = context
    const lastSeen =
      lastEventId === null || lastEventId === '' ? (query.lastEventId ?? null) : fromId('mtn', lastEventId)
    if (lastSeen === null && lastEventId) return refuseField('Last-Event-ID', 'must be an id that starts with mtn_')
    const wanted = searchFrom(query)
    const resolved = await resolveSearch(context, wanted)
    if (isRefusal(resolved)) return resolved
    const full = context.live.fullOf(workspaceId)
    if (full !== null)
      return refuse('rate_limited', `The ${full} has too many open streams. Close one, or try again later.`, {
        retryAfterSeconds: AGAIN_SECONDS,
      })
    const search = async () => {
      const again = (await context.stillAllowed()) ? await resolveSearch(context, wanted) : null
      return isRefusal(again) ? null : again
    }
    const begin = (follower: Follower) =>
      followMentions({ db, clock, workspaceId, follower, search, lastSeen, quietMs: HEARTBEAT_MS, signal })
    // Proxies that gather answers would hold events back. A connection that carried a stream for hours is not worth
    // keeping, and would keep a service from ending.
    return streamed(events(context, begin), { 'X-Accel-Buffering': 'no', Connection: 'close' })
  },
})

/**
 * What is followed, as the lines of the stream. Following begins when somebody reads, which nobody does who asks for
 * the head alone.
 */
function linesOf({ mention }: FollowedMentions): string {
  return mention === null
    ? ': still here\n\n'
    : `id: ${mention.id}\nevent: mention\ndata: ${JSON.stringify(mention)}\n\n`
}

async function* events(
  { live, workspaceId, signal }: ReadContext,
  begin: (follower: Follower) => AsyncIterable<FollowedMentions>,
): AsyncIterable<string> {
  const follower = await live.follow(workspaceId)
  // Somebody else took the last place meanwhile; the client comes again.
  if (follower === null) return
  // A caller who is gone before the first line is read leaves this generator where it is.
  signal.addEventListener('abort', follower.leave, { once: true })
  if (signal.aborted) follower.leave()
  try {
    // The first line says at once that the stream is open.
    yield `retry: ${RETRY_MS}\n: listening\n\n`
    for await (const followed of begin(follower)) yield linesOf(followed)
  } finally {
    follower.leave()
  }
}
