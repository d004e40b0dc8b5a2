import { PERSON_LIMITS, uniteAnnotations } from '../../domain/person/person.ts'
import { type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { getPerson, noSuchPerson } from '../../queries/people/get-person.ts'
import type { Person } from '../../queries/people/person-shape.ts'
import { cancelOfAccounts } from '../../store/person/known-people.ts'
import { annotate, giveAccounts, readHeldPerson, removePerson, summarisePeople } from '../../store/person/people.ts'
import { addToTotals, holdPeople } from '../../store/person/people-totals.ts'
import type { WritingContext } from '../writing.ts'

/** Moves the accounts and notes of `id` to `into`; `id` redirects from then on. The result is muted if either was. */
export async function mergePeople(
  writing: WritingContext,
  id: Uuid,
  into: Uuid,
): Promise<Person | Refusal<'not_found' | 'validation_error' | 'conflict'>> {
  const { db, workspaceId } = writing
  return db.transaction(async (tx) => {
    await holdPeople(tx, workspaceId)
    const [going, staying] = [await readHeldPerson(tx, workspaceId, id), await readHeldPerson(tx, workspaceId, into)]
    if (going === null || staying === null) return noSuchPerson()
    if (going.id === staying.id) return refuseField('into', 'must be another person')
    if (going.accountIds.length + staying.accountIds.length > PERSON_LIMITS.accounts)
      return refuse('conflict', `A person has at most ${PERSON_LIMITS.accounts} accounts`)
    const after = uniteAnnotations(staying, going)
    if ([...after.notes].length > PERSON_LIMITS.notes)
      return refuse(
        'conflict',
        `The notes of both together are longer than ${PERSON_LIMITS.notes} characters; shorten them first`,
      )
    await giveAccounts(tx, workspaceId, going.accountIds, staying.id)
    await removePerson(tx, workspaceId, going.id)
    await annotate(tx, workspaceId, [staying.id], after)
    await summarisePeople(tx, [{ workspaceId, personId: staying.id }])
    await addToTotals(tx, new Map([[workspaceId, -1]]))
    if (after.muted) await cancelOfAccounts(tx, workspaceId, [...going.accountIds, ...staying.accountIds])
    return await getPerson({ ...writing, db: tx }, staying.id)
  })
}
