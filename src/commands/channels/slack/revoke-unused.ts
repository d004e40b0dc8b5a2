import { isSlackFault } from '../../../domain/slack/fault.ts'
import { isTeamInUse, type SlackConnection, tokenBinding } from '../../../store/channel/slack.ts'
import type { Services } from '../../writing.ts'

/**
 * Takes the token of a connection that is gone back at Slack, as far as it can be. It stays while another workspace is
 * connected to the team: the app has one leave there, and a token that is taken back may end all of it.
 */
export async function revokeUnused(
  { db, slack, sealer, log }: Services,
  { workspaceId, teamId, tokenSealed }: SlackConnection,
): Promise<void> {
  const token = sealer.open(tokenSealed, tokenBinding(workspaceId))
  if (slack === null || token === null || (await isTeamInUse(db, teamId))) return
  const fault = await slack.revoke(token)
  if (isSlackFault(fault))
    log.warn(
      { event: 'slack.revoke_failed', code: fault.code, team: teamId },
      'A Slack connection was removed here, but Slack still allows the app',
    )
}
