import { oneOf } from '../../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../../kernel/settings.ts'

export interface BillingSettings {
  billing: 'metered' | 'unmetered'
}

export const BILLING_SETTINGS = {
  BILLING: {
    meaning:
      'Whether usage is charged to prepaid wallets (`metered`) or only counted (`unmetered`). ' +
      'Unmetered usage is never charged, paused or capped by the wallet.',
    form: 'metered, unmetered',
    default: 'metered',
    schema: oneOf(['metered', 'unmetered']),
  },
} satisfies SettingsTable

export function billingSettingsOf(values: ValuesOf<typeof BILLING_SETTINGS>): BillingSettings {
  return { billing: values.BILLING }
}
