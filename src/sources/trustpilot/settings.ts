import { key } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'

export const SETTINGS = {
  TRUSTPILOT_API_KEY: key('A key for the Business Units API of Trustpilot.', 'Trustpilot is not collected', {
    from: ['https://developers.trustpilot.com'],
    price: 'a paid addition to an account of Trustpilot',
  }),
} satisfies SettingsTable
