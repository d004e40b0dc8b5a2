import { DEFAULT_GROUP_NAME } from '../../domain/group/group.ts'
import { settledAtStart } from '../../domain/wallet/daily-run.ts'
import { WELCOME_CREDIT } from '../../domain/wallet/prices.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { foldName } from '../../kernel/text.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { book } from '../../store/wallet/ledger.ts'
import type { Services } from '../writing.ts'

export async function createWorkspace({ db, clock }: Services, name: string): Promise<Uuid> {
  return db.transaction((tx) => insertWorkspace(tx, { name, credited: true }, clock.now()))
}

export interface NewWorkspace {
  name: string
  credited: boolean
}

/** The welcome limits apply until the first top-up, with or without the credit. */
export async function insertWorkspace(tx: Transaction, { name, credited }: NewWorkspace, now: Date): Promise<Uuid> {
  const id = newUuid(now)
  await tx.query(sql`
    insert into workspace (id, name, created_at, last_credit_units, settled_through)
    values (${id}, ${name}, ${now}, ${credited ? WELCOME_CREDIT : 0}, ${settledAtStart(now)})`)
  if (credited)
    await book(tx, { workspaceId: id, kind: 'signup_credit', amount: WELCOME_CREDIT, key: 'welcome', at: now })
  await tx.query(sql`
    insert into keyword_group (workspace_id, id, name, name_folded, is_default, created_at, updated_at)
    values (${id}, ${newUuid(now)}, ${DEFAULT_GROUP_NAME}, ${foldName(DEFAULT_GROUP_NAME)}, true, ${now}, ${now})`)
  return id
}
