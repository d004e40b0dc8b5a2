import type { KnownActor } from '../../domain/mention/triage.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { cancelUnsent } from '../delivery/cancel-deliveries.ts'
import { selectName } from '../mention/mention-history.ts'

/** The team at Slack that a workspace is connected to. */
export interface SlackConnection {
  workspaceId: Uuid
  teamId: string
  teamName: string
  scopes: string[]
  tokenSealed: string
  tokenHash: Buffer
  /** Since when Slack does not take the token any more; null while it does. */
  brokenAt: Date | null
}

/** What a token of a connection is bound to as it is sealed. */
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

/** The connection of a workspace, which then stays as it is until the transaction ends; null without one. */
export async function holdConnection(tx: Transaction, workspaceId: Uuid): Promise<SlackConnection | null> {
  const [row] = await tx.query<ConnectionRow>(
    sql`select * from slack_connection where workspace_id = ${workspaceId} for share`,
  )
  return row ? fromRow(row) : null
}

/** Stores a connection in the place of the one that there is, if any, and answers that one. */
export async function storeConnection(
  tx: Transaction,
  connection: Omit<SlackConnection, 'brokenAt'>,
  by: KnownActor,
  at: Date,
): Promise<SlackConnection | null> {
  const { workspaceId, teamId, teamName, scopes, tokenSealed, tokenHash } = connection
  // Two that come back at once are one after the other, also while there is none yet.
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

/** Forgets the connection of a workspace, unless it was made later than `madeBy`; answers the one that is gone. */
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

/** Notes that Slack does not take the token of a workspace any more, if it has not got another one meanwhile. */
export async function markBroken(tx: Transaction, workspaceId: Uuid, tokenHash: Buffer, at: Date): Promise<void> {
  await tx.query(sql`
    update slack_connection set broken_at = ${at} where workspace_id = ${workspaceId} and token_hash = ${tokenHash}
      and broken_at is null`)
}

/** The workspaces that are connected to a team. */
export async function findConnected(reader: Reader, teamId: string): Promise<Uuid[]> {
  const rows = await reader.query<{ workspace_id: Uuid }>(
    sql`select workspace_id from slack_connection where team_id = ${teamId} order by workspace_id`,
  )
  return rows.map((row) => row.workspace_id)
}

/** Whether any workspace speaks in a team. */
export async function isTeamInUse(reader: Reader, teamId: string): Promise<boolean> {
  const rows = await reader.query(sql`select 1 from slack_connection where team_id = ${teamId} limit 1`)
  return rows.length > 0
}

/** Of these workspaces the one whose mention this is; null when it is of none of them. */
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

/** The Slack channels of a workspace, locked until the transaction ends, with the team that each of them is in. */
export async function lockSlackChannels(tx: Transaction, workspaceId: Uuid): Promise<{ id: Uuid; teamId: string }[]> {
  const rows = await tx.query<{ id: Uuid; team_id: string }>(
    sql`select id, config->>'teamId' as team_id from channel where workspace_id = ${workspaceId} and kind = 'slack'
        order by id for update`,
  )
  return rows.map((row) => ({ id: row.id, teamId: row.team_id }))
}

/** Gives locked channels their tokens, each sealed for itself. */
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

/** Takes their tokens from locked channels. What waits to be sent through them is cancelled, for the reason given. */
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

/** Somebody on the way to Slack, who is to come back with what they find there. */
export interface SlackJourney {
  workspaceId: Uuid
  id: Uuid
  askedBy: KnownActor
  /** True when only the person who asked may come back, in a browser in which they are signed in. */
  inBrowser: boolean
  expiresAt: Date
}

/** Stores a journey; those of the workspace that are over by `at` are forgotten. */
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

/** A journey that is not over, and whose asker may still act for the workspace; null where there is none. */
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

/** What people call the workspace that a journey is for and who asked for it. */
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

/** Ends a journey; false when somebody else has, who came back before. */
export async function endJourney(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<boolean> {
  const rows = await tx.query(
    sql`delete from slack_journey where workspace_id = ${workspaceId} and id = ${id} returning 1`,
  )
  return rows.length > 0
}
