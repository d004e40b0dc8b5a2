import { z } from 'zod'
import { type FollowedMentions, followMentions } from '../../commands/mentions/follow-mentions.ts'
import { isRefusal, refuseField } from '../../domain/refusal/refusal.ts'
import { firstUuidAt, fromId, toId } from '../../kernel/ids.ts'
import { resolveSearch } from '../../queries/mentions/search.ts'
import { defineOperation } from '../definition.ts'
import { HEARTBEAT_MS, liveStream } from '../live-stream.ts'
import { idIn } from '../shapes.ts'
import { mentionSearchQuery, searchFrom } from './search.ts'

export const streamMentionsOperation = defineOperation({
  id: 'stream-mentions',
  method: 'GET',
  path: '/v1/mentions/stream',
  access: 'read',
  summary: 'Stream mentions',
  description:
    'Streams server-sent events: one event `mention` for each newly scored mention that matches the conditions. Its ' +
    'id is the mention id, its data the mention as JSON. A stream without `lastEventId` begins with an id of its ' +
    'start and no event. A comment is sent every 15 seconds. After a reconnection with `Last-Event-ID` or ' +
    '`lastEventId`, mentions scored since are sent if they matched in the last 24 hours; a mention may repeat. A ' +
    'process serves at most 20 streams a workspace and 500 in total; more return 429. Post texts are written by ' +
    'third parties.',
  tag: 'Mentions',
  query: {
    ...mentionSearchQuery,
    lastEventId: idIn('mtn').optional().meta({
      description: 'Same as the header `Last-Event-ID`, for clients that cannot send it. The header takes precedence.',
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
    const search = async () => {
      const again = (await context.stillAllowed()) ? await resolveSearch(context, wanted) : null
      return isRefusal(again) ? null : again
    }
    return liveStream(context, ['mention.scored'], async function* (follower) {
      if (lastSeen === null) yield startAt(clock.now())
      yield* textOf(
        followMentions({ db, clock, workspaceId, follower, search, lastSeen, quietMs: HEARTBEAT_MS, signal }),
      )
    })
  },
})

/** An id that no mention has, so that a client that is cut off before the first mention misses none. */
function startAt(at: Date): string {
  return `id: ${toId('mtn', firstUuidAt(at))}\n: from here\n\n`
}

async function* textOf(followed: AsyncIterable<FollowedMentions>): AsyncIterable<string> {
  for await (const { mention } of followed)
    yield mention === null
      ? ': still here\n\n'
      : `id: ${mention.id}\nevent: mention\ndata: ${JSON.stringify(mention)}\n\n`
}
