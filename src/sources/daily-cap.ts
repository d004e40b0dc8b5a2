import type { Platform } from '../domain/platform/platforms.ts'
import { microUsd } from '../kernel/setting-forms.ts'

/** A setting: `dollars` is its default. */
export const dailyCap = (platform: Platform, dollars: string) => ({
  meaning: `The most that collecting from ${platform} may cost on one day (UTC); checked before each paid request.`,
  form: 'amount such as 5 or 0.5',
  unit: 'dollars',
  default: dollars,
  schema: microUsd,
})
