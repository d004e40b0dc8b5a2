import { foldEmail } from '../../../domain/account/account.ts'
import { type SuppressionReason, suppress } from '../../../store/channel/suppressions.ts'
import type { Services } from '../../writing.ts'

export interface Bounced {
  email: string
  reason: SuppressionReason
}

/** Suppresses addresses in all channels; ignores invalid ones. Returns how many are new. */
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
