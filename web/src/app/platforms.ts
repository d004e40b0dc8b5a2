import type { Source } from '../api/workspace.ts'
import { PLATFORM_TABLE } from './platform-table.ts'

export type Platform = Source['platform']

/** Proper names, which no language translates. */
export const PLATFORM_NAMES = Object.fromEntries(
  Object.entries(PLATFORM_TABLE).map(([platform, { name }]) => [platform, name]),
) as Readonly<Record<Platform, string>>

type Table = typeof PLATFORM_TABLE
export type SearchPlatform = {
  [On in keyof Table]: Table[On]['reviews'] extends true ? never : On
}[keyof Table]

/** Platforms that a keyword can be looked for on; reviews come from connected pages. */
export const SEARCH_PLATFORMS = (Object.keys(PLATFORM_TABLE) as Platform[]).filter(isSearchPlatform)

function isSearchPlatform(platform: Platform): platform is SearchPlatform {
  return !PLATFORM_TABLE[platform].reviews
}

/** The platforms of an address such as `?platforms=reddit,x`, in the usual order; null for all. */
export function platformsIn(text: string | null): SearchPlatform[] | null {
  const named = new Set((text ?? '').split(','))
  const known = SEARCH_PLATFORMS.filter((platform) => named.has(platform))
  return known.length === 0 ? null : known
}
