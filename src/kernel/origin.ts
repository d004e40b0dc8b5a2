import { AsyncLocalStorage } from 'node:async_hooks'
import type { Uuid } from './ids.ts'

/** In whose name something is done. */
export type Agent =
  /** `grantId` is the leave that an app acts by; null for the person themselves. */
  | { kind: 'person'; id: Uuid; grantId: Uuid | null }
  | { kind: 'api_key'; id: Uuid }
  /** Whoever runs the installation, at its command line. */
  | { kind: 'operator' }
  /** A provider that tells what happened. */
  | { kind: 'provider'; name: 'stripe' | 'slack' | 'telegram' }
  /** The service by itself, such as a recurring job. */
  | { kind: 'service' }
  /** A caller who has not shown who they are. */
  | { kind: 'unknown' }

/** Where a piece of work comes from, which everything that it writes down may name. */
export interface Origin {
  agent: Agent
  /** The address of the caller, as far as proxies that are trusted tell it; null for what came over no network. */
  address: string | null
  requestId: string | null
}

const origins = new AsyncLocalStorage<Origin>()

/** Runs work that comes from there. Who is acting may be known later: see `actAs`. */
export function withOrigin<Result>(origin: Origin, work: () => Result): Result {
  return origins.run(origin, work)
}

/** Names who is acting in the work at hand; without effect where no origin was opened. */
export function actAs(agent: Agent): void {
  const origin = origins.getStore()
  if (origin !== undefined) origin.agent = agent
}

/** The leave that an app acts by in the work at hand; null where none does. */
export function grantOfWork(): Uuid | null {
  const { agent } = originOfWork()
  return agent.kind === 'person' ? agent.grantId : null
}

/** Where the work at hand comes from: the service itself, unless told otherwise. */
export function originOfWork(): Readonly<Origin> {
  return origins.getStore() ?? { agent: { kind: 'service' }, address: null, requestId: null }
}
