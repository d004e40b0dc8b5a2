import { DAY_MS, plus } from '../../kernel/clock.ts'
import { sql, type Transaction } from '../database.ts'

/** Longer than providers repeat a message. */
const REPORTS_KEPT_MS = 2 * DAY_MS
const PRUNE_PORTION = 100

/** A message of a provider. Both hashes are SHA-256. */
export interface NotedReport {
  provider: string
  /** Of what a repetition has in common with the first. */
  message: Buffer
  /** Of what it says. */
  content: Buffer
}

/**
 * Waits for a concurrent transaction that notes the same message. `altered` is a known message that says something
 * else now.
 */
export async function noteReport(
  tx: Transaction,
  { provider, message, content }: NotedReport,
  at: Date,
): Promise<'new' | 'repeated' | 'altered'> {
  const noted = await tx.query(
    sql`insert into mail_report (provider, message, content, taken_at)
        values (${provider}, ${message}, ${content}, ${at}) on conflict do nothing returning 1`,
  )
  if (noted.length > 0) {
    await prune(tx, at)
    return 'new'
  }
  const [known] = await tx.query<{ content: Buffer }>(
    sql`select content from mail_report where provider = ${provider} and message = ${message}`,
  )
  return known === undefined || known.content.equals(content) ? 'repeated' : 'altered'
}

async function prune(tx: Transaction, at: Date): Promise<void> {
  await tx.query(sql`
    delete from mail_report r using (
      select provider, message from mail_report where taken_at < ${plus(at, -REPORTS_KEPT_MS)} order by taken_at
        limit ${PRUNE_PORTION} for update skip locked) old
    where r.provider = old.provider and r.message = old.message`)
}
