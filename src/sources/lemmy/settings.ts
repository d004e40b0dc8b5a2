import { publicHostNames } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'

export const SETTINGS = {
  LEMMY_SERVERS: {
    meaning: 'The servers of Lemmy that are read. Each shows posts of all; a second one helps while the first is down.',
    form: 'host names separated by commas',
    default: 'lemmy.world',
    schema: publicHostNames,
  },
} satisfies SettingsTable
