import { key, listWhere, wholeNumber } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'
import { GOOGLE_KEYS } from '../google-keys.ts'

export const SETTINGS = {
  YOUTUBE_API_KEY: key('A key for the YouTube Data API.', 'YouTube is not collected', {
    from: [GOOGLE_KEYS],
    price: 'nothing for 100 searches a day',
  }),
  YOUTUBE_SEARCH_CALLS_PER_DAY: {
    meaning: 'How many searches the key may make a day (Pacific time).',
    form: 'whole number from 1 to 1000000',
    default: '100',
    schema: wholeNumber(1, 1_000_000),
  },
  YOUTUBE_COMMENT_UNITS_PER_DAY: {
    meaning: 'How many of the 10,000 units of a day comments may take, one for a hundred comments. 0 reads none.',
    form: 'whole number from 0 to 10000',
    default: '5000',
    schema: wholeNumber(0, 10_000),
  },
  YOUTUBE_CHANNELS: {
    meaning: 'Channels of YouTube whose comments are read below all their videos, such as your own.',
    form: 'ids of channels such as UCabcdefghijklmnopqrstuv, separated by commas, at most 20',
    fallback: 'only comments below videos that were found',
    schema: listWhere((id) => /^UC[\w-]{22}$/.test(id), 'must be ids of channels, separated by commas').refine(
      (ids) => ids.length <= 20,
      'must name at most 20 channels',
    ),
  },
} satisfies SettingsTable
