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
  /** The rules that want it, most often one; none for account events. */
  alerts: readonly EnvelopeAlert[]
  /** A mention, a digest, the data of an account event, or the message of a test; JSON. */
  data: object
}

/** The body of a webhook request. The order of the keys is part of the promise. */
export interface Envelope {
  id: string
  event: string
  createdAt: string
  alert: EnvelopeAlert | null
  /** All rules that want it, the one in `alert` included; only where they are several. */
  alerts?: readonly EnvelopeAlert[]
  data: object
}

/** The body for an attempt that is built at `at`. */
export function buildEnvelope(outgoing: Outgoing, at: Date): Envelope {
  const alerts = outgoing.alerts.map(({ id, name }) => ({ id, name }))
  return {
    id: outgoing.id,
    event: outgoing.event,
    createdAt: at.toISOString(),
    alert: alerts[0] ?? null,
    ...(alerts.length > 1 ? { alerts } : {}),
    data: outgoing.data,
  }
}

const NAMES_MAX = 3

/**
 * The names of the rules behind it as people read them: the first few, and how many more there are; null for an account
 * event.
 */
export function ruleNames({ alerts }: Pick<Outgoing, 'alerts'>): string | null {
  if (alerts.length === 0) return null
  const named = alerts.slice(0, NAMES_MAX).map(({ name }) => name)
  return alerts.length > NAMES_MAX ? `${named.join(', ')} and ${alerts.length - NAMES_MAX} more` : named.join(', ')
}
