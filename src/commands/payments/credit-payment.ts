import type { PaymentKind } from '../../domain/payment/top-up.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { centsToUnits } from '../../kernel/money.ts'
import type { Transaction } from '../../store/database.ts'
import { creditWallet } from '../wallet/credit-wallet.ts'
import type { Services } from '../writing.ts'

export interface Paid {
  workspaceId: Uuid
  kind: PaymentKind
  /** The provider's id. */
  reference: string
  amountCents: number
}

/** Credits a payment once. Returns whether it was new. */
export async function creditPayment(
  tx: Transaction,
  { billing, clock }: Pick<Services, 'billing' | 'clock'>,
  { workspaceId, kind, reference, amountCents }: Paid,
): Promise<boolean> {
  const credit = { workspaceId, kind, amount: centsToUnits(amountCents), key: paymentKey(reference), note: reference }
  return (await creditWallet(tx, { billing, clock }, credit)).isNew
}

/** The idempotency key of the credit. */
export function paymentKey(reference: string): string {
  return `payment ${reference}`
}
