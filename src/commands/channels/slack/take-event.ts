import { isRefusal, type Refusal } from '../../../domain/refusal/refusal.ts'
import { slackNotConfigured } from '../../../domain/slack/fault.ts'
import type { SlackMessage } from '../../../domain/slack/slack.ts'
import { plus, SECOND_MS } from '../../../kernel/clock.ts'
import { findConnected } from '../../../store/channel/slack.ts'
import { assertHere, assertNotMoved, hashOfTeam } from '../../../store/frozen/moved.ts'
import type { Services } from '../../writing.ts'
import { forgetConnection } from './forget-connection.ts'

export type EventOutcome =
  | { became: 'challenged'; challenge: string }
  | { became: 'done' | 'of no matter'; workspaces: number }

/** Repeats are safe. */
export async function takeEvent(
  services: Services,
  message: SlackMessage,
): Promise<EventOutcome | Refusal<'slack_not_configured' | 'invalid_signature'>> {
  const { db, slack } = services
  if (slack === null) return slackNotConfigured()
  const event = slack.readEvent(message)
  if (isRefusal(event)) return event
  if (event === null) return { became: 'of no matter', workspaces: 0 }
  if (event.kind === 'challenge') return { became: 'challenged', challenge: event.challenge }
  // Events have whole seconds, and a late one must not delete a newer connection.
  const madeBy = plus(event.at, SECOND_MS)
  let workspaces = 0
  const connected = await findConnected(db, event.teamId)
  if (connected.length === 0) await assertNotMoved(db, hashOfTeam(event.teamId))
  for (const workspaceId of connected) await assertHere(db, workspaceId)
  for (const workspaceId of connected)
    if ((await forgetConnection(services, workspaceId, madeBy)) !== null) workspaces += 1
  return { became: workspaces === 0 ? 'of no matter' : 'done', workspaces }
}
