import type { DeliveryKind } from './status.ts'

export const MAX_PAYLOAD_BYTES = 1024 * 1024

/** The id is null in a test without a rule. */
export interface EnvelopeAlert {
  id: string | null
  name: string
}

export interface Outgoing {
  /** Not sent: receivers use `event`. */
  kind: DeliveryKind | 'test'
  /** The same in all attempts; a replay has another id. */
  id: string
  event: string
  /** Usually one; none for account events. */
  alerts: readonly EnvelopeAlert[]
  data: object
}

/** The order of the keys is part of the contract. */
export interface Envelope {
  id: string
  event: string
  createdAt: string
  alert: EnvelopeAlert | null
  /** Absent when there is only one. */
  alerts?: readonly EnvelopeAlert[]
  data: object
}

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

/** Null for an account event. */
export function ruleNames({ alerts }: Pick<Outgoing, 'alerts'>): string | null {
  if (alerts.length === 0) return null
  const named = alerts.slice(0, NAMES_MAX).map(({ name }) => name)
  return alerts.length > NAMES_MAX ? `${named.join(', ')} and ${alerts.length - NAMES_MAX} more` : named.join(', ')
}
