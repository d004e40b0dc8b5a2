import { key } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'
import { dailyCap } from '../daily-cap.ts'

export const SETTINGS = {
  X_BEARER_TOKEN: key('The bearer token of an X app with pay-per-use access.', 'X is not collected', {
    from: ['https://developer.x.com'],
    price: 'half a cent for each post read, one cent for each person looked up',
  }),
  X_DAILY_USD_CAP: dailyCap('x', '5'),
} satisfies SettingsTable
