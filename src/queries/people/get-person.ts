import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { type Person, readNewcomer, readPeople } from './person-shape.ts'

/** By the id of any of their accounts, merged ones included. */
export async function getPerson({ db, workspaceId }: QueryContext, id: Uuid): Promise<Person | Refusal<'not_found'>> {
  const [account] = await db.query<{ person_id: Uuid }>(
    sql`select person_id from account where workspace_id = ${workspaceId} and id = ${id}`,
  )
  if (account === undefined) return (await readNewcomer(db, workspaceId, id)) ?? noSuchPerson()
  const [person] = await readPeople(db, workspaceId, [account.person_id])
  return person ?? noSuchPerson()
}

export function noSuchPerson(): Refusal<'not_found'> {
  return refuse('not_found', 'There is no person with this id')
}
