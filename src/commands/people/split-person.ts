import { type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { noSuchPerson } from '../../queries/people/get-person.ts'
import { type Person, readPeople } from '../../queries/people/person-shape.ts'
import { annotate, partAccounts, readHeldPerson, summarisePeople } from '../../store/person/people.ts'
import { addToTotals, holdPeople } from '../../store/person/people-totals.ts'
import type { WritingContext } from '../writing.ts'

/**
 * Separates accounts of a person, by default all but the first, into people with the same notes and mute state. Returns
 * the remaining person first.
 */
export async function splitPerson(
  writing: WritingContext,
  id: Uuid,
  accountIds: readonly Uuid[] | undefined,
): Promise<Person[] | Refusal<'not_found' | 'validation_error' | 'conflict'>> {
  const { db, workspaceId } = writing
  return db.transaction(async (tx) => {
    await holdPeople(tx, workspaceId)
    const person = await readHeldPerson(tx, workspaceId, id)
    if (person === null) return noSuchPerson()
    const others = person.accountIds.filter((account) => account !== person.id)
    if (others.length === 0) return refuse('conflict', 'This person has only one account')
    const parted = [...new Set(accountIds ?? others)]
    if (parted.includes(person.id))
      return refuseField('accountIds', 'must not name the first account, which gives the person its id')
    if (!parted.every((account) => others.includes(account)))
      return refuse('conflict', 'Not all of these accounts belong to this person')
    await partAccounts(tx, workspaceId, parted)
    const people = [person.id, ...parted].map((personId) => ({ workspaceId, personId }))
    await summarisePeople(tx, people)
    await annotate(tx, workspaceId, parted, person)
    await addToTotals(tx, new Map([[workspaceId, parted.length]]))
    return await readPeople(
      tx,
      workspaceId,
      people.map(({ personId }) => personId),
    )
  })
}
