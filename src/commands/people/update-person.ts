import type { Annotations } from '../../domain/person/person.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { getPerson, noSuchPerson } from '../../queries/people/get-person.ts'
import type { Person } from '../../queries/people/person-shape.ts'
import { cancelOfAccounts } from '../../store/person/known-people.ts'
import { annotate, readHeldPerson } from '../../store/person/people.ts'
import { holdPeople } from '../../store/person/people-totals.ts'
import type { WritingContext } from '../writing.ts'

/** Absent fields stay, null clears. */
export interface PersonChange {
  tags?: readonly string[] | null | undefined
  notes?: string | null | undefined
  muted?: boolean | undefined
}

/** Muting cancels what is not sent yet. */
export async function updatePerson(
  writing: WritingContext,
  id: Uuid,
  change: PersonChange,
): Promise<Person | Refusal<'not_found'>> {
  const { db, workspaceId } = writing
  return db.transaction(async (tx) => {
    await holdPeople(tx, workspaceId)
    const person = await readHeldPerson(tx, workspaceId, id)
    if (person === null) return noSuchPerson()
    const after: Annotations = {
      tags: change.tags === undefined ? person.tags : [...new Set(change.tags)],
      notes: change.notes === undefined ? person.notes : (change.notes ?? ''),
      muted: change.muted ?? person.muted,
    }
    await annotate(tx, workspaceId, [person.id], after)
    if (after.muted && !person.muted) await cancelOfAccounts(tx, workspaceId, person.accountIds)
    return await getPerson({ ...writing, db: tx }, person.id)
  })
}
