import { oneOf } from '../../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../../kernel/settings.ts'

export interface BillingSettings {
  billing: 'metered' | 'unmetered'
}

export const BILLING_SETTINGS = {
  BILLING: {
    meaning:
      'Whether use is charged to the prepaid wallets (metered), or only counted (unmetered): nothing is then ' +
      'charged, paused or capped by the wallet.',
    form: 'metered, unmetered',
    default: 'metered',
    schema: oneOf(['metered', 'unmetered']),
  },
} satisfies SettingsTable

export function billingSettingsOf(values: ValuesOf<typeof BILLING_SETTINGS>): BillingSettings {
  return { billing: values.BILLING }
}
