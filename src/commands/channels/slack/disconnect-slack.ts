import type { Refusal } from '../../../domain/refusal/refusal.ts'
import { slackNotConfigured, slackNotConnected } from '../../../domain/slack/fault.ts'
import type { WritingContext } from '../../writing.ts'
import { forgetConnection } from './forget-connection.ts'
import { revokeUnused } from './revoke-unused.ts'

/** Cancels unsent deliveries of the Slack channels. */
export async function disconnectSlack(
  writing: WritingContext,
): Promise<undefined | Refusal<'slack_not_configured' | 'slack_not_connected'>> {
  if (writing.slack === null) return slackNotConfigured()
  const gone = await forgetConnection(writing, writing.workspaceId, writing.clock.now())
  if (gone === null) return slackNotConnected(404)
  await revokeUnused(writing, gone)
  return undefined
}
