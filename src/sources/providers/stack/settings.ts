import { key } from '../../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../../kernel/settings.ts'

/** Of the whole network. */
export const STACK_SETTINGS = {
  STACKEXCHANGE_KEY: key('A key for the Stack Exchange API.', '300 requests a day instead of 10,000', {
    from: ['https://stackapps.com/apps/oauth/register'],
    price: null,
  }),
} satisfies SettingsTable
