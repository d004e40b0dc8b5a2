import type { ErasurePlan } from '../../domain/erasure/erasure-plan.ts'
import { accountIdOfKey } from '../../domain/person/account.ts'
import { compareUuids, type Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { summarisePeople } from '../person/people.ts'
import { addToTotals, holdPeople } from '../person/people-totals.ts'

interface AccountKey {
  workspaceId: Uuid
  id: Uuid
}

const WORKSPACES_AT_ONCE = 1000

/** Accounts in all workspaces, by workspace. Includes those that exist only as changes that were not added up yet. */
export async function findAccounts(reader: Reader, { platform, keys }: ErasurePlan): Promise<Map<Uuid, Uuid[]>> {
  const found = new Map<Uuid, Uuid[]>()
  for (let after: Uuid | null = null; ; ) {
    const workspaces: { id: Uuid }[] = await reader.query<{ id: Uuid }>(sql`
      select id from workspace where ${after}::uuid is null or id > ${after}::uuid order by id
        limit ${WORKSPACES_AT_ONCE}`)
    const wanted = workspaces.flatMap(({ id: workspaceId }) =>
      keys.map((key) => ({ workspaceId, id: accountIdOfKey(workspaceId, platform, key) })),
    )
    const rows = await reader.query<AccountKey>(sql`
      select t.workspace_id as "workspaceId", t.id from unnest(${wanted.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${wanted.map(({ id }) => id)}::uuid[]) as t (workspace_id, id)
      where exists (select from account a where a.workspace_id = t.workspace_id and a.id = t.id)
        or exists (select from account_change c where c.workspace_id = t.workspace_id and c.account_id = t.id)`)
    for (const { workspaceId, id } of rows) found.set(workspaceId, [...(found.get(workspaceId) ?? []), id])
    if (workspaces.length < WORKSPACES_AT_ONCE) return found
    after = workspaces.at(-1)!.id
  }
}

/**
 * Removes accounts without mentions. A person keeps the other accounts with notes, tags and mute; without any other the
 * person goes too.
 */
export async function eraseAccounts(tx: Transaction, workspaceId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await holdPeople(tx, workspaceId)
  await tx.query(
    sql`delete from account_change where workspace_id = ${workspaceId} and account_id = any(${ids}::uuid[])`,
  )
  const gone = await tx.query<{ personId: Uuid }>(sql`
    delete from account where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
      returning person_id as "personId"`)
  const people = [...new Set(gone.map(({ personId }) => personId))].sort(compareUuids)
  const left = await tx.query<{ personId: Uuid; accountId: Uuid }>(sql`
    select person_id as "personId", (array_agg(id order by id <> person_id, id))[1] as "accountId" from account
    where workspace_id = ${workspaceId} and person_id = any(${people}::uuid[]) group by person_id`)
  for (const { personId, accountId } of left)
    if (accountId !== personId) await rename(tx, workspaceId, personId, accountId)
  const staying = new Set(left.map(({ personId }) => personId))
  const going = people.filter((id) => !staying.has(id))
  await tx.query(sql`delete from person where workspace_id = ${workspaceId} and id = any(${going}::uuid[])`)
  await addToTotals(tx, new Map([[workspaceId, -going.length]]))
  await summarisePeople(
    tx,
    left.map(({ accountId }) => ({ workspaceId, personId: accountId })),
  )
}

/** A person has the id of one of their accounts. */
async function rename(tx: Transaction, workspaceId: Uuid, from: Uuid, to: Uuid): Promise<void> {
  await tx.query(sql`update person set id = ${to} where workspace_id = ${workspaceId} and id = ${from}`)
  await tx.query(sql`
    update account set person_id = ${to} where workspace_id = ${workspaceId} and person_id = ${from}`)
}

/** Of the people with an account of the author, how many workspaces noted, tagged or muted. */
export async function countNotes(reader: Reader, accounts: ReadonlyMap<Uuid, readonly Uuid[]>): Promise<number> {
  const pairs = [...accounts].flatMap(([workspaceId, ids]) => ids.map((id) => ({ workspaceId, id })))
  const [row] = await reader.query<{ count: number }>(sql`
    select count(distinct (p.workspace_id, p.id))::int as count
    from unnest(${pairs.map(({ workspaceId }) => workspaceId)}::uuid[], ${pairs.map(({ id }) => id)}::uuid[])
      as t (workspace_id, id)
    join account a on a.workspace_id = t.workspace_id and a.id = t.id
    join person p on p.workspace_id = a.workspace_id and p.id = a.person_id
    where p.tags <> '{}' or p.notes <> '' or p.muted`)
  return row!.count
}
