import { hostNames, key, textLike } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'

export const SETTINGS = {
  BSKY_JETSTREAM_HOSTS: {
    meaning: 'The Jetstream servers of Bluesky to follow, in the order in which they are tried.',
    form: 'host names separated by commas',
    fallback: 'all public servers',
    schema: hostNames,
  },
  BSKY_HANDLE: {
    meaning: 'The account that searches Bluesky for live search; the feed itself needs none.',
    form: 'handle such as name.bsky.social',
    fallback: 'no live search on Bluesky',
    schema: textLike(/^[a-z0-9.-]{3,253}$/i, 'must be a handle such as name.bsky.social'),
  },
  BSKY_APP_PASSWORD: key('The app password of that account.', 'no live search on Bluesky', {
    from: ['https://bsky.app/settings/app-passwords'],
    price: null,
  }),
} satisfies SettingsTable
