import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { youtube } from './source.ts'

export const setup: Setup<typeof SETTINGS> = (values) => {
  const { YOUTUBE_API_KEY: key, YOUTUBE_SEARCH_CALLS_PER_DAY: searchesPerDay } = values
  if (!key) return { missing: ['YOUTUBE_API_KEY'] }
  const { YOUTUBE_COMMENT_UNITS_PER_DAY: unitsPerDay, YOUTUBE_CHANNELS: channels = [] } = values
  return youtube({ key, searchesPerDay, ...(unitsPerDay === 0 ? {} : { comments: { unitsPerDay, channels } }) })
}
