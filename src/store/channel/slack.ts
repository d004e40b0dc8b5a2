import type { KnownActor } from '../../domain/mention/triage.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { cancelUnsent } from '../delivery/cancel-deliveries.ts'
import { selectName } from '../mention/mention-history.ts'

export interface SlackConnection {
  workspaceId: Uuid
  teamId: string
  teamName: string
  scopes: string[]
  tokenSealed: string
  tokenHash: Buffer
  /** Since when Slack rejects the token; null while it works. */
  brokenAt: Date | null
}

export function tokenBinding(workspaceId: Uuid): string {
  return `slack ${workspaceId}`
}

interface ConnectionRow {
  workspace_id: Uuid
  team_id: string
  team_name: string
  scopes: string[]
  token_sealed: string
  token_hash: Buffer
  broken_at: Date | null
}

function fromRow(row: ConnectionRow): SlackConnection {
  return {
    workspaceId: row.workspace_id,
    teamId: row.team_id,
    teamName: row.team_name,
    scopes: row.scopes,
    tokenSealed: row.token_sealed,
    tokenHash: row.token_hash,
    brokenAt: row.broken_at,
  }
}

/** Locks the connection `for share` until the transaction ends. */
export async function holdConnection(tx: Transaction, workspaceId: Uuid): Promise<SlackConnection | null> {
  const [row] = await tx.query<ConnectionRow>(
    sql`select * from slack_connection where workspace_id = ${workspaceId} for share`,
  )
  return row ? fromRow(row) : null
}

export async function storeConnection(
  tx: Transaction,
  connection: Omit<SlackConnection, 'brokenAt'>,
  by: KnownActor,
  at: Date,
): Promise<SlackConnection | null> {
  const { workspaceId, teamId, teamName, scopes, tokenSealed, tokenHash } = connection
  // Serializes concurrent callbacks, also while there is no row to lock.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${tokenBinding(workspaceId)}, 0))`)
  const [before] = await tx.query<ConnectionRow>(
    sql`select * from slack_connection where workspace_id = ${workspaceId} for update`,
  )
  await tx.query(sql`
    insert into slack_connection (workspace_id, team_id, team_name, scopes, token_sealed, token_hash, connected_at,
      connected_by_kind, connected_by_id, connected_by_name)
    values (${workspaceId}, ${teamId}, ${teamName}, ${scopes}::text[], ${tokenSealed}, ${tokenHash}, ${at}, ${by.kind},
      ${by.id}, coalesce((${selectName(workspaceId, by)}), ''))
    on conflict (workspace_id) do update set team_id = excluded.team_id, team_name = excluded.team_name,
      scopes = excluded.scopes, token_sealed = excluded.token_sealed,
      token_hash = excluded.token_hash, connected_at = excluded.connected_at,
        connected_by_kind = excluded.connected_by_kind, connected_by_id = excluded.connected_by_id,
      connected_by_name = excluded.connected_by_name, broken_at = null`)
  return before ? fromRow(before) : null
}

/** Keeps a connection made later than `madeBy`. */
export async function forgetConnection(
  tx: Transaction,
  workspaceId: Uuid,
  madeBy: Date,
): Promise<SlackConnection | null> {
  const [row] = await tx.query<ConnectionRow>(
    sql`delete from slack_connection where workspace_id = ${workspaceId} and connected_at <= ${madeBy} returning *`,
  )
  return row ? fromRow(row) : null
}

/** No effect when the workspace has a newer token. */
export async function markBroken(tx: Transaction, workspaceId: Uuid, tokenHash: Buffer, at: Date): Promise<void> {
  await tx.query(sql`
    update slack_connection set broken_at = ${at} where workspace_id = ${workspaceId} and token_hash = ${tokenHash}
      and broken_at is null`)
}

export async function findConnected(reader: Reader, teamId: string): Promise<Uuid[]> {
  const rows = await reader.query<{ workspace_id: Uuid }>(
    sql`select workspace_id from slack_connection where team_id = ${teamId} order by workspace_id`,
  )
  return rows.map((row) => row.workspace_id)
}

export async function isTeamInUse(reader: Reader, teamId: string): Promise<boolean> {
  const rows = await reader.query(sql`select 1 from slack_connection where team_id = ${teamId} limit 1`)
  return rows.length > 0
}

