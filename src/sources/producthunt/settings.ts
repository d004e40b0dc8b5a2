import { key } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'

export const SETTINGS = {
  PRODUCTHUNT_TOKEN: key(
    'A developer token of Product Hunt, whose terms forbid commercial use without permission.',
    'Product Hunt is not collected',
    { from: ['https://www.producthunt.com/v2/oauth/applications'], price: 'nothing, for use that is not commercial' },
  ),
} satisfies SettingsTable
