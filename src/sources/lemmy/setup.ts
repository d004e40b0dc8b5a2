import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { lemmy } from './source.ts'

export const setup: Setup<typeof SETTINGS> = ({ LEMMY_SERVERS: servers }) => lemmy({ servers })
