import { nameProblem } from '../../domain/account/account.ts'
import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { cleanLine } from '../../kernel/text.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'

export async function renameAccount(
  { db }: Services,
  userId: Uuid,
  name: string,
): Promise<undefined | Refusal<'validation_error'>> {
  const problem = nameProblem(name)
  if (problem !== null) return refuseField('name', problem)
  await db.query(sql`update user_account set name = ${cleanLine(name)} where id = ${userId}`)
  return undefined
}
