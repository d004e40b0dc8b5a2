import { type Provided, setUpProvided } from '../provided-setup.ts'
import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { tiktok } from './source.ts'

export const setup: Setup<typeof SETTINGS & Provided> = (values) =>
  setUpProvided('TIKTOK_PROVIDER', values, {
    provider: values.TIKTOK_PROVIDER,
    actor: values.TIKTOK_APIFY_ACTOR,
    dailyMicroUsd: values.TIKTOK_DAILY_USD_CAP,
    make: tiktok,
  })
