import { EMAIL_PROBLEM, foldEmail } from '../../../domain/account/account.ts'
import { type Refusal, refuse, refuseField } from '../../../domain/refusal/refusal.ts'
import { unsuppress as unsuppressStored } from '../../../store/channel/suppressions.ts'
import type { Services } from '../../writing.ts'

/** For the operator, after a bounce or a spam report. */
export async function unsuppress(
  { db }: Pick<Services, 'db'>,
  email: string,
): Promise<undefined | Refusal<'validation_error' | 'not_found'>> {
  const folded = foldEmail(email)
  if (folded === null) return refuseField('email', EMAIL_PROBLEM)
  const wasSuppressed = await db.transaction((tx) => unsuppressStored(tx, folded))
  return wasSuppressed ? undefined : refuse('not_found', `Channels may already write to ${folded}.`)
}
