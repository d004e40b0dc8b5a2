import type { ValuesOf } from '../kernel/settings.ts'
import type { Source } from './contract.ts'
import type { ProvidedOptions } from './providers/provider.ts'
import type { PROVIDER_SETTINGS } from './providers/settings.ts'
import type { Lacking } from './setup.ts'

export type Provided = typeof PROVIDER_SETTINGS

interface Choice {
  /** Undefined if the operator chose none. */
  provider: ProvidedOptions['provider'] | 'off' | undefined
  actor: string
  dailyMicroUsd: number
  make(options: ProvidedOptions): Source
}

/** For platforms that are collected through a provider only. `setting` is the one that chooses it. */
export function setUpProvided<Name extends string>(
  setting: Name,
  values: ValuesOf<Provided>,
  { provider, actor, dailyMicroUsd, make }: Choice,
): Source | Lacking<Name | keyof Provided> {
  if (provider === undefined) return { missing: [setting] }
  if (provider === 'off') return 'off'
  if (provider === 'scrapecreators') {
    const { SCRAPECREATORS_API_KEY: key, SCRAPECREATORS_CREDIT_USD: creditMicroUsd } = values
    return key ? make({ provider, key, creditMicroUsd, dailyMicroUsd }) : { missing: ['SCRAPECREATORS_API_KEY'] }
  }
  const { APIFY_TOKEN: token } = values
  return token ? make({ provider, token, actor, dailyMicroUsd }) : { missing: ['APIFY_TOKEN'] }
}
