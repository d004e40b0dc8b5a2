import type { Platform } from '../../src/domain/platform/platforms.ts'
import type { Post } from '../../src/domain/post/post.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createEgress } from '../../src/kernel/egress.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { givenIn, readTable } from '../../src/kernel/settings.ts'
import { createCollectContext } from '../../src/sources/collect-context.ts'
import {
  type CollectContext,
  type PageSource,
  type PlacesSource,
  type SearchQuery,
  type SearchSource,
  type Source,
  SourceFault,
  type SourceSetup,
  type Sources,
} from '../../src/sources/contract.ts'
import { normalPost } from '../../src/sources/normal-post.ts'
import { createSources } from '../../src/sources/registry.ts'
import { SOURCES_SETTINGS, sourcesSettingsOf, USER_AGENT_SETTINGS } from '../../src/sources/settings.ts'

/** Platforms of which a test says what they answer; none unless told otherwise. Nothing reaches a network. */
/** As an installation has it whose operator exempts nothing. */
const PUBLIC_ONLY = createEgress({ allow: [] })

export function scriptedSources(...setups: SourceSetup[]): Sources {
  return {
    setups,
    checkAddress: (address) => PUBLIC_ONLY.check(address),
    normalPost,
    contextFor: (source, at, signal) =>
      createCollectContext(source, {
        address: 'http://127.0.0.1:9',
        userAgent: 'Earshot test',
        at,
        signal,
        log: silentLog,
      }),
  }
}

const MODES = { live: 'live', stream: 'search', search: 'search', places: 'search', page: 'reviews' } as const

/** The platforms of an installation without a setting. */
export function freshSetups(): readonly SourceSetup[] {
  const { values } = readTable({ ...USER_AGENT_SETTINGS, ...SOURCES_SETTINGS }, givenIn({}))
  return createSources(sourcesSettingsOf(values, '0.0.0'), systemClock)
}

/** A platform that is set up. */
export function ready(source: Source): SourceSetup {
  return { platform: source.platform, mode: MODES[source.mode], source, missing: [], off: false }
}

/** A platform that cannot be asked until these settings are made. */
export function lacking(platform: Platform, mode: SourceSetup['mode'], ...names: string[]): SourceSetup {
  const about = { meaning: 'A setting of a test.', form: 'text', getAt: ['https://keys.example'], price: 'a cent' }
  return { platform, mode, source: null, missing: names.map((name) => ({ name, ...about })), off: false }
}

/** A platform whose searches answer what `search` yields. */
export function searchable(
  platform: Platform,
  search: (query: SearchQuery, context: CollectContext) => AsyncIterable<Post[]>,
  more: Partial<SearchSource> = {},
): SearchSource {
  return {
    platform,
    mode: 'search',
    hosts: [],
    limits: [],
    pollSeconds: 300,
    lookBackDays: 30,
    overlapSeconds: 0,
    searching: { termsPerSearch: 1, search: (context, query) => search(query, context) },
    ...more,
  }
}

/** A platform of reviews, whose links `resolveLink` resolves. */
export function reviewing(platform: Platform, resolveLink: NonNullable<PageSource['resolveLink']>): PageSource {
  return {
    platform,
    mode: 'page',
    hosts: [],
    limits: [],
    pollSeconds: 86_400,
    overlapSeconds: 0,
    read: nothing,
    resolveLink,
  }
}

async function* nothing(): AsyncIterable<Post[]> {}

/** A platform of places, such as feeds: an address that contains "missing" leads nowhere. */
export function placed(platform: Platform, more: Partial<PlacesSource> = {}): PlacesSource {
  return {
    platform,
    mode: 'places',
    hosts: [],
    limits: [],
    pollSeconds: 900,
    named: [],
    hostsOf: (address) => [new URL(address).host],
    poll: async () => ({ posts: [], cursor: { polls: 1 }, title: null, restSeconds: null }),
    async find(_, address) {
      if (address.includes('missing')) throw new SourceFault('gone', 'There is no feed at this address.')
      return { address, title: `Title of ${new URL(address).host}` }
    },
    ...more,
  }
}
