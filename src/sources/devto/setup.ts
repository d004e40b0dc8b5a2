import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { devto } from './source.ts'

export const setup: Setup<typeof SETTINGS> = ({ DEVTO_API_KEY: key = null }) => devto({ key })
