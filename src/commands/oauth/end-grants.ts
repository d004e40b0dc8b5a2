import type { AuditEvent, GrantEnd } from '../../domain/audit/kinds.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql, type Transaction } from '../../store/database.ts'
import { endOldFeeds, renewFeeds } from '../../store/filter/views.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import { dropInvitations } from '../invitations/drop-invitations.ts'

export type WhichGrants =
  | { userId: Uuid }
  | { workspaceId: Uuid; userId: Uuid; clientId?: string }
  | { workspaceId: Uuid; id: Uuid }

interface Ended {
  workspaceId: Uuid
  id: Uuid
  clientId: string
  clientName: string
}

/**
 * Ends grants from their next request on, revokes API keys and withdraws invitations made under them. Returns how many
 * ended. The caller holds the account or the grant.
 */
export async function endGrants(tx: Transaction, which: WhichGrants, because: GrantEnd, at: Date): Promise<number> {
  const ended = await tx.query<Ended>(sql`
    update oauth_grant g set revoked_at = ${at} from oauth_client c
     where c.id = g.client_id and g.revoked_at is null and ${conditionFor(which)}
    returning g.workspace_id as "workspaceId", g.id, c.id as "clientId", c.name as "clientName"`)
  if (ended.length === 0) return 0
  await recordAudit(tx, endingsOf(ended, because), at)
  await revokeKeys(tx, ended, at)
  for (const [workspaceId, grantIds] of byWorkspace(ended))
    await dropInvitations(tx, workspaceId, { grantIds }, { because: 'app_ended', at })
  return ended.length
}

function conditionFor(which: WhichGrants): Statement<unknown> {
  if ('id' in which) return sql`g.workspace_id = ${which.workspaceId} and g.id = ${which.id}`
  if (!('workspaceId' in which)) return sql`g.user_id = ${which.userId}`
  const ofClient = which.clientId === undefined ? sql`true` : sql`g.client_id = ${which.clientId}`
  return sql`g.workspace_id = ${which.workspaceId} and g.user_id = ${which.userId} and ${ofClient}`
}

/** One entry for an app with several grants, such as from several computers. */
function endingsOf(ended: readonly Ended[], because: GrantEnd): AuditEvent[] {
  const apps = new Map(ended.map((item) => [`${item.workspaceId} ${item.clientId}`, item]))
  return [...apps.values()].map(({ workspaceId, clientId, clientName }) => ({
    workspaceId,
    kind: 'app.ended',
    target: { id: clientId, name: clientName },
    data: { because },
  }))
}

async function revokeKeys(tx: Transaction, ended: readonly Ended[], at: Date): Promise<void> {
  const revoked = await tx.query<RevokedKey>(sql`
    update api_key k set revoked_at = ${at}
      from unnest(${ended.map((item) => item.workspaceId)}::uuid[], ${ended.map((item) => item.id)}::uuid[]) as g
        (workspace_id, id)
     where k.workspace_id = g.workspace_id and k.grant_id = g.id and k.revoked_at is null
    returning k.workspace_id as "workspaceId", k.id, k.name, k.scope`)
  await recordAudit(
    tx,
    revoked.map(({ workspaceId, id, name }) => ({
      workspaceId,
      kind: 'api_key.revoked',
      target: { id: toId('key', id), name },
      data: { because: 'app_ended' },
    })),
    at,
  )
  // As for every revoked key: its holder may have read feed addresses.
  for (const workspaceId of new Set(revoked.map((key) => key.workspaceId))) {
    const wrote = revoked.some((key) => key.workspaceId === workspaceId && key.scope === 'write')
    await (wrote ? renewFeeds : endOldFeeds)(tx, workspaceId, at)
  }
}

interface RevokedKey {
  workspaceId: Uuid
  id: Uuid
  name: string
  scope: 'read' | 'write'
}

function byWorkspace(ended: readonly Ended[]): Map<Uuid, Uuid[]> {
  const ids = new Map<Uuid, Uuid[]>()
  for (const { workspaceId, id } of ended) ids.set(workspaceId, [...(ids.get(workspaceId) ?? []), id])
  return ids
}
