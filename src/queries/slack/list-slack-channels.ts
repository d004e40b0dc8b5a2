import type { Refusal } from '../../domain/refusal/refusal.ts'
import {
  isSlackFault,
  slackConnectionBroken,
  slackFailed,
  slackNotConfigured,
  slackNotConnected,
} from '../../domain/slack/fault.ts'
import type { SlackConversation } from '../../domain/slack/slack.ts'
import { tokenBinding } from '../../store/channel/slack.ts'
import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'

/** The channels are read from Slack, not cached. */
export async function listSlackChannels({
  db,
  workspaceId,
  slack,
  sealer,
}: QueryContext): Promise<
  SlackConversation[] | Refusal<'slack_not_configured' | 'slack_not_connected' | 'upstream_unavailable'>
> {
  if (slack === null) return slackNotConfigured()
  const [row] = await db.query<{ token_sealed: string }>(
    sql`select token_sealed from slack_connection where workspace_id = ${workspaceId}`,
  )
  if (row === undefined) return slackNotConnected(404)
  const token = sealer.open(row.token_sealed, tokenBinding(workspaceId))
  if (token === null) return slackConnectionBroken(404)
  const listed = await slack.listChannels(token)
  if (!isSlackFault(listed)) return listed
  return listed.fault === 'revoked' ? slackConnectionBroken(404) : slackFailed(listed)
}
