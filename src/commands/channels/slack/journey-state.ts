import { fromId, toId, type Uuid } from '../../../kernel/ids.ts'
import type { Services } from '../../writing.ts'

/** The sealed OAuth state. */
export interface JourneyState {
  workspaceId: Uuid
  id: Uuid
}

/** Must be a redirect URL of the Slack app. */
export function redirectUriOf(publicUrl: string): string {
  return `${publicUrl}/hooks/slack/oauth`
}

const BOUND_TO = 'connecting slack'

export function sealState({ sealer }: Pick<Services, 'sealer'>, { workspaceId, id }: JourneyState): string {
  return sealer.seal(`${toId('org', workspaceId)} ${toId('req', id)}`, BOUND_TO)
}

/** Null for a text that this installation did not seal. */
export function openState({ sealer }: Pick<Services, 'sealer'>, state: string): JourneyState | null {
  const [org = '', request = ''] = sealer.open(state, BOUND_TO)?.split(' ') ?? []
  const [workspaceId, id] = [fromId('org', org), fromId('req', request)]
  return workspaceId === null || id === null ? null : { workspaceId, id }
}
