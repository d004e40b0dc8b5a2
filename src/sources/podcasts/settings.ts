import { key } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'

const PODCAST_INDEX = { from: ['https://api.podcastindex.org'], price: null }

export const SETTINGS = {
  PODCASTINDEX_KEY: key('The key of the Podcast Index.', 'Podcasts are not collected', PODCAST_INDEX),
  PODCASTINDEX_SECRET: key('The secret of that key.', 'Podcasts are not collected', PODCAST_INDEX),
} satisfies SettingsTable