export async function findOwnerOf(
  reader: Reader,
  workspaceIds: readonly Uuid[],
  mentionId: Uuid,
): Promise<Uuid | null> {
  const [row] = await reader.query<{ workspace_id: Uuid }>(
    sql`select workspace_id from mention where workspace_id = any(${workspaceIds}::uuid[]) and id = ${mentionId}`,
  )
  return row?.workspace_id ?? null
}

export async function lockSlackChannels(tx: Transaction, workspaceId: Uuid): Promise<{ id: Uuid; teamId: string }[]> {
  const rows = await tx.query<{ id: Uuid; team_id: string }>(
    sql`select id, config->>'teamId' as team_id from channel where workspace_id = ${workspaceId} and kind = 'slack'
        order by id for update`,
  )
  return rows.map((row) => ({ id: row.id, teamId: row.team_id }))
}

export async function giveTokens(
  tx: Transaction,
  workspaceId: Uuid,
  tokens: readonly { id: Uuid; sealed: string }[],
): Promise<void> {
  await tx.query(sql`
    update channel c set secret_sealed = t.sealed from unnest(${tokens.map(({ id }) => id)}::uuid[],
      ${tokens.map(({ sealed }) => sealed)}::text[]) as t (id, sealed)
    where c.workspace_id = ${workspaceId} and c.id = t.id`)
}

/** Cancels the channels' unsent deliveries with `reason`. */
export async function takeTokens(
  tx: Transaction,
  workspaceId: Uuid,
  ids: readonly Uuid[],
  reason: string,
): Promise<void> {
  await tx.query(
    sql`update channel set secret_sealed = null where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  )
  for (const id of ids) await cancelUnsent(tx, workspaceId, id, reason)
}

/** An OAuth installation in progress. */
export interface SlackJourney {
  workspaceId: Uuid
  id: Uuid
  askedBy: KnownActor
  /** True when only the person who asked may return, in a browser where they are signed in. */
  inBrowser: boolean
  expiresAt: Date
}

export async function beginJourney(
  tx: Transaction,
  { workspaceId, id, askedBy, inBrowser, expiresAt }: SlackJourney,
  at: Date,
): Promise<void> {
  await tx.query(sql`delete from slack_journey where workspace_id = ${workspaceId} and expires_at <= ${at}`)
  await tx.query(sql`
    insert into slack_journey (workspace_id, id, asked_by_kind, asked_by_id, in_browser, expires_at)
    values (${workspaceId}, ${id}, ${askedBy.kind}, ${askedBy.id}, ${inBrowser}, ${expiresAt})`)
}

/** Null when the journey expired or its asker may no longer act for the workspace. */
export async function readJourney(reader: Reader, workspaceId: Uuid, id: Uuid, at: Date): Promise<SlackJourney | null> {
  const [row] = await reader.query<{
    asked_by_kind: KnownActor['kind']
    asked_by_id: Uuid
    in_browser: boolean
    expires_at: Date
  }>(sql`
    select asked_by_kind, asked_by_id, in_browser, expires_at from slack_journey j where workspace_id = ${workspaceId}
      and id = ${id} and expires_at > ${at}
      and case asked_by_kind
        when 'person' then exists (select from membership m where m.workspace_id = j.workspace_id
          and m.user_id = j.asked_by_id)
        else exists (select from api_key k where k.workspace_id = j.workspace_id and k.id = j.asked_by_id
          and k.revoked_at is null) end`)
  if (row === undefined) return null
  return {
    workspaceId,
    id,
    askedBy: { kind: row.asked_by_kind, id: row.asked_by_id },
    inBrowser: row.in_browser,
    expiresAt: row.expires_at,
  }
}

export async function nameJourney(
  reader: Reader,
  { workspaceId, askedBy }: SlackJourney,
): Promise<{ workspaceName: string; askedByName: string }> {
  const [row] = await reader.query<{ workspace: string; asked_by: string | null }>(
    sql`select name as workspace, (${selectName(workspaceId, askedBy)}) as asked_by from workspace
        where id = ${workspaceId}`,
  )
  return { workspaceName: row?.workspace ?? '', askedByName: row?.asked_by ?? '' }
}

/** False when another request ended the journey first. */
export async function endJourney(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<boolean> {
  const rows = await tx.query(
    sql`delete from slack_journey where workspace_id = ${workspaceId} and id = ${id} returning 1`,
  )
  return rows.length > 0
}
