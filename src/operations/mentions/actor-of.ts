import type { KnownActor } from '../../domain/mention/triage.ts'
import type { Caller } from '../definition.ts'

/** In whose name a caller changes something. */
export function actorOf(caller: Caller): KnownActor {
  return caller.kind === 'api_key' ? { kind: 'api_key', id: caller.apiKeyId } : { kind: 'person', id: caller.user.id }
}
