import type { SettingsTable, ValuesOf } from '../kernel/settings.ts'
import { OWN_SETTINGS } from './own-settings.ts'
import { PROVIDER_SETTINGS } from './providers/settings.ts'
import { STACK_SETTINGS } from './providers/stack/settings.ts'

/** What the operator may set for one platform or a few. */
export const PLATFORM_SETTINGS = { ...OWN_SETTINGS, ...STACK_SETTINGS, ...PROVIDER_SETTINGS } satisfies SettingsTable

export type PlatformSettings = ValuesOf<typeof PLATFORM_SETTINGS>
