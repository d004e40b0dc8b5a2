import type { DeliveryKind } from './status.ts'

/** A delivery whose body is larger than this many bytes is never sent. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024

/** The rule behind a delivery; its id is null when a channel is tested without a rule. */
export interface EnvelopeAlert {
  id: string | null
  name: string
}

/** What leaves through a channel, before it has the form of one. */
export interface Outgoing {
  /** What `data` is; receivers are not told, because `event` says it. */
  kind: DeliveryKind | 'test'
  /** The same over all attempts; a replay has another. */
  id: string
  /** The rule's event name, an account event, or test. */
  event: string
  /** Null for account events. */
  alert: EnvelopeAlert | null
  /** A mention, a digest, the data of an account event, or the message of a test; JSON. */
  data: object
}

/** The body of a webhook request. The order of the keys is part of the promise. */
export interface Envelope {
  id: string
  event: string
  createdAt: string
  alert: EnvelopeAlert | null
  data: object
}

/** The body for an attempt that is built at `at`. */
export function buildEnvelope(outgoing: Outgoing, at: Date): Envelope {
  return {
    id: outgoing.id,
    event: outgoing.event,
    createdAt: at.toISOString(),
    alert: outgoing.alert === null ? null : { id: outgoing.alert.id, name: outgoing.alert.name },
    data: outgoing.data,
  }
}
