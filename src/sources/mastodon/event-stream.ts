import { createParser } from 'eventsource-parser'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { waitAtMost } from '../../kernel/concurrency/wait-at-most.ts'
import { type CollectContext, type OpenReply, SourceFault } from '../contract.ts'

export interface StreamEvent {
  name: string
  data: string
}

export interface StreamLimits {
  /** Longest time without a byte; servers send a comment every 15 s. */
  silenceMs: number
  /** Longest time with nothing but comments; then another connection may bring more. */
  quietMs: number
}

/** No post is near it. */
const MAX_EVENT_UNITS = 1_000_000

/**
 * The events of each part that arrives, at least one, as fast as they are taken: an unread stream slows its server
 * down. Ends when nothing happens for long. Rejects with SourceFault when the stream breaks or falls silent.
 */
export async function* eventsOf(
  reply: OpenReply,
  { silenceMs, quietMs }: StreamLimits,
  { signal }: CollectContext,
  clock: Pick<Clock, 'wait' | 'monotonicMs'>,
): AsyncIterable<StreamEvent[]> {
  const parts = reply.chunks[Symbol.asyncIterator]()
  const read = reader()
  let lastEventMs = clock.monotonicMs()
  try {
    for (;;) {
      const part = parts.next()
      // Rejects after the wait as well, when nobody listens.
      part.catch(() => undefined)
      const hasCome = await waitAtMost(part, silenceMs, clock, signal)
      if (signal.aborted) return
      if (!hasCome) throw new SourceFault('unavailable', `no byte of the stream for ${silenceMs} ms`)
      const { done, value } = await part
      if (done) throw new SourceFault('unavailable', 'the server ended the stream')
      const events = read(value)
      if (events.length > 0) yield events
      else if (clock.monotonicMs() - lastEventMs >= quietMs) return
      if (events.length > 0) lastEventMs = clock.monotonicMs()
    }
  } finally {
    reply.close()
  }
}

export const STREAM_LIMITS: StreamLimits = { silenceMs: 60 * SECOND_MS, quietMs: 600 * SECOND_MS }

function reader(): (part: Uint8Array) => StreamEvent[] {
  const decoder = new TextDecoder()
  let events: StreamEvent[] = []
  let isOverfull = false
  const parser = createParser({
    maxBufferSize: MAX_EVENT_UNITS,
    onEvent: ({ event, data }) => events.push({ name: event ?? 'message', data }),
    onError: ({ type }) => {
      isOverfull ||= type === 'max-buffer-size-exceeded'
    },
  })
  return (part) => {
    events = []
    parser.feed(decoder.decode(part, { stream: true }))
    if (isOverfull) throw new SourceFault('unavailable', `an event is longer than ${MAX_EVENT_UNITS} characters`)
    return events
  }
}
