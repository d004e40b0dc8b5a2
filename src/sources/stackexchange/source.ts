import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { groupBy } from '../../kernel/group.ts'
import { type CollectContext, type Searching, SourceFault, type StreamSource } from '../contract.ts'
import { newestFirst } from '../newest-first.ts'
import { partsPoller } from '../parts.ts'
import { HOST, type StackApi, stackApi } from '../providers/stack/api.ts'
import { fillIn } from '../providers/stack/fill-in.ts'
import type { StackPauses } from '../providers/stack/pauses.ts'
import { pollSite, stackLimits } from '../providers/stack/poll.ts'
import { search } from '../providers/stack/search.ts'
import type { StackSite } from '../providers/stack/site.ts'
import { site as siteShape } from '../providers/stack/wire.ts'
import { readItems } from '../read-items.ts'

/** Two requests each and look-back of a keyword. */
const SEARCHED_SITES = 5
/** A server of the network that fails, and haste, concern every site: one host answers for all. */
const OF_ALL_SITES = new Set(['throttled', 'unavailable', 'credentials'])

export interface StackExchangeOptions {
  key: string
  /** Names of sites in the interface, such as serverfault. */
  sites: readonly string[]
  /** Shared with Stack Overflow. */
  pauses: StackPauses
}

/** The other sites of the network, through the interface and within the quota of Stack Overflow. */
export function stackexchange({ key, sites, pauses }: StackExchangeOptions): StreamSource {
  const api = stackApi(key, pauses)
  const directory = new SiteDirectory(api)
  return {
    platform: 'stackexchange',
    countsWith: 'stackoverflow',
    hosts: [HOST],
    limits: stackLimits(key),
    mode: 'stream',
    pollSeconds: PLATFORM_FACTS.stackexchange.pollSeconds,
    poll: partsPoller({
      platform: 'stackexchange',
      names: sites,
      concernsAll: ({ kind }) => OF_ALL_SITES.has(kind),
      async *poll(context, name, cursor) {
        yield* pollSite(context, api.of(context, await directory.find(context, name)), cursor)
      },
    }),
    searching: { termsPerSearch: 1, search: searchWith(api, directory, sites.slice(0, SEARCHED_SITES)) },
    enrich: enrichWith(api, directory),
  }
}

/** Which sites there are and where, read anew once a day. */
class SiteDirectory {
  private readonly api: StackApi
  private readAtMs = Number.NEGATIVE_INFINITY
  private sites: ReadonlyMap<string, StackSite> = new Map()

  constructor(api: StackApi) {
    this.api = api
  }

  /** SourceFault 'gone' if there is no such site, or one that only its members may read. */
  async find(context: CollectContext, name: string): Promise<StackSite> {
    if (context.at.getTime() - this.readAtMs >= DAY_MS) await this.read(context)
    const site = this.sites.get(name)
    if (site === undefined) throw new SourceFault('gone', `there is no public site ${name} in the network`)
    return site
  }

  private async read(context: CollectContext): Promise<void> {
    const found = readItems(await this.api.sites(context), siteShape, context, 'stackexchange', {
      part: { list: 'sites' },
    })
    const open = found.filter(({ site_state: state }) => state !== 'closed_beta')
    this.sites = new Map(
      open.map(({ api_site_parameter: name, site_url: url }) => [
        name,
        { platform: 'stackexchange', name, prefix: `${name}:`, url },
      ]),
    )
    this.readAtMs = context.at.getTime()
  }
}

/** One page of each site, together newest first. */
function searchWith(api: StackApi, directory: SiteDirectory, names: readonly string[]): Searching['search'] {
  return async function* (context, query) {
    const found: Post[] = []
    for (const name of names) {
      const site = await attempt(context, name, () => directory.find(context, name))
      if (site === null) continue
      for await (const posts of search(context, api.of(context, site), { ...query, maxPages: 1 })) found.push(...posts)
    }
    const wanted = newestFirst(found, query.since, query.limit)
    if (wanted.length > 0) yield wanted
  }
}

/** Null for a site that is not there, which the polls report. */
async function attempt<Result>(
  { log }: CollectContext,
  part: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SourceFault) || error.kind !== 'gone') throw error
    log.warn(
      { event: 'source.part_skipped', err: error, platform: 'stackexchange', part },
      'A server or site of a platform is left out of a search',
    )
    return null
  }
}

/** Up to three requests a site. */
function enrichWith(api: StackApi, directory: SiteDirectory): NonNullable<StreamSource['enrich']> {
  return async (context, posts) => {
    const filled = new Map<string, Post>()
    for (const [name, own] of groupBy(posts, ({ nativeId }) => nativeId.slice(0, nativeId.indexOf(':')))) {
      const site = await attempt(context, name, () => directory.find(context, name))
      if (site === null) continue
      const bare = own.map((post) => ({ ...post, nativeId: post.nativeId.slice(site.prefix.length) }))
      for (const post of await fillIn(context, api.of(context, site), bare))
        filled.set(`${site.prefix}${post.nativeId}`, { ...post, nativeId: `${site.prefix}${post.nativeId}` })
    }
    return posts.map((post) => filled.get(post.nativeId) ?? post)
  }
}
