import { listWhere } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'

/** With two requests each every ten minutes, twenty take most of the 10,000 that there are. */
const MOST_SITES = 20

const sites = listWhere(
  (name) => /^[a-z0-9][a-z0-9.-]{1,60}$/.test(name) && name !== 'stackoverflow',
  'must be names of sites such as serverfault, separated by commas; stackoverflow is a platform of its own',
)
  .refine((names) => names.length <= MOST_SITES, `must name at most ${MOST_SITES} sites`)
  .refine((names) => new Set(names).size === names.length, 'must name each site once')

export const SETTINGS = {
  STACKEXCHANGE_SITES: {
    meaning: 'Sites of the Stack Exchange network that are read beside Stack Overflow, within the same quota.',
    form: 'names such as serverfault or dba, separated by commas, at most 20',
    fallback: 'Stack Exchange is not collected',
    obtain: { from: ['https://stackexchange.com/sites'], price: null },
    schema: sites,
  },
} satisfies SettingsTable
