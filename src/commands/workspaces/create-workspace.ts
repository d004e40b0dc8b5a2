import { DEFAULT_GROUP_NAME, foldGroupName } from '../../domain/group/group.ts'
import { DAY_MS, dayOf, plus } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { WELCOME_CREDIT } from '../../kernel/money.ts'
import { sql, type Transaction } from '../../store/database.ts'
import type { Services } from '../writing.ts'

/** Makes a workspace with its default group and the welcome credit. Names of workspaces need not be unique. */
export async function createWorkspace({ db, clock }: Services, name: string): Promise<Uuid> {
  return db.transaction((tx) => create(tx, name, clock.now()))
}

/** The oldest workspace with this name, made if there is none; several callers at once get the same one. */
export async function findOrCreateWorkspace({ db, clock }: Services, name: string): Promise<Uuid> {
  return db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`workspace ${name}`}, 0))`)
    const [known] = await tx.query<{ id: Uuid }>(sql`select id from workspace where name = ${name} order by id limit 1`)
    return known?.id ?? create(tx, name, clock.now())
  })
}

async function create(tx: Transaction, name: string, now: Date): Promise<Uuid> {
  const id = newUuid(now)
  // Nothing was scored before today, so nothing up to yesterday waits to be settled.
  const settledThrough = dayOf(plus(now, -DAY_MS))
  await tx.query(sql`
    insert into workspace (id, name, created_at, balance_units, last_credit_units, settled_through)
    values (${id}, ${name}, ${now}, ${WELCOME_CREDIT}, ${WELCOME_CREDIT}, ${settledThrough})`)
  await tx.query(sql`
    insert into ledger_entry (workspace_id, id, kind, amount_units, balance_units, created_at)
    values (${id}, ${newUuid(now)}, 'signup_credit', ${WELCOME_CREDIT}, ${WELCOME_CREDIT}, ${now})`)
  await tx.query(sql`
    insert into keyword_group (workspace_id, id, name, name_folded, is_default, created_at, updated_at)
    values (${id}, ${newUuid(now)}, ${DEFAULT_GROUP_NAME}, ${foldGroupName(DEFAULT_GROUP_NAME)}, true, ${now}, ${now})`)
  return id
}
