import { AFTER_FAILURE_MS, AFTER_SUCCESS_MS, failureText } from '../../domain/payment/recharge.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { findBilledPerson } from '../../queries/payments/find-billed-person.ts'
import type { Transaction } from '../../store/database.ts'
import { endAttempt } from '../../store/wallet/recharges.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { Services } from '../writing.ts'
import { rechargeFailedText } from './recharge-failed-text.ts'

export interface EndingRecharge {
  workspaceId: Uuid
  attemptId: Uuid
}

/** The caller credits the money. */
export async function endPaid(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  attempt: EndingRecharge,
): Promise<void> {
  const at = clock.now()
  await endAttempt(tx, attempt, { at, error: null, nextTryAt: plus(at, AFTER_SUCCESS_MS) })
}

/** The charge may have succeeded after all, so the next one waits as long as after a success. */
export async function endCalledOff(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  attempt: EndingRecharge,
): Promise<void> {
  const at = clock.now()
  await endAttempt(tx, attempt, { at, error: null, nextTryAt: plus(at, AFTER_SUCCESS_MS) })
}

/** Mails the owner about the first failure only. */
export async function endFailed(
  tx: Transaction,
  services: Pick<Services, 'clock' | 'sealer' | 'mail' | 'publicUrl'>,
  attempt: EndingRecharge,
  code: string,
): Promise<void> {
  const at = services.clock.now()
  const error = failureText(code)
  const before = await endAttempt(tx, attempt, { at, error, nextTryAt: plus(at, AFTER_FAILURE_MS) })
  if (before === null || before.error !== null || services.mail === null) return
  const owner = await findBilledPerson(tx, attempt.workspaceId)
  if (owner === null) return
  const text = rechargeFailedText({ workspace: owner.workspace, error, publicUrl: services.publicUrl })
  await queueMail(tx, services, { to: owner.email, ...text, expiresAt: plus(at, DAY_MS) })
}
