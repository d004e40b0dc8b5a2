import { oneOf } from '../../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../../kernel/settings.ts'

export interface WebSettings {
  hasDashboard: boolean
  hasPictures: boolean
}

export const WEB_SETTINGS = {
  EARSHOT_WEB: {
    meaning: 'Whether the dashboard is served. The pages for signing in, the API and the guide are always served.',
    form: 'on or off',
    default: 'on',
    schema: oneOf(['on', 'off']),
  },
  EARSHOT_PICTURES: {
    meaning:
      'Whether the dashboard shows pictures of posts and authors. This service gets them from the addresses in ' +
      'stored posts, so that browsers of readers ask no other host.',
    form: 'on or off',
    default: 'on',
    schema: oneOf(['on', 'off']),
  },
} satisfies SettingsTable

export function webSettingsOf(values: ValuesOf<typeof WEB_SETTINGS>): WebSettings {
  return { hasDashboard: values.EARSHOT_WEB === 'on', hasPictures: values.EARSHOT_PICTURES === 'on' }
}
