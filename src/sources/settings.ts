import { isLive, PLATFORM_FACTS, PLATFORMS, type Platform } from '../domain/platform/platforms.ts'
import { headerText, someOf, webAddress, wholeNumber } from '../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../kernel/settings.ts'
import { PLATFORM_SETTINGS, type PlatformSettings } from './platform-settings.ts'

export interface SourcesSettings {
  userAgent: string
  sourceUrls: ReadonlyMap<Platform, string>
  /** Chosen by the operator. */
  sourcePollSeconds: ReadonlyMap<Platform, number>
  sourcesOff: readonly Platform[]
  sourceSettings: PlatformSettings
}

export const USER_AGENT_SETTINGS = {
  COLLECTOR_USER_AGENT: {
    meaning: 'How collectors introduce themselves to the platforms; it should carry a contact address.',
    form: '1 to 200 printable ASCII characters',
    fallback: 'earshot/VERSION',
    schema: headerText,
  },
} satisfies SettingsTable

type PolledPlatform = {
  [On in Platform]: (typeof PLATFORM_FACTS)[On]['mode'] extends 'live' ? never : On
}[Platform]
const POLLED = PLATFORMS.filter((platform): platform is PolledPlatform => !isLive(platform))

const urlName = (platform: Platform) => `SOURCE_${upperCased(platform)}_URL` as const
const pollName = (platform: PolledPlatform) => `SOURCE_${upperCased(platform)}_POLL_SECONDS` as const

const replacedHosts = (platform: Platform) => ({
  meaning: `Replaces every host of ${platform} by one address, paths unchanged; for proxies and tests.`,
  form: 'http or https address',
  fallback: 'the real hosts',
  schema: webAddress,
})

const pollInterval = (platform: PolledPlatform) => ({
  meaning: `The time between two polls of ${platform}, of one term or page where it is asked for each.`,
  form: 'whole number from 1 to 604800',
  unit: 'seconds',
  fallback: String(PLATFORM_FACTS[platform].pollSeconds),
  schema: wholeNumber(1, 604_800),
})

const EACH_PLATFORM = {
  ...(Object.fromEntries(PLATFORMS.map((platform) => [urlName(platform), replacedHosts(platform)])) as Record<
    ReturnType<typeof urlName>,
    ReturnType<typeof replacedHosts>
  >),
  ...(Object.fromEntries(POLLED.map((platform) => [pollName(platform), pollInterval(platform)])) as Record<
    ReturnType<typeof pollName>,
    ReturnType<typeof pollInterval>
  >),
} satisfies SettingsTable

export const SOURCES_SETTINGS = {
  ...EACH_PLATFORM,
  SOURCES_OFF: {
    meaning: 'Platforms that are not to be collected from.',
    form: 'names of platforms separated by commas',
    fallback: 'none',
    schema: someOf(PLATFORMS),
  },
  ...PLATFORM_SETTINGS,
} satisfies SettingsTable

export function sourcesSettingsOf(
  values: ValuesOf<typeof USER_AGENT_SETTINGS & typeof SOURCES_SETTINGS>,
  version: string,
): SourcesSettings {
  return {
    userAgent: values.COLLECTOR_USER_AGENT ?? `earshot/${version}`,
    sourceUrls: collectSet(PLATFORMS, (platform) => values[urlName(platform)]),
    sourcePollSeconds: collectSet(POLLED, (platform) => values[pollName(platform)]),
    sourcesOff: values.SOURCES_OFF ?? [],
    sourceSettings: Object.fromEntries(
      Object.keys(PLATFORM_SETTINGS).map((name) => [name, values[name as keyof PlatformSettings]]),
    ) as PlatformSettings,
  }
}

function collectSet<Of extends Platform, Value>(
  platforms: readonly Of[],
  setFor: (platform: Of) => Value | undefined,
): Map<Platform, Value> {
  const values = new Map<Platform, Value>()
  for (const platform of platforms) {
    const value = setFor(platform)
    if (value !== undefined) values.set(platform, value)
  }
  return values
}

function upperCased<Name extends Platform>(platform: Name): Uppercase<Name> {
  return platform.toUpperCase() as Uppercase<Name>
}
