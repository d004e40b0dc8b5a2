import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { discourse } from './source.ts'

export const setup: Setup<typeof SETTINGS> = ({ DISCOURSE_FORUMS: named = [], DISCOURSE_KEYS: keys = new Map() }) =>
  discourse({ named, keys })
