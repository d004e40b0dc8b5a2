import { key } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'

export const SETTINGS = {
  GITHUB_TOKEN: key(
    'A token for the REST API of GitHub; it needs no permission.',
    '10 searches a minute instead of 30, no discussions',
    { from: ['https://github.com/settings/tokens'], price: null },
  ),
} satisfies SettingsTable
