import { type Clock, systemClock } from '../../kernel/clock.ts'
import type { LiveSource } from '../contract.ts'
import { isOn, LIMITS } from './api.ts'
import { enriching } from './enrich.ts'
import { STREAM_LIMITS, type StreamLimits } from './event-stream.ts'
import { type FollowOptions, follow, Refusals, SETTLE_MS } from './follow.ts'
import { KnownPosts } from './known-posts.ts'
import { PagePace } from './page-pace.ts'
import { searchingAs } from './search.ts'
import type { Honoured } from './to-post.ts'

export interface MastodonOptions {
  /** Origin of a server or relay whose public event stream is followed, such as https://fedi.buzz. */
  stream: string
  /** Hosts whose public timelines fill the breaks of the stream, at least one. The token is the first one's. */
  servers: readonly string[]
  /** Of a person; without it there is no search. */
  token?: string | null
  honoured?: Honoured
  limits?: Partial<StreamLimits>
}

/**
 * Every public post that a relay or a server hands on, with edits and deletions. Remembers what was handed over between
 * calls of `follow`, so an instance serves one follower.
 */
export function mastodon(options: MastodonOptions, clock: Clock = systemClock): LiveSource {
  const { stream, servers, token = null, honoured = 'on', limits } = options
  const streamHost = new URL(stream).host
  const home = token === null ? null : { host: servers[0]!, token }
  const isOwnServer = servers.length === 1 && isOn(servers[0]!, streamHost)
  const lasting: FollowOptions = {
    stream,
    servers,
    home,
    honoured,
    known: new KnownPosts(),
    pace: new PagePace(clock),
    refusals: new Refusals(),
    clock,
    limits: { ...STREAM_LIMITS, ...limits, settleMs: isOwnServer ? SETTLE_MS.ownServer : SETTLE_MS.relay },
  }
  return {
    platform: 'mastodon',
    hosts: [...new Set([streamHost, ...servers]), `.${streamHost}`, `.${servers[0]}`],
    limits: LIMITS,
    mode: 'live',
    follow: (context, cursor) => follow(context, cursor, lasting),
    enrich: enriching(servers, home),
    ...(home ? { searching: searchingAs(home, honoured) } : {}),
  }
}
