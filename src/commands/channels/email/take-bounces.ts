import { foldEmail } from '../../../domain/account/account.ts'
import { SUPPRESSION_REASONS, type SuppressionReason } from '../../../domain/channel/suppression.ts'
import { type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import { type NotedReport, noteReport } from '../../../store/channel/mail-reports.ts'
import { suppress } from '../../../store/channel/suppressions.ts'
import type { Services } from '../../writing.ts'

export interface Bounced {
  email: string
  reason: SuppressionReason
}

/**
 * Suppresses addresses in all channels; ignores invalid ones. A message counts once; without `message` it counts each
 * time. Returns how many addresses are new.
 */
export async function takeBounces(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  bounced: readonly Bounced[],
  message: NotedReport | null,
): Promise<number | Refusal<'invalid_signature'>> {
  const at = clock.now()
  return await db.transaction(async (tx) => {
    const noted = message === null ? 'new' : await noteReport(tx, message, at)
    if (noted === 'altered')
      return refuse('invalid_signature', 'The signature was used before, for another message of the mail provider.')
    if (noted === 'repeated') return 0
    let count = 0
    for (const reason of SUPPRESSION_REASONS) {
      const emails = bounced.filter((item) => item.reason === reason).flatMap(({ email }) => foldEmail(email) ?? [])
      count += await suppress(tx, emails, reason, at)
    }
    return count
  })
}
