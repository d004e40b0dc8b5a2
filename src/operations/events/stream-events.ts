import { z } from 'zod'
import { type FollowedChanges, followChanges } from '../../commands/live/follow-changes.ts'
import { CHANGE_KINDS, topicsOf } from '../../domain/follower/topics.ts'
import { refuseField } from '../../domain/refusal/refusal.ts'
import { defineOperation } from '../definition.ts'
import { HEARTBEAT_MS, liveStream } from '../live-stream.ts'
import { listIn, timeIn } from '../shapes.ts'

export const streamEventsOperation = defineOperation({
  id: 'stream-events',
  method: 'GET',
  path: '/v1/events/stream',
  access: 'read',
  summary: 'Stream changes',
  description: [
    'Streams server-sent events that say what changed in the workspace: ids, never contents. `event` is the kind, ' +
      '`data` a JSON object with `ids`, at most 100. `ids` is null where any object may have changed.',
    '`mention.scored`: a new score. `mention.triaged`: triage or feedback, with `by`, the actor (`kind`, `id`). ' +
      '`delivery.changed`: deliveries of `channelId` that now have `status`; with null ids, several of the channel. ' +
      '`attention.opened`, `attention.resolved`, `attention.dismissed`: attention items. `wallet.changed`: a ledger ' +
      'entry, always with null ids. `keyword.changed`: keywords that were created, changed, paused or deleted.',
    'Events that come together are sent together, at most four times a second. The id of an event is a time. A ' +
      'comment is sent every 15 seconds.',
    'After a reconnection with `Last-Event-ID` or `lastEventId`, changes since then are sent, of the last 24 hours. ' +
      'Deliveries and keywords then come with null ids, as they do once ten seconds after the start. Events may ' +
      'repeat.',
    'Counts among the streams of the workspace (20 in a process) and of the process (500); more return 429.',
  ].join(' '),
  tag: 'Events',
  query: {
    kinds: listIn(z.enum(CHANGE_KINDS), CHANGE_KINDS.length)
      .optional()
      .meta({ description: 'Events of these kinds. Default: all.' }),
    lastEventId: timeIn().optional().meta({
      description: 'Same as the header `Last-Event-ID`, for clients that cannot send it. The header takes precedence.',
    }),
  },
  status: 200,
  output: z
    .string()
    .max(1_000_000)
    .meta({ description: 'Server-sent events, each at most this long. The stream does not end.' }),
  streams: 'text/event-stream; charset=utf-8',
  errors: [],
  tool: { hidden: 'A tool responds once; the lists show the present state.' },
  async run(context, { query }) {
    const { db, clock, workspaceId, signal, lastEventId, stillAllowed } = context
    const header = lastEventId ? timeIn().safeParse(lastEventId) : null
    if (header?.success === false) return refuseField('Last-Event-ID', 'must be the id of an event, which is a time')
    const since = header?.data ?? query.lastEventId ?? null
    const topics = topicsOf(query.kinds ?? CHANGE_KINDS)
    return liveStream(context, topics, (follower) =>
      textOf(
        followChanges({
          ...{ db, clock, workspaceId, follower, topics, stillAllowed, since, signal },
          quietMs: HEARTBEAT_MS,
        }),
      ),
    )
  },
})

async function* textOf(followed: AsyncIterable<FollowedChanges>): AsyncIterable<string> {
  for await (const { event, position } of followed) {
    const id = position === null ? '' : `id: ${position.toISOString()}\n`
    yield event === null
      ? `${id}: still here\n\n`
      : `${id}event: ${event.kind}\ndata: ${JSON.stringify(event.data)}\n\n`
  }
}
