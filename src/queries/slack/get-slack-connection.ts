import type { Refusal } from '../../domain/refusal/refusal.ts'
import { slackNotConfigured, slackNotConnected } from '../../domain/slack/fault.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'

export interface SlackConnectionView {
  team: { id: string; name: string }
  /** The app's scopes. */
  scopes: string[]
  connectedAt: string
  connectedBy: { kind: 'api_key' | 'person'; id: Id<'key'> | Id<'user'>; name: string }
  /** When Slack rejected the token; null while it works. */
  brokenAt: string | null
}

interface Row {
  team_id: string
  team_name: string
  scopes: string[]
  connected_at: Date
  connected_by_kind: 'api_key' | 'person'
  connected_by_id: Uuid
  connected_by_name: string
  broken_at: Date | null
}

export async function getSlackConnection({
  db,
  workspaceId,
  slack,
}: QueryContext): Promise<SlackConnectionView | Refusal<'slack_not_configured' | 'slack_not_connected'>> {
  if (slack === null) return slackNotConfigured()
  const [row] = await db.query<Row>(sql`
    select team_id, team_name, scopes, connected_at, connected_by_kind, connected_by_id, connected_by_name, broken_at
    from slack_connection where workspace_id = ${workspaceId}`)
  if (row === undefined) return slackNotConnected(404)
  return {
    team: { id: row.team_id, name: row.team_name },
    scopes: row.scopes,
    connectedAt: row.connected_at.toISOString(),
    connectedBy: {
      kind: row.connected_by_kind,
      id: toId(row.connected_by_kind === 'api_key' ? 'key' : 'user', row.connected_by_id),
      name: row.connected_by_name,
    },
    brokenAt: row.broken_at?.toISOString() ?? null,
  }
}
