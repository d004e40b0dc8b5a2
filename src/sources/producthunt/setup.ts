import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { producthunt } from './source.ts'

export const setup: Setup<typeof SETTINGS> = ({ PRODUCTHUNT_TOKEN: token }) =>
  token ? producthunt({ token }) : { missing: ['PRODUCTHUNT_TOKEN'] }
