import type { SuppressionReason } from '../../domain/channel/suppression.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

export interface Suppression {
  id: Uuid
  email: string
  reason: SuppressionReason
  createdAt: Date
}

export async function suppressedAmong(reader: Reader, emails: readonly string[]): Promise<Set<string>> {
  if (emails.length === 0) return new Set()
  const rows = await reader.query<{ email: string }>(
    sql`select email from email_suppression where email = any(${[...emails]}::text[])`,
  )
  return new Set(rows.map(({ email }) => email))
}

/** `emails` are folded. A complaint outweighs a bounce. Returns how many are new or weigh more than before. */
export async function suppress(
  tx: Transaction,
  emails: readonly string[],
  reason: SuppressionReason,
  at: Date,
): Promise<number> {
  if (emails.length === 0) return 0
  const distinct = [...new Set(emails)].sort()
  const rows = await tx.query(sql`
    insert into email_suppression as s (id, email, reason, created_at)
    select id, email, ${reason}, ${at}
      from unnest(${distinct.map(() => newUuid(at))}::uuid[], ${distinct}::text[]) given (id, email) order by email
    on conflict (email) do update set reason = excluded.reason, created_at = excluded.created_at
      where s.reason = 'bounce' and excluded.reason = 'complaint'
    returning 1`)
  return rows.length
}

export async function unsuppress(tx: Transaction, email: string): Promise<boolean> {
  const rows = await tx.query(sql`delete from email_suppression where email = ${email} returning 1`)
  return rows.length > 0
}

/** Of a recipient of the workspace's channels only; locked until the transaction ends. */
export async function lockSuppression(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<Suppression | null> {
  const [row] = await tx.query<Suppression>(sql`
    select s.id, s.email, s.reason, s.created_at as "createdAt" from email_suppression s
    where s.id = ${id} and s.email in (${recipientsOf(workspaceId)}) for update of s`)
  return row ?? null
}

/** The newest first, from below `after`; of recipients of the workspace's channels only. */
export function selectSuppressions(
  reader: Reader,
  workspaceId: Uuid,
  { after, limit }: { after: { createdAt: Date; id: Uuid } | null; limit: number },
): Promise<Suppression[]> {
  const below = after === null ? sql`` : sql`and (s.created_at, s.id) < (${after.createdAt}, ${after.id})`
  return reader.query<Suppression>(sql`
    select s.id, s.email, s.reason, s.created_at as "createdAt" from email_suppression s
    where s.email in (${recipientsOf(workspaceId)}) ${below}
    order by s.created_at desc, s.id desc limit ${limit}`)
}

function recipientsOf(workspaceId: Uuid) {
  return sql`
    select lower(r ->> 'email') from channel c cross join lateral jsonb_array_elements(c.config -> 'recipients') r
    where c.workspace_id = ${workspaceId} and c.kind = 'email'`
}
