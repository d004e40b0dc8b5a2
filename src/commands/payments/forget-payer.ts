import { failureText } from '../../domain/payment/recharge.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { findBilledPerson } from '../../queries/payments/find-billed-person.ts'
import type { Transaction } from '../../store/database.ts'
import { forgetPayer as forgetStoredPayer } from '../../store/wallet/billing-profiles.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { Services } from '../writing.ts'
import { rechargeEndedText } from './recharge-ended-text.ts'

/**
 * Runs in the transaction in which the person leaves. Mails the owner if recharging ends. A charge in flight is not
 * cancelled.
 */
export async function forgetPayer(
  tx: Transaction,
  services: Pick<Services, 'clock' | 'sealer' | 'mail' | 'publicUrl'>,
  workspaceId: Uuid,
  userId: Uuid,
): Promise<void> {
  const error = failureText('payer_left')
  const hasEnded = await forgetStoredPayer(tx, workspaceId, userId, error)
  if (!hasEnded || services.mail === null) return
  const owner = await findBilledPerson(tx, workspaceId)
  if (owner === null) return
  const text = rechargeEndedText({ workspace: owner.workspace, error, publicUrl: services.publicUrl })
  await queueMail(tx, services, { to: owner.email, ...text, expiresAt: plus(services.clock.now(), DAY_MS) })
}
