import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { summarisePeople } from '../../store/person/people.ts'
import { addToTotals, holdPeople } from '../../store/person/people-totals.ts'

const PEOPLE_AT_ONCE = 500

/** Sums people up from their accounts, under their new ids, so that they are found by name, and counts them. */
export async function summariseImported(tx: Transaction, workspaceId: Uuid): Promise<void> {
  await holdPeople(tx, workspaceId)
  let last: Uuid = '00000000-0000-0000-0000-000000000000' as Uuid
  let people = 0
  for (;;) {
    const rows = await tx.query<{ id: Uuid }>(sql`
      select id from person where workspace_id = ${workspaceId} and id > ${last} order by id limit ${PEOPLE_AT_ONCE}`)
    await summarisePeople(
      tx,
      rows.map(({ id }) => ({ workspaceId, personId: id })),
    )
    people += rows.length
    if (rows.length < PEOPLE_AT_ONCE) break
    last = rows.at(-1)!.id
  }
  await addToTotals(tx, new Map([[workspaceId, people]]))
}
