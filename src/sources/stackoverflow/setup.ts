import type { STACK_SETTINGS } from '../providers/stack/settings.ts'
import type { Setup } from '../setup.ts'
import { stackoverflow } from './source.ts'

export const setup: Setup<typeof STACK_SETTINGS> = ({ STACKEXCHANGE_KEY: key = null }, { stackPauses: pauses }) =>
  stackoverflow({ key, pauses })
