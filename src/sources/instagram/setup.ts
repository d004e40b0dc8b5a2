import { type Provided, setUpProvided } from '../provided-setup.ts'
import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { instagram } from './source.ts'

export const setup: Setup<typeof SETTINGS & Provided> = (values) =>
  setUpProvided('INSTAGRAM_PROVIDER', values, {
    provider: values.INSTAGRAM_PROVIDER,
    actor: values.INSTAGRAM_APIFY_ACTOR,
    dailyMicroUsd: values.INSTAGRAM_DAILY_USD_CAP,
    make: instagram,
  })
