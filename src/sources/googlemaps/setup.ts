import type { PROVIDER_SETTINGS } from '../providers/settings.ts'
import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { googlemaps } from './source.ts'

export const setup: Setup<typeof SETTINGS & typeof PROVIDER_SETTINGS> = (values) => {
  const { GOOGLE_MAPS_API_KEY: key, APIFY_TOKEN: token, GOOGLEMAPS_DAILY_USD_CAP: dailyMicroUsd } = values
  if (values.GOOGLEMAPS_PROVIDER !== 'apify')
    return key ? googlemaps({ route: 'places', key, dailyMicroUsd }) : { missing: ['GOOGLE_MAPS_API_KEY'] }
  return token
    ? googlemaps({ route: 'apify', token, actor: values.GOOGLEMAPS_APIFY_ACTOR, dailyMicroUsd })
    : { missing: ['APIFY_TOKEN'] }
}
