import { wholeNumber } from '../../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../../kernel/settings.ts'

export interface ReadSettings {
  collectThreads: number
}

export const READ_SETTINGS = {
  COLLECT_THREADS: {
    meaning:
      'Threads that read the platforms and match posts beside the main thread, which then only stores them. At ' +
      'most one per platform is used; 0 leaves everything to the main thread.',
    form: 'whole number from 0 to 16',
    default: '0',
    schema: wholeNumber(0, 16),
  },
} satisfies SettingsTable

export function readSettingsOf(values: ValuesOf<typeof READ_SETTINGS>): ReadSettings {
  return { collectThreads: values.COLLECT_THREADS }
}
