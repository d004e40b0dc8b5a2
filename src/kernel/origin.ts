import { AsyncLocalStorage } from 'node:async_hooks'
import type { Uuid } from './ids.ts'

/** Who acts. */
export type Agent =
  /** `grantId` is the grant of an app; null for the person themselves. */
  | { kind: 'person'; id: Uuid; grantId: Uuid | null }
  | { kind: 'api_key'; id: Uuid }
  /** At the command line of the installation. */
  | { kind: 'operator' }
  | { kind: 'provider'; name: 'stripe' | 'slack' | 'telegram' | 'mail' }
  /** Such as a recurring job. */
  | { kind: 'service' }
  /** Not authenticated. */
  | { kind: 'unknown' }

export interface Origin {
  agent: Agent
  /** As far as trusted proxies tell it; null without a network. */
  address: string | null
  requestId: string | null
}

const origins = new AsyncLocalStorage<Origin>()

/** The agent may become known later: see `actAs`. */
export function withOrigin<Result>(origin: Origin, work: () => Result): Result {
  return origins.run(origin, work)
}

/** No effect without an open origin. */
export function actAs(agent: Agent): void {
  const origin = origins.getStore()
  if (origin !== undefined) origin.agent = agent
}

/** Null unless an app acts. */
export function grantOfWork(): Uuid | null {
  const { agent } = originOfWork()
  return agent.kind === 'person' ? agent.grantId : null
}

/** The service itself by default. */
export function originOfWork(): Readonly<Origin> {
  return origins.getStore() ?? { agent: { kind: 'service' }, address: null, requestId: null }
}
