import { isSlackFault } from '../../../domain/slack/fault.ts'
import { isTeamInUse, type SlackConnection, tokenBinding } from '../../../store/channel/slack.ts'
import type { Services } from '../../writing.ts'

/** Skipped while another workspace uses the team: Slack may revoke all of the team's tokens at once. */
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
