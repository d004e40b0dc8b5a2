import type { Wallet } from '../api/billing.ts'
import { useMay } from '../app/use-may.ts'
import { words } from './words.ts'

/** Why the person cannot pay or change payments; null when nothing is in the way. */
export function useLock({ billingConfigured }: Pick<Wallet, 'billingConfigured'>): string | null {
  const may = useMay()
  if (!billingConfigured) return words.notConfigured
  return may.manage ? null : words.whoManages
}
