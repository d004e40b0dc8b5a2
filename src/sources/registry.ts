import { factsOf, PLATFORMS } from '../domain/platform/platforms.ts'
import type { MissingSetting } from '../domain/source/missing-setting.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Setting } from '../kernel/settings.ts'
import { SETUPS } from './adapters.ts'
import type { Source, SourceSetup } from './contract.ts'
import { PLATFORM_SETTINGS, type PlatformSettings } from './platform-settings.ts'
import { StackPauses } from './providers/stack/pauses.ts'
import type { SourcesSettings } from './settings.ts'
import type { Common } from './setup.ts'

type RegistrySettings = Omit<SourcesSettings, 'sourceUrls'>

export function createSources(settings: RegistrySettings, clock: Clock): readonly SourceSetup[] {
  const { sourceSettings: values, sourcesOff, userAgent } = settings
  const common: Common = { userAgent, stackPauses: new StackPauses(clock) }
  return PLATFORMS.map((platform) => {
    const { mode } = factsOf(platform)
    const made = sourcesOff.includes(platform) ? 'off' : SETUPS[platform](values, common)
    if (made === 'off') return { platform, mode, source: null, missing: [], off: true }
    if ('missing' in made)
      return { platform, mode, source: null, missing: made.missing.map(describeMissing), off: false }
    return { platform, mode, source: paced(made, settings), missing: [], off: false }
  })
}

function describeMissing(name: keyof PlatformSettings): MissingSetting {
  const { meaning, form, obtain }: Setting = PLATFORM_SETTINGS[name]
  return { name, meaning, form, getAt: [...(obtain?.from ?? [])], price: obtain?.price ?? null }
}

function paced(source: Source, { sourcePollSeconds }: RegistrySettings): Source {
  const pollSeconds = sourcePollSeconds.get(source.platform)
  return pollSeconds === undefined || source.mode === 'live' ? source : { ...source, pollSeconds }
}
