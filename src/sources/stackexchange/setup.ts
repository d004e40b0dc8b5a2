import type { STACK_SETTINGS } from '../providers/stack/settings.ts'
import { lacking, type Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { stackexchange } from './source.ts'

export const setup: Setup<typeof SETTINGS & typeof STACK_SETTINGS> = (values, { stackPauses: pauses }) => {
  const { STACKEXCHANGE_SITES: sites, STACKEXCHANGE_KEY: key } = values
  return sites && key
    ? stackexchange({ key, sites, pauses })
    : lacking(values, ['STACKEXCHANGE_SITES', 'STACKEXCHANGE_KEY'])
}
