import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { github } from './source.ts'

export const setup: Setup<typeof SETTINGS> = ({ GITHUB_TOKEN: token = null }) => github({ token })
