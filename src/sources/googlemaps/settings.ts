import { key, oneOf } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'
import { dailyCap } from '../daily-cap.ts'
import { GOOGLE_KEYS } from '../google-keys.ts'
import { APIFY, actor } from '../providers/settings.ts'

export const SETTINGS = {
  GOOGLE_MAPS_API_KEY: key(
    'A key for the Places API (New); it shows the five most relevant reviews of a place.',
    'no Places API',
    { from: [GOOGLE_KEYS], price: '25 dollars for a thousand requests, the first thousand of a month free' },
  ),
  GOOGLEMAPS_PROVIDER: {
    meaning: 'The provider through which googlemaps is collected.',
    obtain: { from: [APIFY], price: 'about 50 cents for a thousand reviews' },
    form: 'apify, off',
    fallback: 'the Places API',
    schema: oneOf(['apify', 'off']),
  },
  GOOGLEMAPS_APIFY_ACTOR: actor('googlemaps', 'compass/google-maps-reviews-scraper'),
  GOOGLEMAPS_DAILY_USD_CAP: dailyCap('googlemaps', '2'),
} satisfies SettingsTable
