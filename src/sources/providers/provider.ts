import type { Platform } from '../../domain/platform/platforms.ts'
import { type Limit, MONEY, type Searching, type SearchSource } from '../contract.ts'
import type { RunActor } from './actor-task.ts'
import { APIFY_HOST, apify } from './apify.ts'
import { type AskScrapeCreators, SCRAPECREATORS_HOST, scrapeCreators } from './scrapecreators.ts'

/** With a budget per UTC day. */
export type ProvidedOptions =
  | { provider: 'scrapecreators'; key: string; creditMicroUsd: number; dailyMicroUsd: number }
  | { provider: 'apify'; token: string; actor: string; dailyMicroUsd: number }

export interface ProvidedPlatform {
  platform: Platform
  pollSeconds: number
  lookBackDays: number
  scrapecreators(ask: AskScrapeCreators): Searching
  apify(run: RunActor): Searching
}

/** Providers find posts hours or days late, and their week costs no more than two days. */
const OVERLAP_SECONDS = 5 * 86_400

export function providedSource(
  options: ProvidedOptions,
  { platform, pollSeconds, lookBackDays, ...through }: ProvidedPlatform,
): SearchSource {
  const limits: Limit[] = [{ quota: MONEY, kind: 'daily', most: options.dailyMicroUsd, timeZone: 'UTC' }]
  const common = {
    platform,
    mode: 'search',
    limits,
    pollSeconds,
    lookBackDays,
    overlapSeconds: OVERLAP_SECONDS,
  } as const
  return options.provider === 'scrapecreators'
    ? { ...common, hosts: [SCRAPECREATORS_HOST], searching: through.scrapecreators(scrapeCreators(options)) }
    : { ...common, hosts: [APIFY_HOST], searching: through.apify(apify(options)) }
}
