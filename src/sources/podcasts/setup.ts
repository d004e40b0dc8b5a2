import { lacking, type Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { podcasts } from './source.ts'

export const setup: Setup<typeof SETTINGS> = (values) => {
  const { PODCASTINDEX_KEY: key, PODCASTINDEX_SECRET: secret } = values
  return key && secret ? podcasts({ key, secret }) : lacking(values, ['PODCASTINDEX_KEY', 'PODCASTINDEX_SECRET'])
}
