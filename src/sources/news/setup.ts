import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { news } from './source.ts'

export const setup: Setup<typeof SETTINGS> = ({ NEWS_SOURCES: indexes, NEWS_EDITIONS: editions }) =>
  news({ indexes, editions })
