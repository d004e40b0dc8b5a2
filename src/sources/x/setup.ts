import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { x } from './source.ts'

export const setup: Setup<typeof SETTINGS> = ({ X_BEARER_TOKEN: bearerToken, X_DAILY_USD_CAP: dailyMicroUsd }) =>
  bearerToken ? x({ bearerToken, dailyMicroUsd }) : { missing: ['X_BEARER_TOKEN'] }
