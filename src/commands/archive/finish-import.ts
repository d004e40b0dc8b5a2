import { settledAtStart } from '../../domain/wallet/daily-run.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { units } from '../../kernel/money.ts'
import { type Difference, verifyLedger } from '../../queries/wallet/verify-ledger.ts'
import { type Reader, sql, type Transaction } from '../../store/database.ts'
import { countPeople, holdPeople } from '../../store/person/people-totals.ts'
import { book } from '../../store/wallet/ledger.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import { openImported } from '../../store/workspace/imports.ts'
import type { Services } from '../writing.ts'
import { ArchiveProblem } from './archive-problem.ts'
import { joinKeywords } from './join-sources.ts'

/** The ledger of an archive contradicts itself or the usage. */
export class ArchivedLedgerProblem extends ArchiveProblem {
  readonly differences: readonly Difference[]

  constructor(differences: readonly Difference[]) {
    super('The ledger of the archive does not add up, so the archive was changed or is damaged.')
    this.name = 'ArchivedLedgerProblem'
    this.differences = differences
  }
}

/** The balance, and what keywords cost this month, without mentions that are not charged. */
export async function sumLedger(tx: Transaction, workspaceId: Uuid): Promise<void> {
  await tx.query(sql`
    update keyword_counter c set month_units = coalesce((select sum(u.mention_units) from usage_day u
      where u.workspace_id = c.workspace_id and u.keyword_id = c.keyword_id and u.day >= c.cost_month
        and u.day < c.cost_month + interval '1 month'), 0)
    where c.workspace_id = ${workspaceId}`)
  await tx.query(sql`
    update workspace w set balance_units = (select coalesce(sum(amount_units), 0) from ledger_entry e
      where e.workspace_id = w.id) where id = ${workspaceId}`)
}

/** A day on which less was charged, as where billing was switched on, stays as it is. Throws ArchivedLedgerProblem. */
export async function checkLedger(reader: Reader, workspaceId: Uuid): Promise<void> {
  const { differences } = await verifyLedger(reader, { metered: false, workspaceId })
  if (differences.length > 0) throw new ArchivedLedgerProblem(differences)
}

export interface Opening {
  workspaceId: Uuid
  name: string
  exportedAt: string
  keepBalance: boolean
}

/** Prepares what is derived of the whole workspace, and lets it be seen. */
export async function openWorkspace(
  tx: Transaction,
  { billing, clock }: Pick<Services, 'billing' | 'clock'>,
  { workspaceId, name, exportedAt, keepBalance }: Opening,
): Promise<void> {
  const at = clock.now()
  await holdPeople(tx, workspaceId)
  await countPeople(tx, workspaceId)
  await joinKeywords(tx, workspaceId, at)
  if (billing === 'metered' && !keepBalance) await takeBalance(tx, workspaceId, at)
  await openImported(tx, workspaceId, settledAtStart(at))
  await tx.query(sql`
    insert into words_to_renew (workspace_id, before_id)
    values (${workspaceId}, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`)
  const target = { id: toId('org', workspaceId), name }
  await recordAudit(tx, { workspaceId, kind: 'workspace.imported', target, data: { exportedAt } }, at)
}

/** Leaves the ledger with a balance of zero, and the limits of a workspace that nobody paid for. */
async function takeBalance(tx: Transaction, workspaceId: Uuid, at: Date): Promise<void> {
  const [row] = await tx.query<{ balance: number }>(sql`
    update workspace set last_credit_units = 0, last_top_up_at = null, welcome_limits = true where id = ${workspaceId}
    returning balance_units as balance`)
  const amount = units(-row!.balance)
  if (amount === 0) return
  const note = 'The balance stays with the workspace that was exported.'
  await book(tx, { workspaceId, kind: 'adjustment', amount, key: `import ${workspaceId}`, note, at })
}
