import { type Reader, sql, type Transaction } from '../database.ts'

export type SuppressionReason = 'bounce' | 'complaint'

export async function suppressedAmong(reader: Reader, emails: readonly string[]): Promise<Set<string>> {
  if (emails.length === 0) return new Set()
  const rows = await reader.query<{ email: string }>(
    sql`select email from email_suppression where email = any(${[...emails]}::text[])`,
  )
  return new Set(rows.map(({ email }) => email))
}

/** `emails` are folded. Returns how many were new. */
export async function suppress(
  tx: Transaction,
  emails: readonly string[],
  reason: SuppressionReason,
  at: Date,
): Promise<number> {
  if (emails.length === 0) return 0
  const rows = await tx.query(sql`
    insert into email_suppression (email, reason, created_at)
    select email, ${reason}, ${at} from (select distinct unnest(${[...emails]}::text[]) as email) given order by email
    on conflict do nothing returning 1`)
  return rows.length
}

export async function unsuppress(tx: Transaction, email: string): Promise<boolean> {
  const rows = await tx.query(sql`delete from email_suppression where email = ${email} returning 1`)
  return rows.length > 0
}
