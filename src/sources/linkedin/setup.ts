import { type Provided, setUpProvided } from '../provided-setup.ts'
import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { linkedin } from './source.ts'

export const setup: Setup<typeof SETTINGS & Provided> = (values) =>
  setUpProvided('LINKEDIN_PROVIDER', values, {
    provider: values.LINKEDIN_PROVIDER,
    actor: values.LINKEDIN_APIFY_ACTOR,
    dailyMicroUsd: values.LINKEDIN_DAILY_USD_CAP,
    make: linkedin,
  })
