import { key } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'

export const SETTINGS = {
  DEVTO_API_KEY: key('A key for the API of dev.to.', 'the public limits'),
} satisfies SettingsTable
