import type { SettingsTable } from '../../kernel/settings.ts'
import { dailyCap } from '../daily-cap.ts'
import { actor, provider } from '../providers/settings.ts'

export const SETTINGS = {
  TIKTOK_PROVIDER: provider('tiktok', 'a credit of ScrapeCreators a page, or half a cent a video at Apify'),
  TIKTOK_APIFY_ACTOR: actor('tiktok', 'clockworks/tiktok-scraper'),
  TIKTOK_DAILY_USD_CAP: dailyCap('tiktok', '2'),
} satisfies SettingsTable
