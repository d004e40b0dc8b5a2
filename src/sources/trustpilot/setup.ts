import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { trustpilot } from './source.ts'

export const setup: Setup<typeof SETTINGS> = ({ TRUSTPILOT_API_KEY: key }) =>
  key ? trustpilot({ key }) : { missing: ['TRUSTPILOT_API_KEY'] }
