import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { summarisePeople } from '../../store/person/people.ts'
import { holdPeople } from '../../store/person/people-totals.ts'

const PEOPLE_AT_ONCE = 500

/**
 * Sums people up from their accounts, under their new ids, so that they are found by name: one portion after `after`.
 * Returns the last of a full one.
 */
export async function summariseImported(tx: Transaction, workspaceId: Uuid, after: Uuid | null): Promise<Uuid | null> {
  await holdPeople(tx, workspaceId)
  const rows = await tx.query<{ id: Uuid }>(sql`
    select id from person where workspace_id = ${workspaceId} and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${PEOPLE_AT_ONCE}`)
  await summarisePeople(
    tx,
    rows.map(({ id }) => ({ workspaceId, personId: id })),
  )
  return rows.length < PEOPLE_AT_ONCE ? null : rows.at(-1)!.id
}
