import { listWhere, someOf } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'

const editions = listWhere(
  (edition) => /^[a-z]{2}(-[A-Za-z0-9]{2,4})?:[A-Z]{2}$/.test(edition),
  'must be language and country pairs such as en-US:US, separated by commas',
).transform((pairs) =>
  pairs.map((pair) => {
    const [language = '', country = ''] = pair.split(':')
    return { language, country }
  }),
)

export const SETTINGS = {
  NEWS_SOURCES: {
    meaning: 'The news indexes that are searched. The terms of googlenews and bing allow personal use.',
    form: 'gdelt, googlenews, bing, separated by commas',
    default: 'gdelt',
    schema: someOf(['gdelt', 'googlenews', 'bing']),
  },
  NEWS_EDITIONS: {
    meaning: 'The editions that googlenews and bing are searched in.',
    form: 'language:country pairs separated by commas',
    default: 'en-US:US',
    schema: editions,
  },
} satisfies SettingsTable
