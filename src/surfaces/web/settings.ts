import { oneOf } from '../../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../../kernel/settings.ts'

export interface WebSettings {
  hasDashboard: boolean
}

export const WEB_SETTINGS = {
  EARSHOT_WEB: {
    meaning: 'Whether the dashboard is served. The pages for signing in, the API and the guide are always served.',
    form: 'on or off',
    default: 'on',
    schema: oneOf(['on', 'off']),
  },
} satisfies SettingsTable

export function webSettingsOf(values: ValuesOf<typeof WEB_SETTINGS>): WebSettings {
  return { hasDashboard: values.EARSHOT_WEB === 'on' }
}
