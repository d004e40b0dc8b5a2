import type { SettingsTable, ValuesOf } from '../kernel/settings.ts'
import type { Source } from './contract.ts'
import type { StackPauses } from './providers/stack/pauses.ts'

/** What sources of one process have in common. */
export interface Common {
  /** How collectors introduce themselves. */
  userAgent: string
  /** Of the whole Stack Exchange network. */
  stackPauses: StackPauses
}

/** The settings without which there is no source; `off` if the operator wants none. */
export type Lacking<Name extends string = string> = { missing: readonly Name[] } | 'off'

/** Makes the source of a platform, from the values of a table of settings: its own, and shared ones that it needs. */
export type Setup<Table extends SettingsTable = Record<never, never>> = (
  values: ValuesOf<Table>,
  common: Common,
) => Source | Lacking<keyof Table & string>

export function lacking<Name extends string>(
  values: { readonly [On in Name]: unknown },
  needed: readonly Name[],
): Lacking<Name> {
  return { missing: needed.filter((name) => !values[name]) }
}
