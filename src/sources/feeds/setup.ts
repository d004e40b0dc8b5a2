import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { feeds } from './source.ts'

export const setup: Setup<typeof SETTINGS> = ({ FEEDS_URLS = [], FEEDS_FILE = [] }) =>
  feeds({ named: [...new Set([...FEEDS_URLS, ...FEEDS_FILE])] })
