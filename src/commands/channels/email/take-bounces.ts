import { foldEmail } from '../../../domain/account/account.ts'
import { type SuppressionReason, suppress } from '../../../store/channel/suppressions.ts'
import type { Services } from '../../writing.ts'

/** An address that is not to be written to any more, as the mail provider tells it. */
export interface Bounced {
  email: string
  reason: SuppressionReason
}

/**
 * From now on no channel writes to these addresses; what is no address is passed over. Answers how many could be
 * written to until now.
 */
export async function takeBounces(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  bounced: readonly Bounced[],
): Promise<number> {
  const at = clock.now()
  return await db.transaction(async (tx) => {
    let count = 0
    for (const reason of ['bounce', 'complaint'] as const) {
      const emails = bounced.filter((item) => item.reason === reason).flatMap(({ email }) => foldEmail(email) ?? [])
      count += await suppress(tx, emails, reason, at)
    }
    return count
  })
}
