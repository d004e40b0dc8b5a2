import type { SettingsTable } from '../../kernel/settings.ts'
import { dailyCap } from '../daily-cap.ts'
import { actor, provider } from '../providers/settings.ts'

export const SETTINGS = {
  LINKEDIN_PROVIDER: provider('linkedin', 'a credit of ScrapeCreators a page, or 0.2 cents a post at Apify'),
  LINKEDIN_APIFY_ACTOR: actor('linkedin', 'harvestapi/linkedin-post-search'),
  LINKEDIN_DAILY_USD_CAP: dailyCap('linkedin', '2'),
} satisfies SettingsTable
