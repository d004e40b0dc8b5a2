import type { SettingsTable } from '../../kernel/settings.ts'
import { dailyCap } from '../daily-cap.ts'
import { actor, provider } from '../providers/settings.ts'

export const SETTINGS = {
  INSTAGRAM_PROVIDER: provider('instagram', 'a credit of ScrapeCreators a page, or 0.3 cents a post at Apify'),
  INSTAGRAM_APIFY_ACTOR: actor('instagram', 'apify/instagram-hashtag-scraper'),
  INSTAGRAM_DAILY_USD_CAP: dailyCap('instagram', '2'),
} satisfies SettingsTable
